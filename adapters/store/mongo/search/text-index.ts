import type { IndexDescription } from 'mongodb'
import type { SearchDefinition } from '#src/ports/documents.ts'

/** The only text index that a collection may have. */
export function textIndex({ words, only }: SearchDefinition): IndexDescription {
  const members = Object.keys(words)
  const weighed = Object.entries(words).map(([member, weight]) => `${member}*${weight}`)
  return {
    // It includes everything that defines the index, so that a changed index has another name.
    name: `search:${weighed.join(',')}${only ? `:${only}` : ''}`,
    key: Object.fromEntries(members.map((member) => [member, 'text'])),
    weights: { ...words },
    default_language: 'english',
    // Otherwise a member called `language` would select the stemming rules, and documents with an
    // unknown language would be refused. Escaped names that begin with `~` never have this form.
    language_override: '~language',
    ...(only ? { partialFilterExpression: { [only]: true } } : {}),
  }
}
