import { sizeOf } from '#src/core/counts/quotas.ts'
import type { Effect } from '#src/core/effects.ts'
import { timestamp } from '#src/core/time.ts'
import { firstRevisions } from '#src/core/tombstones.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { memoryKey, publicEntry, type StoredMemoryEntry } from './entry.ts'

/** Where something is remembered: the agent, and its place there. */
export interface MemoryPlace {
  charId: string
  /** The account of the agent. */
  ownerId: string
  namespace: string
  key: string
}

/** An entry that is about to be put. */
export interface MemoryPut {
  /** As it will be. */
  entry: StoredMemoryEntry
  /** What it takes the place of. */
  previous: StoredMemoryEntry | undefined
  /**
   * Puts it only where nobody has changed it since: fails the commit as `isOvertaken` tells.
   */
  bound: Write
  /**
   * Puts it whoever has changed it since; fails the commit as `isOvertaken` tells only where it came
   * into being, or went, in between. For writers that have nobody to ask.
   */
  anyhow: Write
  /** By how much the stored bytes of the account grow, or shrink. */
  bytes: number
}

type Needed = Pick<Store, 'memory' | 'tombstones'>

/** Puts a value into an agent's memory: the write for the commit of its cause. */
export async function memoryPut(
  store: Needed,
  { charId, ownerId, namespace, key }: MemoryPlace,
  value: unknown,
  now: Date,
): Promise<MemoryPut> {
  const id = memoryKey(charId, namespace, key)
  const found = await store.memory.get(id)
  // An id of a deleted agent may have been taken anew: what another account left there is not shown.
  const previous = found?.owner_id === ownerId ? found : undefined
  const revision = found ? found.revision + 1 : (await firstRevisions(store, 'memory', [id]))(id)
  const updated_at = timestamp(now)
  const entry: StoredMemoryEntry = {
    namespace,
    key,
    revision,
    value,
    updated_at,
    id,
    char_id: charId,
    owner_id: ownerId,
  }
  const bound: Write = found
    ? { in: 'memory', update: { id, revision: found.revision }, replace: entry }
    : { in: 'memory', insert: entry }
  const change = { $set: { value, updated_at }, $inc: { revision: 1 } }
  const anyhow: Write = previous
    ? { in: 'memory', update: { id, owner_id: ownerId }, change }
    : { ...bound }
  const bytes = sizeOf(publicEntry(entry)) - (previous ? sizeOf(publicEntry(previous)) : 0)
  growth.set(anyhow, { id, ownerId, bytes })
  return { entry, previous, bound, anyhow, bytes }
}

/** What those puts amount to that go into commits of others. */
const growth = new WeakMap<Write, { id: string; ownerId: string; bytes: number }>()

/**
 * The writes of a commit with each entry of memory put once, by the last that puts it: in two
 * minds a commit would never come about.
 */
export function eachPutOnce(writes: Write[]): Write[] {
  const last = new Map<string, Write>()
  let puts = 0
  for (const write of writes) {
    const put = growth.get(write)
    if (!put) continue
    puts += 1
    last.set(put.id, write)
  }
  if (puts === last.size) return writes
  return writes.filter((write) => {
    const put = growth.get(write)
    return !put || last.get(put.id) === write
  })
}

/** Counts what a commit has put into memory. */
export const countPuts: Effect = ({ quotas }, writes) => {
  for (const write of writes) {
    const put = growth.get(write)
    if (put) quotas.addBytes(put.ownerId, put.bytes)
  }
}

const pageRows = 500

/** What the memory of an agent counts, in bytes. */
export async function memoryBytes(
  { memory }: Pick<Store, 'memory'>,
  charId: string,
): Promise<number> {
  // Keys begin with the agent's id and a slash, which no id holds: all of them lie together.
  const beyond = `${charId}0`
  let bytes = 0
  for (let after = `${charId}/`; ;) {
    const among = { id: { $gt: after, $lt: beyond } }
    const rows = await memory.text(among, { sort: { id: 1 }, limit: pageRows })
    for (const { text } of rows) bytes += text.length
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return bytes
    after = last.id
  }
}
