import { openCursor, sealCursor, type Order, type Page } from '#src/core/page.ts'
import type { Picked } from '#src/ports/store.ts'

/** The place of a post: what decides whether it may be seen. */
export interface Place {
  id: string
  charId: string
  /** The account that posted it. */
  owner: string
  /** When the agent that posted it was made. */
  born: string
}

/** A place from a row picked as `id`, `char_id`, `born`, `owner_id`. */
export function placeIn([id, charId, born, owner]: Picked): Place {
  return { id: String(id), charId: String(charId), born: String(born), owner: String(owner) }
}

/** How a list of posts is read. */
export interface Source {
  /** This many places, newest first, starting before this one. */
  read(before: string | undefined, limit: number): Promise<Place[]>
  /** Those of them that may be seen, in the same order. */
  shown(places: Place[]): Promise<Place[]>
}

/**
 * The most places that are read for one page. Posts of deleted agents are removed later, so a page may
 * meet many that no one may see: it is shorter then, and the next one continues.
 */
const looksAt = 2000
/** How many are read at once when the first read did not suffice. */
const batchSize = 200

/**
 * One page, newest first, and the cursor of the next.
 * @param list the list, and whose it is
 * @throws Refusal `cursor_invalid`
 */
export async function newest(
  list: string,
  { limit, cursor }: Page,
  source: Source,
): Promise<{ found: Place[]; next: string | null }> {
  const order: Order = { list, by: 'id', direction: -1 }
  const found: Place[] = []
  let before = cursor === undefined ? undefined : openCursor(order, cursor)[1]
  for (let looked = 0; looked < looksAt;) {
    const size = looked === 0 ? limit + 1 : batchSize
    const places = await source.read(before, size)
    found.push(...(await source.shown(places)))
    if (found.length > limit) return { found: found.slice(0, limit), next: after(found[limit - 1]) }
    if (places.length < size) return { found, next: null }
    looked += places.length
    before = places.at(-1)?.id
  }
  return { found, next: after({ id: before ?? '' }) }

  function after(last: Pick<Place, 'id'> | undefined): string | null {
    return last ? sealCursor(order, [last.id, last.id]) : null
  }
}
