import type { Ports } from '../context.ts'
import { portionsOf } from '../counts/portions.ts'
import { secondsAfter } from '../time.ts'
import { idempotencyHours } from './idempotency.ts'

/** Records that are looked at in one go: each may be as large as an answer. */
const atOnce = 50

/**
 * Deletes answers that were kept for a day, and gives back what they counted.
 * @returns whether there may be more of them
 */
export async function sweepAnswers(
  { store, quotas }: Pick<Ports, 'store' | 'quotas'>,
  now: Date,
): Promise<boolean> {
  const expired = { at: { $lt: secondsAfter(now, -idempotencyHours * 3600) } }
  const page = { sort: { at: 1 }, limit: atOnce } as const
  const rows = await store.idempotency.pick(['id', 'counts_for', 'bytes'], expired, page)
  const found = rows.map(([id, countsFor, bytes]) => ({
    id: String(id),
    countsFor,
    bytes: Number(bytes ?? 0),
  }))
  for (const portion of portionsOf(found)) {
    await Promise.all(
      portion.map(async ({ id, countsFor, bytes }) => {
        // Of two processes that delete it one alone gives back what it counted.
        const gone = await store.idempotency.delete({ ...expired, id })
        if (gone > 0 && typeof countsFor === 'string') quotas.addBytes(countsFor, -bytes)
      }),
    )
  }
  return rows.length === atOnce
}
