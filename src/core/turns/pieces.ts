import type { Clock } from '#src/ports/clock.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Collection, FindOptions, Row } from '#src/ports/store.ts'
import { FairQueue } from './fair-queue.ts'
import { turnOf } from './slices.ts'

/** How many documents are read in one turn of the event loop. */
const atOnce = 100
/** How many characters of them are read in one turn. */
export const charactersAtMost = 2 ** 17

/**
 * The documents that match a filter, however many and large, whole and in pieces that hold up no request;
 * in no particular order. Documents deleted meanwhile are left out.
 */
export async function* inPieces<T extends { id: string }>(
  clock: Pick<Clock, 'turn'>,
  collection: Pick<Collection<T>, 'find' | 'pick'>,
  filter: Filter<T>,
): AsyncGenerator<T[]> {
  const rows = await collection.pick(['id'], filter)
  const ids = rows.map(([id]) => String(id))
  yield* piecesOf(clock, collection, ids)
}

/** The same for documents with known ids. */
export function piecesOf<T extends { id: string }>(
  clock: Pick<Clock, 'turn'>,
  collection: Pick<Collection<T>, 'find'>,
  ids: readonly string[],
): AsyncGenerator<T[]> {
  return pieces(clock, ids, documentsFrom(collection))
}

type Read<R> = (ids: readonly string[]) => Promise<R[]>

/** A piece of the documents with these ids. */
function documentsFrom<T extends { id: string }>(collection: Pick<Collection<T>, 'find'>): Read<T> {
  // An id is a member of every T.
  return ($in) => collection.find({ id: { $in } }, { charactersAtMost })
}

async function* pieces<R extends { id: string }>(
  clock: Pick<Clock, 'turn'>,
  ids: readonly string[],
  read: Read<R>,
): AsyncGenerator<R[]> {
  let left = ids
  while (left.length > 0) {
    const found = await read(left.slice(0, atOnce))
    if (found.length > 0) yield found
    const known = new Set(found.map(({ id }) => id))
    // If none is found, those that were asked for are gone.
    left = found.length > 0 ? left.filter((id) => !known.has(id)) : left.slice(atOnce)
    if (left.length > 0) await turnOf(clock)
  }
}

/** All documents that match a filter, however many and large, in no particular order: see `textsInPieces`. */
export async function documentsInPieces<T extends { id: string }>(
  clock: Pick<Clock, 'turn'>,
  collection: Pick<Collection<T>, 'find' | 'pick'>,
  filter: Filter<T>,
  key: string,
): Promise<T[]> {
  const rows = await collection.pick(['id'], filter)
  const ids = rows.map(([id]) => String(id))
  if (ids.length === 0) return []
  const read = documentsFrom(collection)
  const first = await read(ids.slice(0, atOnce))
  return gather(clock, { key, ids, first, read })
}

/**
 * The stored texts of the documents that match a filter, in order, however many and large. Few and small
 * ones are read at once. The rest is read in pieces that hold up no request, one such read
 * after the other: answers that are made at the same time would fill the memory together.
 */
export async function textsInPieces<T extends { id: string }>(
  clock: Pick<Clock, 'turn'>,
  collection: Pick<Collection<T>, 'text' | 'pick'>,
  read: TextsRead<T>,
): Promise<Row[]> {
  const first = await collection.text(read.filter, { ...read.options, charactersAtMost })
  return restInPieces(clock, collection, first, read)
}

/** Texts to read in pieces. */
interface TextsRead<T> {
  /** What is read: keys take turns. */
  key: string
  filter: Filter<T>
  options: Pick<FindOptions<T>, 'sort'>
}

/** The same where the first piece, of at most `charactersAtMost`, was read already. */
export async function restInPieces<T extends { id: string }>(
  clock: Pick<Clock, 'turn'>,
  collection: Pick<Collection<T>, 'text' | 'pick'>,
  first: Row[],
  { key, filter, options: { sort } }: TextsRead<T>,
): Promise<Row[]> {
  if (lengthOf(first) <= charactersAtMost) return first
  const rows = await collection.pick(['id'], filter, { sort })
  const ids = rows.map(([id]) => String(id))
  // An id is a member of every T.
  const read: Read<Row> = ($in) => collection.text({ id: { $in } }, { charactersAtMost })
  return gather(clock, { key, ids, first, read })
}

/** One large read at a time. */
const largeReads = new FairQueue({ all: Infinity, each: Infinity })

interface Gathering<R> {
  key: string
  ids: readonly string[]
  /** The first piece. */
  first: readonly R[]
  read: Read<R>
}

/** Everything with these ids, in their order. */
async function gather<R extends { id: string }>(
  clock: Pick<Clock, 'turn'>,
  { key, ids, first, read }: Gathering<R>,
): Promise<R[]> {
  const found = new Map(first.map((one) => [one.id, one]))
  const left = ids.filter((id) => !found.has(id))
  if (left.length > 0) {
    const leave = await largeReads.take(key)
    try {
      await turnOf(clock)
      for await (const piece of pieces(clock, left, read)) {
        for (const one of piece) found.set(one.id, one)
      }
    } finally {
      leave?.()
    }
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** The length of texts together, in UTF-16 units. */
export function lengthOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { text }) => sum + text.length, 0)
}
