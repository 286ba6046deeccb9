import type { Reach } from '#src/agents/access.ts'
import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { idHint, idsAtMost } from '#src/core/words/id-hint.ts'
import { call } from '#src/core/words/reference.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { StoredItem } from './item.ts'
import { remainsWrite, shelfRemovalWrites } from './purge.ts'
import { counted, emptyShelf, shelfOf, type StoredShelf } from './library.ts'

/** An item of an agent of the caller. @throws Refusal `knowledge_not_found`, with the nearest of its newest items */
export async function itemOn(
  { store, caller }: Reach,
  charId: string,
  itemId: string,
): Promise<{ item: StoredItem; shelf: StoredShelf }> {
  const [item, shelf] = await Promise.all([
    store.knowledge_items.get(itemId),
    shelfOf(store, charId, caller.accountId),
  ])
  if (item && shelf && item.shelf === shelf.shelf) return { item, shelf }
  const options = { sort: { id: -1 }, limit: idsAtMost } as const
  const rows = shelf
    ? await store.knowledge_items.pick(['id'], { shelf: shelf.shelf }, options)
    : []
  const hint = idHint(itemId, {
    ids: rows.flat(),
    read: (item_id) => call('knowledge.get', { char_id: charId, item_id }),
    list: call('knowledge.list', { char_id: charId }),
  })
  return refuse('knowledge_not_found', `"${charId}" has no item "${itemId}".`, { hint })
}

/** The deletion of an item: the writes of one commit, and what is done after it. */
export interface ItemRemoval {
  writes: Write[]
  /** Stored bytes that it counted. */
  bytes: number
  /** Deletes uploads that were still to be read. Files that this misses are swept. */
  finish(): Promise<void>
}

/** Deletes an item, and with a sitemap the pages that it listed; their chunks are deleted later. */
export async function itemRemoval(
  { store, clock, files }: Pick<Ports, 'store' | 'clock' | 'files'>,
  item: StoredItem,
  shelf: StoredShelf,
): Promise<ItemRemoval> {
  const listed: StoredItem[] = await store.knowledge_items.find({ source_id: item.id })
  const gone = [item, ...listed]
  const sum = (of: (one: StoredItem) => number): number =>
    gone.reduce((total, one) => total + of(one), 0)
  const bytes = sum((one) => one.weight)
  const growth = { items: -gone.length, chunks: -sum((one) => one.chunks), bytes: -bytes }
  const now = clock.now()
  const writes = [
    // Conditional on what was read: a reader that ends meanwhile causes a new decision.
    ...gone.map(({ id, turn }): Write => ({
      in: 'knowledge_items',
      update: { id, turn },
      change: { $set: { turn } },
    })),
    { in: 'knowledge_items', delete: { id: { $in: gone.map(({ id }) => id) } } } as const,
    counted(shelf, growth),
    ...gone.flatMap(({ edition }) => (edition === null ? [] : [remainsWrite(edition, now)])),
  ]
  return {
    writes,
    bytes,
    async finish() {
      const uploads = gone.filter(({ upload }) => upload).map(({ id }) => id)
      if (uploads.length > 0) await files.delete(uploads).catch(() => undefined)
    },
  }
}

/** The deletion of agents' shelves: their knowledge is no longer found, and its bytes no longer count. */
export async function shelvesRemoved(
  { knowledge_shelves }: Pick<Store, 'knowledge_shelves'>,
  agents: readonly { id: string; owner_id: string }[],
  now: Date,
): Promise<{ writes: Write[]; bytes: number }> {
  const kept = await knowledge_shelves.find({ id: { $in: agents.map(({ id }) => id) } })
  const byId = new Map(kept.map((shelf) => [shelf.id, shelf]))
  const writes = agents.flatMap(({ id, owner_id }): Write[] => {
    const shelf = byId.get(id)
    if (shelf) return shelfRemovalWrites(shelf, now)
    // Fails if a first shelf was made meanwhile, so that all is decided again.
    const none = emptyShelf(id, owner_id)
    return [
      { in: 'knowledge_shelves', insert: none },
      { in: 'knowledge_shelves', delete: { id } },
    ]
  })
  return { writes, bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0) }
}
