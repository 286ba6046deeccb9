import type { Picked } from '#src/ports/store.ts'
import { portionsOf } from './portions.ts'
import type { Quotas } from './quotas.ts'

/** What has expired of one collection. */
export interface Expired {
  /** Of the oldest rows the id, against whose bytes each counts, and how many; rows of before say null. */
  find(limit: number): Promise<Picked[]>
  /** Deletes the row if it has expired still; gives how many that were. */
  remove(id: string): Promise<number>
}

/** Rows that are looked at in one go: each may be as large as an answer. */
const atOnce = 50

/**
 * Deletes rows that have expired, some at a time, and gives back what they counted.
 * @returns whether there may be more of them
 */
export async function sweepCounted(
  quotas: Pick<Quotas, 'addBytes'>,
  expired: Expired,
): Promise<boolean> {
  const rows = await expired.find(atOnce)
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
  return rows.length === atOnce
}
