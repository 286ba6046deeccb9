import type { Clock } from '#src/ports/clock.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Collection, FindOptions, Row } from '#src/ports/store.ts'
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
export async function* piecesOf<T extends { id: string }>(
  clock: Pick<Clock, 'turn'>,
  collection: Pick<Collection<T>, 'find'>,
  ids: readonly string[],
): AsyncGenerator<T[]> {
  let left = ids
  while (left.length > 0) {
    const $in = left.slice(0, atOnce)
    // An id is a member of every T.
    const found = await collection.find({ id: { $in } }, { charactersAtMost })
    if (found.length > 0) yield found
    const known = new Set(found.map(({ id }) => id))
    // If none is found, those that were asked for are gone.
    left = found.length > 0 ? left.filter((id) => !known.has(id)) : left.slice(atOnce)
    if (left.length > 0) await turnOf(clock)
  }
}

/**
 * The stored texts of the documents that match a filter, in order, however many and large. Few and small
 * ones are read at once, and the rest in pieces that hold up no request.
 */
export async function textsInPieces<T extends { id: string }>(
  clock: Pick<Clock, 'turn'>,
  collection: Pick<Collection<T>, 'text' | 'pick'>,
  filter: Filter<T>,
  sort: FindOptions<T>['sort'],
): Promise<Row[]> {
  const first = await collection.text(filter, { sort, charactersAtMost })
  if (lengthOf(first) <= charactersAtMost) return first
  const rows = await collection.pick(['id'], filter, { sort })
  const ids = rows.map(([id]) => String(id))
  const texts = new Map(first.map(({ id, text }) => [id, text]))
  let left = ids.filter((id) => !texts.has(id))
  while (left.length > 0) {
    await turnOf(clock)
    const $in = left.slice(0, atOnce)
    // An id is a member of every T.
    const found = await collection.text({ id: { $in } }, { charactersAtMost })
    for (const { id, text } of found) texts.set(id, text)
    left = found.length > 0 ? left.filter((id) => !texts.has(id)) : left.slice(atOnce)
  }
  return ids.flatMap((id) => {
    const text = texts.get(id)
    return text === undefined ? [] : [{ id, text }]
  })
}

/** The length of texts together, in UTF-16 units. */
export function lengthOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { text }) => sum + text.length, 0)
}
