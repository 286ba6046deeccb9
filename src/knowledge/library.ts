import type { Reach } from '#src/agents/access.ts'
import { refuse } from '#src/core/errors.ts'
import { newId } from '#src/core/ids.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { itemsAtMost } from './item.ts'

/**
 * Everything that an agent knows; stored under the agent's id, and made with its first item. Each addition
 * or removal is counted here in the same commit.
 */
export interface StoredShelf {
  id: string
  /** Names the things on it. Another agent may later get the agent's id, but never this name. */
  shelf: string
  owner_id: string
  items: number
  chunks: number
  /** Stored bytes that its items count for the account. */
  bytes: number
  /** Changes when vectors are added. */
  vectored: number
}

/** The shelf of an agent, if it has one. */
export async function shelfOf(
  { knowledge_shelves }: Pick<Store, 'knowledge_shelves'>,
  charId: string,
  ownerId: string,
): Promise<StoredShelf | undefined> {
  const shelf = await knowledge_shelves.get(charId)
  return shelf?.owner_id === ownerId ? shelf : undefined
}

/** The shelf of an agent of the caller, or an empty one that is not stored yet. */
export async function ownShelf(
  { store, caller }: Reach,
  charId: string,
): Promise<{ shelf: StoredShelf; isKept: boolean }> {
  const found = await shelfOf(store, charId, caller.accountId)
  if (found) return { shelf: found, isKept: true }
  return { shelf: emptyShelf(charId, caller.accountId), isKept: false }
}

/** A shelf with nothing on it. */
export function emptyShelf(charId: string, ownerId: string): StoredShelf {
  const counts = { items: 0, chunks: 0, bytes: 0, vectored: 0 }
  return { id: charId, shelf: newId('shf'), owner_id: ownerId, ...counts }
}

/** By how much the counts of a shelf change. */
export interface Growth {
  items?: number
  chunks?: number
  bytes: number
}

/** The write that counts; it fails the commit (`Unmet`) if the shelf was deleted, or has no room. */
export function counted(
  { id, shelf }: Pick<StoredShelf, 'id' | 'shelf'>,
  growth: Growth,
  room: { items?: number; chunks?: number } = {},
): Write {
  const { items = 0, chunks = 0, bytes } = growth
  return {
    in: 'knowledge_shelves',
    update: {
      id,
      shelf,
      ...(room.items !== undefined && { items: { $lte: room.items - items } }),
      ...(room.chunks !== undefined && { chunks: { $lte: room.chunks - chunks } }),
    },
    change: { $inc: { items, chunks, bytes } },
  }
}

/** The writes for a first shelf, which fail if the agent is deleted. */
export function putUp(shelf: StoredShelf): Write[] {
  const { id, owner_id } = shelf
  return [
    { in: 'characters', update: { id, owner_id }, change: { $set: { owner_id } } },
    { in: 'knowledge_shelves', insert: shelf },
  ]
}

/** The refusal for an agent that has as many items as it may. */
export function fullShelf(charId: string): { code: 'quota_exceeded'; message: string } {
  const message = `"${charId}" has been given ${itemsAtMost} items, and takes no more.`
  return { code: 'quota_exceeded', message }
}

/** @throws Refusal `quota_exceeded` always */
export function noRoom(charId: string): never {
  const { code, message } = fullShelf(charId)
  return refuse(code, message, {
    hint: 'Delete items that it no longer needs: <knowledge.delete>.',
  })
}
