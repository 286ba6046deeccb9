import type { Documents } from '#src/ports/documents.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Collection, Row, Sort, Store } from '#src/ports/store.ts'
import { after, readPage, type Order, type RowPage } from '#src/core/page.ts'
import { idsUnder } from '#src/knowledge/item.ts'

/** Where a section goes on: at a holder, such as an agent, and behind one of its documents. */
export interface Place {
  holder: string
  row: string
}

/** Some documents of a section, all of one holder, and where it goes on. */
export interface Portion {
  /** Null for documents of the account itself. */
  of: string | null
  rows: readonly Row[]
  next: Place | null
}

/** One kind of document, in the order of ids. */
export interface Section {
  kind: string
  read(store: Store, accountId: string, place: Place, limit: number): Promise<Portion>
  /** What is shown of a document, where that is not all that its readers see. */
  shown?: (document: Record<string, unknown>) => unknown
}

const inOrder: Order = { list: '', by: 'id', direction: 1 }
const begin: Place = { holder: '', row: '' }

function behindOf<T>(filter: Filter<T>, id: string): Filter<T> {
  return id === '' ? filter : after(filter, inOrder, ['', id])
}

/** The rows behind an id. */
function rowsAfter<T extends { id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  row: string,
  limit: number,
): Promise<RowPage> {
  return readPage(collection, behindOf(filter, row), { limit }, inOrder)
}

/** Documents that name the account themselves. */
export function ownSection<T extends { id: string }>(
  kind: string,
  from: (store: Store) => Collection<T>,
  whose: (accountId: string) => Filter<T>,
  shown?: Section['shown'],
): Section {
  return {
    kind,
    ...(shown && { shown }),
    async read(store, accountId, { row }, limit) {
      const { rows, next } = await rowsAfter(from(store), whose(accountId), row, limit)
      const last = rows.at(-1)
      return { of: null, rows, next: next !== null && last ? { ...begin, row: last.id } : null }
    },
  }
}

/** Those who hold documents that do not name the account: their ids in order. */
type Holders = (store: Store, accountId: string, behind: string) => Promise<string | undefined>

function firstOf<T extends { id: string }>(
  from: (store: Store) => Collection<T>,
  whose: (accountId: string) => Filter<T>,
): Holders {
  return async (store, accountId, behind) => {
    const filter = behindOf(whose(accountId), behind)
    const sort = { id: 1 } as Sort<T>
    const [first] = await from(store).pick(['id'], filter, { sort, limit: 1 })
    return first && String(first[0])
  }
}

const ofOwner = (owner_id: string) => ({ owner_id })

/** Whose documents a section of holders shows. */
export const holders = {
  agents: firstOf((s) => s.characters, ofOwner),
  apps: firstOf((s) => s.apps, ofOwner),
  runs: firstOf((s) => s.runs, ofOwner),
  posts: firstOf((s) => s.posts, ofOwner),
  /** Agents that joined the Commons, by their handles; also those that were deleted since. */
  members: firstOf(
    (s) => s.commons_identities,
    (account_id) => ({ account_id }),
  ),
} as const

/** Documents that name their holder; those of one holder in a portion, which may be none. */
export function heldSection<T extends { id: string }>(
  kind: string,
  nextHolder: Holders,
  from: (store: Store) => Collection<T>,
  whose: (
    holder: string,
    of: { store: Store; accountId: string },
  ) => Filter<T> | Promise<Filter<T> | undefined>,
  shown?: Section['shown'],
): Section {
  return {
    kind,
    ...(shown && { shown }),
    async read(store, accountId, { holder: begun, row }, limit) {
      // A place without a row stands behind its holder.
      const holder = row === '' ? await nextHolder(store, accountId, begun) : begun
      if (holder === undefined) return { of: null, rows: [], next: null }
      const filter = await whose(holder, { store, accountId })
      const behind = { holder, row: '' }
      if (!filter) return { of: holder, rows: [], next: behind }
      const { rows, next } = await rowsAfter(from(store), filter, row, limit)
      const last = rows.at(-1)
      return { of: holder, rows, next: next !== null && last ? { holder, row: last.id } : behind }
    },
  }
}

/** The texts that an agent knows, in the order in which they were read. */
export async function knownTexts(
  holder: string,
  { store }: { store: Store },
): Promise<Filter<Documents['knowledge_chunks']> | undefined> {
  const kept = await store.knowledge_shelves.get(holder)
  return kept && { id: idsUnder(kept.shelf) }
}
