import type { Store, Write } from '#src/ports/store.ts'
import { purgeCounted, type Purge } from './counts/purge.ts'
import { sizeOf } from './counts/quotas.ts'
import { secondsAfter, timestamp } from './time.ts'

/** The last revision of something that was deleted, by its collection and id; kept for a month. */
export interface Tombstone {
  id: string
  revision: number
  at: string
  /** Whose bytes it counts for, and how many; missing in older ones. */
  counts_for?: string
  bytes?: number
}

/** How long a tombstone is kept, in days: longer than a client keeps an `ETag`. */
const tombstoneDays = 30

/** The kinds that leave a tombstone of their own. */
type Kind = 'characters' | 'apps' | 'memory'

/** Something that is deleted, with its owner. */
export interface Gone {
  id: string
  revision: number
  owner_id: string
}

/** The writes for tombstones. */
export interface Burial {
  writes: Write[]
  /** By how much the stored bytes of their owner grow. */
  bytes: number
}

/**
 * The writes that record the last revisions of things that are deleted. An agent's tombstone covers its
 * tasks: each change of a task also raises the agent's revision, so no task has a higher one. So one row
 * is enough for an agent with any number of tasks.
 * The writes fail, as `isOvertaken` tells, where the row was purged or written again meanwhile.
 */
export async function buried(
  { tombstones }: Pick<Store, 'tombstones'>,
  kind: Kind,
  gone: readonly Gone[],
  now: Date,
): Promise<Burial> {
  if (gone.length === 0) return { writes: [], bytes: 0 }
  const among = { id: { $in: gone.map(({ id }) => `${kind}/${id}`) } }
  const before = new Map((await tombstones.find(among)).map((one) => [one.id, one]))
  let bytes = 0
  const writes = gone.map(({ id, revision, owner_id }): Write => {
    const row: Tombstone = { id: `${kind}/${id}`, revision, at: timestamp(now) }
    const former = before.get(row.id)
    const { counts_for = owner_id, bytes: counted } = former ?? {}
    const own = sizeOf(row)
    // An existing row goes on counting as before, for the owner it was first counted for.
    if (counted === undefined) bytes += own
    const next: Tombstone = { ...row, counts_for, bytes: counted ?? own }
    return former
      ? { in: 'tombstones', update: { id: row.id, at: former.at }, replace: next }
      : { in: 'tombstones', insert: next }
  })
  return { writes, bytes }
}

/** Deletes tombstones that have expired. */
export const purgeTombstones: Purge = ({ store: { tombstones }, quotas }, now) => {
  const at = { $lt: secondsAfter(now, -tombstoneDays * 86_400) }
  return purgeCounted(quotas, {
    find: (limit) =>
      tombstones.pick(['id', 'counts_for', 'bytes'], { at }, { sort: { at: 1 }, limit }),
    remove: (id) => tombstones.delete({ id, at }),
  })
}

/**
 * The first revisions of things with these ids: 1, or one above the tombstone's, so that no `ETag` of the
 * deleted thing matches the new one.
 */
export async function firstRevisions(
  { tombstones }: Pick<Store, 'tombstones'>,
  kind: Kind | 'tasks',
  ids: readonly string[],
): Promise<(id: string) => number> {
  if (ids.length === 0) return () => 1
  const graveOf = (id: string): string =>
    kind === 'tasks' ? `characters/${id.slice(0, id.indexOf('/'))}` : `${kind}/${id}`
  const keys = [...new Set(ids.map(graveOf))]
  const found = await tombstones.find({ id: keys.length === 1 ? (keys[0] ?? '') : { $in: keys } })
  const revisions = new Map(found.map(({ id, revision }) => [id, revision]))
  return (id) => (revisions.get(graveOf(id)) ?? 0) + 1
}
