import type { Ports } from '../context.ts'
import { sweepCounted } from '../counts/sweep.ts'
import { secondsAfter } from '../time.ts'
import { idempotencyHours } from './idempotency.ts'

/** How long tasks of the A2A protocol that only wrap an operation are kept. */
const a2aTaskHours = 24

const paths = ['id', 'counts_for', 'bytes'] as const

/**
 * Deletes what was kept for a day of what calls were answered, and gives back what it counted.
 * @returns whether there may be more of it
 */
export async function sweepAnswers(
  { store, quotas }: Pick<Ports, 'store' | 'quotas'>,
  now: Date,
): Promise<boolean> {
  const { idempotency, a2a_tasks } = store
  const at = { $lt: secondsAfter(now, -idempotencyHours * 3600) }
  const updated_at = { $lt: secondsAfter(now, -a2aTaskHours * 3600) }
  const more = [
    await sweepCounted(quotas, {
      find: (limit) => idempotency.pick(paths, { at }, { sort: { at: 1 }, limit }),
      remove: (id) => idempotency.delete({ id, at }),
    }),
    await sweepCounted(quotas, {
      find: (limit) => a2a_tasks.pick(paths, { updated_at }, { sort: { updated_at: 1 }, limit }),
      remove: (id) => a2a_tasks.delete({ id, updated_at }),
    }),
  ]
  return more.some(Boolean)
}
