import type { Collection as Driver, Document } from 'mongodb'
import { setImmediate } from 'node:timers/promises'
import type { CollectionDefinition } from '#src/ports/documents.ts'
import type { Hit, SearchOptions, SearchQuery } from '#src/ports/search.ts'
import { checkedSearch } from '#adapters/store/checked.ts'
import type { Stored } from '../commit.ts'
import { mongoFilter } from '../filter.ts'
import { type Gate, reading } from '../gate.ts'
import { fromStoredDocument } from '../values.ts'
import { HeldTerms } from './held-terms.ts'
import { mostRanked, ranked, type Candidate, type Rarity } from './rank.ts'
import { stem } from './stem.ts'

/** At most this many of the server's matches are examined, best first; and of each term, so many are counted. */
const mostLookedAt = 1_000
const batchSize = 100
const patienceMs = 2_000
/** After so long, the event loop goes on before the next document. */
const turnMs = 4
/** No member of a stored document has this name: it would be escaped. */
const score = '~score'

/** Searches a collection by its text index, and ranks what it finds as the embedded store does. @throws TypeError, Unavailable */
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
  const narrowed = [
    // The index is used only by queries that include its condition.
    search.only ? { [search.only]: true } : {},
    ...marks.map(([path, value]) => ({ [path]: { $eq: value } })),
    ...without.map(([path, values]) => ({ [path]: { $nin: values } })),
  ]
  const { textless = false } = options
  const held = new HeldTerms(query)
  const members = Object.entries(search.words)
  const matching = (text: string, ...more: object[]): Document => ({
    $and: [{ $text: { $search: text } }, ...narrowed, ...more].filter(isCondition),
  })
  return gate.pass(async () => {
    const points = { $meta: 'textScore' }
    const stages = [
      { $match: matching(searchText(query), mongoFilter(options.filter ?? {})) },
      // Sorting is done in memory, so the documents must be small.
      ...(textless ? [{ $project: Object.fromEntries(members.map(([name]) => [name, 1])) }] : []),
      { $sort: { [score]: points, _id: -1 } },
      { $limit: mostLookedAt },
    ]
    const found = driver.aggregate<Stored>(stages, { batchSize, maxTimeMS: patienceMs })
    const { candidates, isWhole } = await candidatesIn(found, held, members)
    // Of one term, or without a required one, each match of a term is among what was found.
    const isFree = query.mode === 'any' && query.phrases.length === 0
    const isTold = isWhole && !options.filter && (isFree || held.texts.length === 1)
    const counting = { limit: mostLookedAt, maxTimeMS: patienceMs }
    const rarity = await rarityOf(candidates, held.texts, {
      documents: () => driver.estimatedDocumentCount({ maxTimeMS: patienceMs }),
      ...(!isTold && {
        holding: (text) =>
          driver.countDocuments(matching(text.includes(' ') ? `"${text}"` : text), counting),
      }),
    })
    const best = ranked(candidates, rarity, Math.min(...Object.values(search.words)))
    return best.slice(0, limit).map(({ found: document, score: own, terms }) => {
      const matched = terms.map((term) => held.texts[term] ?? '')
      const hit = toHit(document, definition, own, matched)
      return textless ? { ...hit, text: '' } : hit
    })
  }, reading)
}

/** The first matches that hold what is required, and whether these are all. */
async function candidatesIn(
  found: AsyncIterable<Stored>,
  held: HeldTerms,
  members: readonly [name: string, weight: number][],
): Promise<{ candidates: Candidate<Plain>[]; isWhole: boolean }> {
  const candidates: Candidate<Plain>[] = []
  let looked = 0
  let begun = performance.now()
  for await (const stored of found) {
    looked += 1
    const document = fromStoredDocument(stored)
    const own = held.of(members.map(([name, weight]) => ({ text: document[name], weight })))
    if (own) candidates.push({ id: document.id, held: own, found: document })
    // Leaving the loop closes the cursor.
    if (candidates.length >= mostRanked) break
    if (performance.now() - begun < turnMs) continue
    await setImmediate()
    begun = performance.now()
  }
  return { candidates, isWhole: looked < mostLookedAt && candidates.length < mostRanked }
}

interface Counting {
  documents: () => Promise<number>
  /** In how many documents a term is; without it, those that were found are counted. */
  holding?: (text: string) => Promise<number>
}

async function rarityOf(
  candidates: readonly Candidate<unknown>[],
  texts: readonly string[],
  { documents, holding }: Counting,
): Promise<Rarity> {
  const among = texts.map((_, at) => candidates.filter(({ held }) => held.weights[at]).length)
  if (candidates.length === 0) return { documents: 0, holding: among }
  const [all, counts] = await Promise.all([
    documents(),
    holding ? Promise.all(texts.map(holding)) : among,
  ])
  return { documents: all, holding: counts }
}

type Plain = Record<string, unknown> & { id: string }

function isCondition(one: object): boolean {
  return Object.keys(one).length > 0
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
  { id, ...members }: Plain,
  definition: CollectionDefinition,
  points: number,
  matched: string[],
): Hit {
  for (const name of definition.hidden) delete members[name]
  const shown = definition.hidden.includes('id') ? members : { id, ...members }
  return { id, score: points, text: JSON.stringify(shown), matched }
}
