import { growing } from '#src/core/counts/growth.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { timestamp } from '#src/core/time.ts'
import { marked, type Source } from '#src/core/text/untrusted.ts'
import { firstRevisions } from '#src/core/tombstones.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { memoryKey, publicEntry, type StoredMemoryEntry } from './entry.ts'
import { wordsOf } from './words.ts'
import { shelfOf, shelved, type ShelfStore } from './shelf.ts'

/** The place of an entry: its agent, namespace and key. */
export interface MemoryPlace {
  charId: string
  /** The account of the agent. */
  ownerId: string
  namespace: string
  key: string
  /** Where the value comes from, if that is outside of the account. */
  source?: Source | undefined
}

/** An entry that is about to be put. */
export interface MemoryPut {
  /** The new entry. */
  entry: StoredMemoryEntry
  /** The entry that it replaces. */
  previous: StoredMemoryEntry | undefined
  /**
   * They put the entry if it is unchanged and the agent still exists; otherwise the commit fails as
   * `isOvertaken` tells. Their bytes are counted with the commit.
   */
  writes: Write[]
}

type Needed = ShelfStore & Pick<Store, 'tombstones'>

/**
 * Puts a value into an agent's memory: the writes for the commit of its cause.
 * @returns undefined if the agent is gone
 */
export async function memoryPut(
  store: Needed,
  place: MemoryPlace,
  value: unknown,
  now: Date,
): Promise<MemoryPut | undefined> {
  const { charId, ownerId, namespace, key, source } = place
  const id = memoryKey(charId, namespace, key)
  const [[found], shelf] = await Promise.all([
    store.memory.find({ id, char_id: charId }, { limit: 1 }),
    shelfOf(store, place),
  ])
  if (!shelf) return undefined
  // The id of a deleted agent may have been reused: an entry that another account left is not shown.
  const previous = found?.owner_id === ownerId ? found : undefined
  const revision = found ? found.revision + 1 : (await firstRevisions(store, 'memory', [id]))(id)
  const updated_at = timestamp(now)
  const entry: StoredMemoryEntry = {
    namespace,
    key,
    revision,
    value,
    updated_at,
    ...marked(source),
    id,
    char_id: charId,
    owner_id: ownerId,
    words: wordsOf(value),
  }
  const before = found ? sizeOf(publicEntry(found)) : 0
  const after = sizeOf(publicEntry(entry))
  const put: Write = found
    ? { in: 'memory', update: { id, char_id: charId, revision: found.revision }, replace: entry }
    : { in: 'memory', insert: entry }
  if (found) growing(put, found.owner_id, -before)
  growing(put, ownerId, after)
  const counts = shelved(shelf, previous ? after - before : after)
  along.set(put, counts)
  return { entry, previous, writes: [counts, put] }
}

/** By each put, the write that counts it on its agent's shelf. */
const along = new WeakMap<Write, Write>()

/**
 * The writes of a commit with only the last put of each memory entry: a commit that puts an entry
 * twice would always fail.
 */
export function eachPutOnce(writes: Write[]): Write[] {
  const last = new Map<string, Write>()
  const left = new Set<Write | undefined>()
  for (const write of writes) {
    const id = putBy(write)
    if (id === undefined) continue
    const former = last.get(id)
    if (former) left.add(former).add(along.get(former))
    last.set(id, write)
  }
  return left.size === 0 ? writes : writes.filter((write) => !left.has(write))
}

/** The id of the entry that a write puts, if any. */
function putBy(write: Write): string | undefined {
  if (write.in !== 'memory') return undefined
  if ('insert' in write) return write.insert.id
  return 'replace' in write ? write.replace.id : undefined
}
