import type { Store, Write } from '#src/ports/store.ts'
import { timestamp } from './time.ts'

/** The last revision of something that was deleted, by its collection and id; kept for a month. */
export interface Tombstone {
  id: string
  revision: number
  at: string
}

/** How long a tombstone is kept, in days: longer than anybody holds on to an `ETag`. */
export const tombstoneDays = 30

/** What leaves a tombstone of its own. */
type Kind = 'characters' | 'apps' | 'memory'

/**
 * The writes that remember up to which revision things had come when they were deleted. For the tasks of an
 * agent its own stands: it moves with each change of theirs, so that none of them has come further. One row
 * remembers all that an agent ever had, however many tasks come and go.
 */
export function buried(
  kind: Kind,
  gone: readonly { id: string; revision: number }[],
  now: Date,
): Write[] {
  return gone.flatMap(({ id, revision }): Write[] => {
    const insert: Tombstone = { id: `${kind}/${id}`, revision, at: timestamp(now) }
    return [
      { in: 'tombstones', delete: { id: insert.id } },
      { in: 'tombstones', insert },
    ]
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
