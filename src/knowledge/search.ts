import * as z from 'zod'
import type { Ports } from '#src/core/context.ts'
import type { Hit } from '#src/ports/search.ts'
import type { Store } from '#src/ports/store.ts'
import { parseQuery } from '#src/core/text/search-query.ts'
import { fusedPoints } from '#src/core/text/vectors.ts'
import { marked, marks } from '#src/core/text/untrusted.ts'
import { editionOf, pageOf, type StoredChunk, type StoredItem } from './item.ts'
import { nearestChunks } from './nearest.ts'
import { goneFrom } from './purge.ts'
import type { StoredShelf } from './library.ts'

export const KnowledgeHit = z
  .object({
    item_id: z.string(),
    title: z.string(),
    url: z.string().nullable(),
    position: z.int().describe('Of the piece in its item, from 0.'),
    heading: z.string().nullable(),
    place: z.string().nullable().describe('Where it stands: "page 3", "row 120", an address.'),
    text: z.string(),
    score: z.number().describe('Higher is better; within one answer only.'),
    ...marks,
  })
  .meta({ id: 'KnowledgeHit' })
/** A piece of what an agent knows. */
export type KnowledgeHit = z.infer<typeof KnowledgeHit>

/** Search by words asks for more than is shown, since some hits may be out of date. */
const spare = 4
const mostAsked = 500
/** How often a search re-reads what is to be left out, which may change meanwhile. */
const looksAtMost = 3
/** So many of each ranking are merged if there is a model. */
const fusedOfEach = 50

type Needed = Pick<Ports, 'store' | 'models' | 'clock' | 'log'>

/** A chunk that was found, and how well it fits. */
interface Found {
  chunk: StoredChunk
  item: StoredItem
  score: number
}

/**
 * The best pieces of what an agent knows, best first: by the words of the text, and by its meaning if the
 * operator has chosen a model.
 * @throws Unavailable
 */
export async function findKnowledge(
  ports: Needed,
  shelf: StoredShelf,
  text: string,
  limit: number,
): Promise<KnowledgeHit[]> {
  const [near, worded] = await Promise.all([
    nearestChunks(ports, shelf, text, fusedOfEach),
    byWords(ports.store, shelf, text, ports.models.embeddings ? fusedOfEach : limit),
  ])
  const found = near.length > 0 ? await fused(ports.store, shelf, worded, near) : worded
  return found.slice(0, limit).map(hitOf)
}

/** The best chunks by their words, of what the agent knows now. */
async function byWords(
  store: Store,
  { shelf }: StoredShelf,
  text: string,
  limit: number,
): Promise<Found[]> {
  const query = parseQuery(text, 'any')
  let gone: string[] = []
  let looks = 0
  for (let asked = limit + spare; ;) {
    const options = { limit: asked, marks: { shelf }, without: { edition: gone } }
    const hits = await store.search('knowledge_chunks', query, options)
    const found = await living(store, shelf, hits.map(scored))
    if (found.length < hits.length && looks < looksAtMost) {
      looks += 1
      // If very many match, only the newest are ranked, so outdated ones could hide all others.
      const now = await goneFrom(store, shelf)
      const isNews = now.join() !== gone.join()
      gone = now
      if (isNews) continue
    }
    const isAll = hits.length < asked || asked === mostAsked
    if (found.length >= limit || isAll) return found.slice(0, limit)
    asked = Math.min(asked * 4, mostAsked)
  }
}

function scored({ text, score }: Hit): { chunk: StoredChunk; score: number } {
  // The chunk was written by this server.
  return { chunk: JSON.parse(text) as StoredChunk, score }
}

/** Only chunks of existing items, and of their current editions. */
async function living(
  { knowledge_items }: Store,
  shelf: string,
  found: readonly { chunk: StoredChunk; score: number }[],
): Promise<Found[]> {
  const ids = [...new Set(found.map(({ chunk }) => chunk.item_id))]
  if (ids.length === 0) return []
  const items = await knowledge_items.find({ id: { $in: ids } })
  const byId = new Map(items.map((item) => [item.id, item]))
  return found.flatMap(({ chunk, score }) => {
    const item = byId.get(chunk.item_id)
    const isLive = item?.shelf === shelf && item.edition === editionOf(chunk.id)
    return isLive ? [{ chunk, item, score }] : []
  })
}

/** Both rankings merged: what is far ahead in either, and what is in both. */
async function fused(
  store: Store,
  { shelf }: StoredShelf,
  worded: readonly Found[],
  near: readonly string[],
): Promise<Found[]> {
  const points = fusedPoints([worded.map(({ chunk }) => chunk.id), near])
  const known = new Set(worded.map(({ chunk }) => chunk.id))
  const others = await store.knowledge_chunks.find({
    id: { $in: near.filter((id) => !known.has(id)) },
  })
  const more = await living(
    store,
    shelf,
    others.map((chunk) => ({ chunk, score: 0 })),
  )
  return [...worded, ...more]
    .map((one) => ({ ...one, score: points.get(one.chunk.id) ?? 0 }))
    .sort((a, b) => b.score - a.score || (a.chunk.id < b.chunk.id ? -1 : 1))
}

function hitOf({ chunk, item, score }: Found): KnowledgeHit {
  const { position, heading, place, text } = chunk
  const { id: item_id, title, url } = item
  const where = { item_id, title, url, position, heading, place }
  return { ...where, text, score, ...marked(pageOf(item)) }
}
