import type { Collection as Driver } from 'mongodb'
import type { CollectionDefinition } from '#src/ports/documents.ts'
import type { Hit, SearchOptions, SearchQuery } from '#src/ports/search.ts'
import { checkedSearch } from '#adapters/store/checked.ts'
import type { Stored } from '../commit.ts'
import { mongoFilter } from '../filter.ts'
import { type Gate, reading } from '../gate.ts'
import { fromStoredDocument } from '../values.ts'
import { HeldTerms } from './held-terms.ts'
import { stem } from './stem.ts'

/** So many of what the server finds are looked at, best first. */
const mostLookedAt = 1_000
const patienceMs = 2_000
/** No member of a stored document has this name: it would be escaped. */
const score = '~score'

/** Searches a collection by its text index. @throws TypeError, Unavailable */
export async function searchDocuments(
  driver: Driver<Stored>,
  gate: Gate,
  collection: string,
  definition: CollectionDefinition,
  query: SearchQuery,
  options: SearchOptions<never>,
): Promise<Hit[]> {
  const { search, marks, without, limit } = checkedSearch(collection, definition, query, options)
  if (limit === 0) return []
  const conditions = [
    { $text: { $search: searchText(query) } },
    // The index is asked only by those who name its condition.
    search.only ? { [search.only]: true } : {},
    ...marks.map(([path, value]) => ({ [path]: { $eq: value } })),
    ...without.map(([path, values]) => ({ [path]: { $nin: values } })),
    mongoFilter(options.filter ?? {}),
  ]
  const held = new HeldTerms(query)
  const { textless = false } = options
  const searched = Object.fromEntries(Object.keys(search.words).map((member) => [member, 1]))
  return gate.pass(async () => {
    const points = { $meta: 'textScore' }
    const stages = [
      { $match: { $and: conditions.filter((one) => Object.keys(one).length > 0) } },
      // What is sorted is held in memory, so that it must be small.
      ...(textless ? [{ $project: searched }] : []),
      { $sort: { [score]: points, _id: -1 } },
      { $limit: mostLookedAt },
      { $addFields: { [score]: points } },
    ]
    const found = driver.aggregate<Stored>(stages, {
      batchSize: limit + 1,
      maxTimeMS: patienceMs,
    })
    const hits: Hit[] = []
    for await (const { [score]: points, ...stored } of found) {
      const document = fromStoredDocument(stored)
      const texts = Object.keys(search.words).map((member) => document[member])
      const matched = held.of(texts.filter((text) => typeof text === 'string'))
      if (matched) {
        const hit = toHit(document, definition, Number(points), matched)
        hits.push(textless ? { ...hit, text: '' } : hit)
      }
      // Leaving the loop closes the cursor.
      if (hits.length >= limit) break
    }
    return hits
  }, reading)
}

/**
 * The server finds what holds any of the words; what stands between quotes must be there letter by
 * letter, as a part of a word too. So each word that is required is given twice: as it is, for its
 * stem to be found, and between quotes what all forms of it begin with. (A server that takes quotes
 * for less than that only finds more.) What is found is looked at once more here.
 */
function searchText({ words, phrases, mode }: SearchQuery): string {
  const required = [...phrases.flat(), ...(mode === 'all' ? words : [])]
  const quoted = required.map((word) => `"${beginning(word)}"`)
  return [...new Set([...phrases.flat(), ...words, ...quoted])].join(' ')
}

/** What a word has in common with all words of the same stem. */
function beginning(word: string): string {
  const stemmed = stem(word)
  let same = 0
  while (same < stemmed.length && stemmed[same] === word[same]) same += 1
  const common = word.slice(0, same).replace(/[ei]$/, '')
  return common || word
}

function toHit(
  { id, ...members }: Record<string, unknown> & { id: string },
  definition: CollectionDefinition,
  points: number,
  matched: string[],
): Hit {
  for (const name of definition.hidden) delete members[name]
  const shown = definition.hidden.includes('id') ? members : { id, ...members }
  return { id, score: points, text: JSON.stringify(shown), matched }
}
