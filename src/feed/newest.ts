import { openCursor, sealCursor, type Order, type Page } from '#src/core/page.ts'
import type { Picked } from '#src/ports/store.ts'

/** Where a post stands: what tells whether it is to be seen. */
export interface Place {
  id: string
  charId: string
  /** When the agent was made that posted it. */
  born: string
}

/** A place of what was picked as `id`, `char_id`, `born`. */
export function placeIn([id, charId, born]: Picked): Place {
  return { id: String(id), charId: String(charId), born: String(born) }
}

/** How a list of posts is read. */
export interface Source {
  /** So many places, newest first, from before this one on. */
  read(before: string | undefined, limit: number): Promise<Place[]>
  /** Those of them that are to be seen, in the same order. */
  shown(places: Place[]): Promise<Place[]>
}

/**
 * Places that are looked at for one page. What agents have posted that are no more is swept up
 * later, so a page may come upon a lot that nobody sees: it is shorter then, and the next goes on.
 */
const looksAt = 2000
/** Read in one go where what was asked for at first did not suffice. */
const batchSize = 200

/**
 * One page, newest first, and the cursor of the next.
 * @param list which list it is, and of whom
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
