import type { Filter } from '#src/ports/filter.ts'
import type { Collection, Picked } from '#src/ports/store.ts'
import type { Ports } from '../context.ts'
import { portionsOf } from './portions.ts'
import type { Quotas } from './quotas.ts'

/** Deletes some expired rows of one kind; returns whether there may be more. */
export type Purge = (ports: Ports, now: Date) => Promise<boolean>

/** Rows deleted at once, so few that a purge never holds up a request. */
export const purgedAtOnce = 200
/** Rows read at once where each may be as large as an answer. */
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
  // Read before the lock is taken: a purge that finds nothing costs no write.
  if (rows.length === 0) return false
  // The filter is repeated: a row may have been replaced since it was read.
  await collection.delete({ ...expired, id: { $in: rows.map((row) => row.id) } })
  return rows.length === purgedAtOnce
}

/** The expired rows of a collection whose rows count towards stored bytes. */
export interface Expired {
  /** The oldest rows: the id, whose bytes each counts for (null in older rows), and how many. */
  find(limit: number): Promise<Picked[]>
  /** Deletes the row if it is still expired and still counts so many bytes; returns how many it deleted. */
  remove(id: string, bytes: Picked[number]): Promise<number>
}

/**
 * Deletes some expired rows, and gives back what they counted.
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
    read: bytes ?? null,
    bytes: Number(bytes ?? 0),
  }))
  for (const portion of portionsOf(found)) {
    await Promise.all(
      portion.map(async ({ id, countsFor, read, bytes }) => {
        // If two processes delete it, only one gives back what it counted.
        const gone = await expired.remove(id, read)
        if (gone > 0 && typeof countsFor === 'string') quotas.addBytes(countsFor, -bytes)
      }),
    )
  }
  return rows.length === countedAtOnce
}
