import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Files } from '#src/ports/files.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Collection, Store, Write } from '#src/ports/store.ts'
import { editionMark, idsUnder, type StoredItem } from './item.ts'
import type { StoredShelf } from './library.ts'

/**
 * An edition, or a whole shelf, that is no longer found, or not yet: it is deleted once it is due. Every
 * edition belongs at any time to an item or is among these.
 */
export interface Remains {
  /** The id of the edition or of the shelf. */
  id: string
  due_at: string
  /** It is being deleted, so that no reader can continue it. */
  is_swept: boolean
}

/** How long an unfinished edition is left alone after its last write. */
const draftSeconds = 600
/** Remains that one purge handles, and documents deleted at once. */
const dueAtOnce = 16
const atOnce = 100

/** The write that leaves an edition or a shelf to the purge. */
export function remainsWrite(id: string, now: Date): Write {
  const insert = { id, due_at: timestamp(now), is_swept: false }
  return { in: 'knowledge_remains', insert }
}

/** The write that leaves an edition to the purge unless it is finished or continued soon. */
export function draftWrite(edition: string, now: Date): Write {
  const due_at = secondsAfter(now, draftSeconds)
  return { in: 'knowledge_remains', insert: { id: edition, due_at, is_swept: false } }
}

/** The write that continues an edition; it fails the commit (`Unmet`) if the edition was purged. */
export function continueWrite(edition: string, now: Date): Write {
  const change = { $set: { due_at: secondsAfter(now, draftSeconds) } }
  return { in: 'knowledge_remains', update: { id: edition, is_swept: false }, change }
}

/** The writes after which the edition is no longer up for purging. */
export function finishWrites(edition: string, now: Date): Write[] {
  return [continueWrite(edition, now), { in: 'knowledge_remains', delete: { id: edition } }]
}

/** The writes that delete a shelf with its agent; conditional on what was counted. */
export function shelfRemovalWrites(shelf: StoredShelf, now: Date): Write[] {
  const { id, shelf: name, bytes } = shelf
  return [
    { in: 'knowledge_shelves', update: { id, shelf: name, bytes }, change: { $set: { bytes } } },
    { in: 'knowledge_shelves', delete: { id } },
    remainsWrite(name, now),
  ]
}

/** The newest editions of a shelf that are no longer found, or not yet. */
export async function goneFrom(
  { knowledge_remains }: Pick<Store, 'knowledge_remains'>,
  shelf: string,
): Promise<string[]> {
  const newest = { sort: { id: -1 }, limit: atOnce } as const
  const remains = await knowledge_remains.find({ id: idsUnder(shelf) }, newest)
  return remains.map(({ id }) => editionMark(id))
}

type Needed = { store: Store; files: Pick<Files, 'delete'> }

/** Deletes what is due, in pieces; returns how many editions and shelves were deleted. */
export async function purgeRemains(ports: Needed): Promise<number> {
  const { store } = ports
  const due = await store.knowledge_remains.find(
    { due_at: { $lte: timestamp(await store.now()) } },
    { sort: { due_at: 1 }, limit: dueAtOnce },
  )
  for (const { id, due_at } of due) {
    const taken = await store.knowledge_remains.update({ id, due_at }, { $set: { is_swept: true } })
    if (!taken) continue
    await emptied(store.knowledge_vectors, { id: idsUnder(id) })
    await emptied(store.knowledge_chunks, { id: idsUnder(id) })
    // The id of an edition begins with the shelf's name.
    if (!id.includes('/')) await purgeItems(ports, id)
    await store.knowledge_remains.delete({ id, due_at })
  }
  return due.length
}

/** Each piece is a commit of its own, so that other commits come in between. */
async function emptied<T extends { id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
): Promise<void> {
  for (;;) {
    const rows = await collection.text(filter, { limit: atOnce })
    if (rows.length === 0) return
    await collection.delete({ ...filter, id: { $in: rows.map((row) => row.id) } })
  }
}

async function purgeItems({ store, files }: Needed, shelf: string): Promise<void> {
  for (;;) {
    const items: StoredItem[] = await store.knowledge_items.find({ shelf }, { limit: atOnce })
    if (items.length === 0) return
    await files.delete(items.filter((item) => item.upload).map((item) => item.id))
    await store.knowledge_items.delete({ shelf, id: { $in: items.map((item) => item.id) } })
  }
}
