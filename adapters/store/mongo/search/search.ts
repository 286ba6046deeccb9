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

/** At most this many of the server's matches are examined, best first. */
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
    // The index is used only by queries that include its condition.
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
      // Sorting is done in memory, so the documents must be small.
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
 * The server finds documents with any of the words; text between quotes must occur exactly, but may be
 * a part of a word. So each required word is given twice: unquoted, so that its stem is found, and as a
 * quoted prefix that all its forms share. (A server that interprets quotes less strictly only finds
 * more.) The matches are checked again here.
 */
function searchText({ words, phrases, mode }: SearchQuery): string {
  const required = [...phrases.flat(), ...(mode === 'all' ? words : [])]
  const quoted = required.map((word) => `"${beginning(word)}"`)
  return [...new Set([...phrases.flat(), ...words, ...quoted])].join(' ')
}

/** The prefix that a word shares with all words of the same stem. */
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
