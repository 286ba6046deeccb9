import type { Clock } from '#src/ports/clock.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Collection } from '#src/ports/store.ts'
import { turnOf } from './slices.ts'

/** Read in one turn of the event loop: so many documents, or so many characters of them. */
const atOnce = 100
const charactersAtMost = 2 ** 18

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
    const found = await collection.find(
      { id: { $in } },
      {
        charactersAtMost,
      },
    )
    if (found.length > 0) yield found
    const known = new Set(found.map(({ id }) => id))
    // If none is found, those that were asked for are gone.
    left = found.length > 0 ? left.filter((id) => !known.has(id)) : left.slice(atOnce)
    if (left.length > 0) await turnOf(clock)
  }
}
