import type { Store, Write } from '#src/ports/store.ts'
import { purgeCounted, type Purge } from './counts/purge.ts'
import { sizeOf } from './counts/quotas.ts'
import { secondsAfter, timestamp } from './time.ts'

/** The last revision of something that was deleted, by its collection and id; kept for a month. */
export interface Tombstone {
  id: string
  revision: number
  at: string
  /** Against whose bytes it counts, and how many; missing in those of before. */
  counts_for?: string
  bytes?: number
}

/** How long a tombstone is kept, in days: longer than anybody holds on to an `ETag`. */
const tombstoneDays = 30

/** What leaves a tombstone of its own. */
type Kind = 'characters' | 'apps' | 'memory'

/** What is deleted, of whose. */
export interface Gone {
  id: string
  revision: number
  owner_id: string
}

/** What is remembered of things that are deleted. */
export interface Burial {
  writes: Write[]
  /** By how much what is kept of their owner grows. */
  bytes: number
}

/**
 * The writes that remember up to which revision things had come when they were deleted. For the tasks of an
 * agent its own stands: it moves with each change of theirs, so that none of them has come further. One row
 * remembers all that an agent ever had, however many tasks come and go.
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
  const writes = gone.flatMap(({ id, revision, owner_id }): Write[] => {
    const row: Tombstone = { id: `${kind}/${id}`, revision, at: timestamp(now) }
    const { counts_for = owner_id, bytes: counted } = before.get(row.id) ?? {}
    const own = sizeOf(row)
    // One that is there counts on as it does, for whoever had the id when it began.
    if (counted === undefined) bytes += own
    return [
      { in: 'tombstones', delete: { id: row.id } },
      { in: 'tombstones', insert: { ...row, counts_for, bytes: counted ?? own } },
    ]
  })
  return { writes, bytes }
}

/** Tombstones that were kept long enough. */
export const purgeTombstones: Purge = ({ store: { tombstones }, quotas }, now) => {
  const at = { $lt: secondsAfter(now, -tombstoneDays * 86_400) }
  return purgeCounted(quotas, {
    find: (limit) =>
      tombstones.pick(['id', 'counts_for', 'bytes'], { at }, { sort: { at: 1 }, limit }),
    remove: (id) => tombstones.delete({ id, at }),
  })
}

/**
 * The revisions at which things with these ids begin: 1, or beyond what they had come to before, so
 * that no `ETag` of the one that was deleted fits the new one.
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
