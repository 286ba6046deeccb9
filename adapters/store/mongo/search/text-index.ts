import type { IndexDescription } from 'mongodb'
import type { SearchDefinition } from '#src/ports/documents.ts'

/** The one text index that a collection may have. */
export function textIndex({ words, only }: SearchDefinition): IndexDescription {
  const members = Object.keys(words)
  const weighed = Object.entries(words).map(([member, weight]) => `${member}*${weight}`)
  return {
    // It tells all that the index is made of, so that a changed one has another name.
    name: `search:${weighed.join(',')}${only ? `:${only}` : ''}`,
    key: Object.fromEntries(members.map((member) => [member, 'text'])),
    weights: { ...words },
    default_language: 'english',
    // Else a member called `language` would choose the rules, and refuse the document where there
    // are none of that name. Stored names that begin like this one are not of this form.
    language_override: '~language',
    ...(only ? { partialFilterExpression: { [only]: true } } : {}),
  }
}
