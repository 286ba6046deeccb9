import type { Filter } from '#src/ports/filter.ts'
import type { Collection, Picked } from '#src/ports/store.ts'
import type { Ports } from '../context.ts'
import { portionsOf } from './portions.ts'
import type { Quotas } from './quotas.ts'

/** Deletes what has expired of one kind, some at a time; gives whether there may be more of it. */
export type Purge = (ports: Ports, now: Date) => Promise<boolean>

/** Rows deleted in one go, so that a purge never holds up a request. */
export const purgedAtOnce = 200
/** Rows that are looked at in one go where each may be as large as an answer. */
const countedAtOnce = 50

/**
 * Deletes rows that have expired and count for no one.
 * @returns whether there may be more of them
 */
export async function purgeRows<T extends { id: string }>(
  collection: Collection<T>,
  expired: Filter<T>,
): Promise<boolean> {
  const rows = await collection.text(expired, { limit: purgedAtOnce })
  // Looked at before the lock is taken: a purge that finds nothing costs no write.
  if (rows.length === 0) return false
  // Expired still: it may have been replaced since it was looked at.
  await collection.delete({ ...expired, id: { $in: rows.map((row) => row.id) } })
  return rows.length === purgedAtOnce
}

/** What has expired of a collection whose rows count. */
export interface Expired {
  /** Of the oldest rows the id, against whose bytes each counts, and how many; rows of before say null. */
  find(limit: number): Promise<Picked[]>
  /** Deletes the row if it has expired still; gives how many that were. */
  remove(id: string): Promise<number>
}

/**
 * Deletes rows that have expired, some at a time, and gives back what they counted.
 * @returns whether there may be more of them
 */
export async function purgeCounted(
  quotas: Pick<Quotas, 'addBytes'>,
  expired: Expired,
): Promise<boolean> {
  const rows = await expired.find(countedAtOnce)
  const found = rows.map(([id, countsFor, bytes]) => ({
    id: String(id),
    countsFor,
    bytes: Number(bytes ?? 0),
  }))
  for (const portion of portionsOf(found)) {
    await Promise.all(
      portion.map(async ({ id, countsFor, bytes }) => {
        // Of two processes that delete it one alone gives back what it counted.
        const gone = await expired.remove(id)
        if (gone > 0 && typeof countsFor === 'string') quotas.addBytes(countsFor, -bytes)
      }),
    )
  }
  return rows.length === countedAtOnce
}
