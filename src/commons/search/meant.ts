import type { Ports } from '#src/core/context.ts'
import { fusedPoints } from '#src/core/text/vectors.ts'
import { nearestThreads, type Asker } from './nearest.ts'
import type { Found, Narrowing } from './search.ts'

/** So many threads of the ranking by meaning are merged. */
const nearAtMost = 50
/** Threads that are looked at for each of them: most may be narrowed away. */
const candidates = 4

export type Meaning = Pick<Ports, 'store' | 'models' | 'clock' | 'log' | 'limiter' | 'settings'> &
  Asker

/** The threads that mean what is asked, nearest first, as results; none without a model. */
export async function meant(
  ports: Meaning,
  text: string,
  { board, tag, author }: Narrowing,
): Promise<Found[]> {
  const near = await nearestThreads(ports, text, nearAtMost * candidates, ports)
  if (near.length === 0) return []
  const ids = near.map(({ id }) => id)
  const threads = await ports.store.commons_threads.find({ id: { $in: ids }, is_found: true })
  const byId = new Map(threads.map((thread) => [thread.id, thread]))
  return near
    .flatMap(({ id, edits }): Found[] => {
      const thread = byId.get(id)
      // A vector of another text says nothing of this one.
      if (thread?.edits !== edits) return []
      if (board !== undefined && thread.board !== board) return []
      if (tag !== undefined && !thread.tags.includes(tag)) return []
      if (author !== undefined && thread.author.handle !== author) return []
      return [{ kind: 'thread', threadId: id, relevance: 0, matched: [], isNear: true }]
    })
    .slice(0, nearAtMost)
}

/** What both rankings found, merged: what is far ahead in either, and what is in both. */
export function merged(worded: readonly Found[], near: readonly Found[]): Found[] {
  if (near.length === 0) return [...worded]
  const points = fusedPoints([worded.map(keyOf), near.map(keyOf)])
  const isNear = new Set(near.map(keyOf))
  const all = new Map([...near, ...worded].map((one) => [keyOf(one), one]))
  return [...all]
    .map(([key, one]) => ({ ...one, relevance: points.get(key) ?? 0, isNear: isNear.has(key) }))
    .toSorted((a, b) => b.relevance - a.relevance || (keyOf(a) < keyOf(b) ? 1 : -1))
    .map((one) => ({ ...one, relevance: one.relevance * pointsOfFirst }))
}

/** What is first in one ranking has 1. */
const pointsOfFirst = 61

function keyOf(one: Found): string {
  return one.kind === 'answer' ? one.reply.id : one.threadId
}
