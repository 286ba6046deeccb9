import { newId } from '#src/core/ids.ts'
import type { Ports } from '#src/core/context.ts'
import { isOvertaken } from '#src/core/revision.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { Unmet, type Store, type Write } from '#src/ports/store.ts'

/**
 * The memory of an agent as a whole; stored under the agent's id, created with its first entry, and
 * deleted with the agent. Every put or deletion of an entry is counted here in the same commit, so it
 * fails if the agent is gone.
 */
export interface MemoryShelf {
  id: string
  /** Distinguishes it from the shelf of a later agent with the same id. */
  shelf: string
  owner_id: string
  /** What the entries count towards the stored bytes of the account. */
  bytes: number
}

/** The owner of a memory. */
interface Owner {
  charId: string
  /** The account of the agent. */
  ownerId: string
}

export type ShelfStore = Pick<Store, 'memory' | 'memory_shelves' | 'characters' | 'commit'>

/**
 * The shelf of an agent, created if there is none yet.
 * @returns undefined if the agent is gone
 */
export async function shelfOf(store: ShelfStore, owner: Owner): Promise<MemoryShelf | undefined> {
  const { charId: id, ownerId: owner_id } = owner
  const found = await store.memory_shelves.get(id)
  if (found?.owner_id === owner_id) return found
  const [agent] = await store.characters.pick(['created_at'], { id, owner_id }, { limit: 1 })
  if (!agent) return undefined
  const update = { id, owner_id, created_at: String(agent[0]) }
  // Entries that are older than shelves are counted once.
  const made = { ...emptyShelf(owner), bytes: await memoryBytes(store, owner) }
  try {
    await store.commit([
      { in: 'characters', update, change: { $set: { owner_id } } },
      found
        ? { in: 'memory_shelves', update: { id, shelf: found.shelf }, replace: made }
        : { in: 'memory_shelves', insert: made },
    ])
    return made
  } catch (cause) {
    if (!isOvertaken(cause)) throw cause
    const other = await store.memory_shelves.get(id)
    return other?.owner_id === owner_id ? other : undefined
  }
}

/**
 * The write that counts the growth of entries in the same commit; negative when they shrink. It fails
 * the commit (`Unmet`) if the agent is gone, so that no memory is left for a later agent with its id.
 */
export function shelved({ id, shelf }: MemoryShelf, bytes: number): Write {
  return { in: 'memory_shelves', update: { id, shelf }, change: { $inc: { bytes } } }
}

/** Memory that is deleted with its agent in one commit. */
const inOneCommit = { entries: 500, bytes: 2 ** 22 } as const
/** If there is more, it is deleted before: so many entries at once, or so much of them. */
const portion = { sort: { id: 1 }, limit: 200, charactersAtMost: 2 ** 20 } as const

/**
 * Deletes the memory of an agent that is about to go, in portions that hold up no one, if there is too
 * much of it for the commit in which the agent goes.
 * @throws Unmet if the agent has gone meanwhile
 */
export async function forgetMuch(
  { store, clock, quotas }: Pick<Ports, 'store' | 'clock' | 'quotas'>,
  owner: Owner,
): Promise<void> {
  const shelf = await store.memory_shelves.get(owner.charId)
  const among = { char_id: owner.charId, owner_id: owner.ownerId }
  const isSmall = (shelf?.bytes ?? 0) <= inOneCommit.bytes
  if (isSmall && (await store.memory.count(among)) <= inOneCommit.entries) return
  for (;;) {
    const rows = await store.memory.text(among, portion)
    if (rows.length === 0) return
    const present = await shelfOf(store, owner)
    if (!present) throw new Unmet('memory_shelves', 0)
    const bytes = rows.reduce((sum, { text }) => sum + text.length, 0)
    await store.commit([
      shelved(present, -bytes),
      { in: 'memory', delete: { id: { $in: rows.map(({ id }) => id) } } },
    ])
    quotas.addBytes(owner.ownerId, -bytes)
    await turnOf(clock)
  }
}

/**
 * What is deleted with agents, and the bytes that it counted. The writes fail as `isOvertaken` tells if
 * an entry was put or deleted meanwhile.
 */
export async function memoryRemoved(
  store: Pick<Store, 'memory' | 'memory_shelves'>,
  agents: readonly { id: string; owner_id: string }[],
): Promise<{ writes: Write[]; bytes: number }> {
  const ids = agents.map(({ id }) => id)
  const shelves = await store.memory_shelves.find({ id: { $in: ids } })
  const byId = new Map(shelves.map((shelf) => [shelf.id, shelf]))
  let counted = 0
  const writes: Write[] = []
  for (const { id, owner_id } of agents) {
    const owner = { charId: id, ownerId: owner_id }
    const shelf = byId.get(id)
    // Entries that are older than shelves are counted here.
    counted += shelf?.owner_id === owner_id ? shelf.bytes : await memoryBytes(store, owner)
    writes.push(bound(shelf, owner))
  }
  writes.push(
    { in: 'memory_shelves', delete: { id: { $in: ids } } },
    { in: 'memory', delete: { char_id: { $in: ids } } },
  )
  return { writes, bytes: counted }
}

/** If there is no shelf yet, one that is created meanwhile is matched as well. */
function bound(shelf: MemoryShelf | undefined, owner: Owner): Write {
  if (!shelf) return { in: 'memory_shelves', insert: emptyShelf(owner) }
  const { id, shelf: name, bytes } = shelf
  return { in: 'memory_shelves', update: { id, shelf: name, bytes }, change: { $set: { bytes } } }
}

function emptyShelf({ charId, ownerId }: Owner): MemoryShelf {
  return { id: charId, shelf: newId('shf'), owner_id: ownerId, bytes: 0 }
}

const pageRows = 500

/** What the entries of an agent count, in bytes. */
export async function memoryBytes(
  { memory }: Pick<Store, 'memory'>,
  { charId, ownerId }: Owner,
): Promise<number> {
  // Keys begin with the agent's id and a slash, which no id holds, so they are contiguous.
  const beyond = `${charId}0`
  let bytes = 0
  for (let after = `${charId}/`; ;) {
    const among = { id: { $gt: after, $lt: beyond }, owner_id: ownerId }
    const rows = await memory.text(among, { sort: { id: 1 }, limit: pageRows })
    for (const { text } of rows) bytes += text.length
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return bytes
    after = last.id
  }
}
