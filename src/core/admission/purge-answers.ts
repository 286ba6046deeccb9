import type { Picked } from '#src/ports/store.ts'
import type { Ports } from '../context.ts'
import { portionsOf } from '../counts/portions.ts'
import { secondsAfter } from '../time.ts'
import { idempotencyHours } from './idempotency.ts'

/** Records that are looked at in one go: each may be as large as an answer. */
const atOnce = 50
/** How long tasks of the A2A protocol that only wrap an operation are kept. */
const a2aTaskHours = 24

type Needed = Pick<Ports, 'store' | 'quotas'>

/**
 * Deletes what was kept for a day of what calls were answered, and gives back what it counted.
 * @returns whether there may be more of it
 */
export async function sweepAnswers({ store, quotas }: Needed, now: Date): Promise<boolean> {
  const { idempotency, a2a_tasks } = store
  const at = { $lt: secondsAfter(now, -idempotencyHours * 3600) }
  const updated_at = { $lt: secondsAfter(now, -a2aTaskHours * 3600) }
  const answers = await idempotency.pick(
    ['id', 'counts_for', 'bytes'],
    { at },
    { sort: { at: 1 }, limit: atOnce },
  )
  await forget(quotas, answers, (id) => idempotency.delete({ id, at }))
  const tasks = await a2a_tasks.pick(
    ['id', 'counts_for', 'bytes'],
    { updated_at },
    { sort: { updated_at: 1 }, limit: atOnce },
  )
  await forget(quotas, tasks, (id) => a2a_tasks.delete({ id, updated_at }))
  return answers.length === atOnce || tasks.length === atOnce
}

async function forget(
  quotas: Needed['quotas'],
  rows: readonly Picked[],
  remove: (id: string) => Promise<number>,
): Promise<void> {
  const found = rows.map(([id, countsFor, bytes]) => ({
    id: String(id),
    countsFor,
    bytes: Number(bytes ?? 0),
  }))
  for (const portion of portionsOf(found)) {
    await Promise.all(
      portion.map(async ({ id, countsFor, bytes }) => {
        // Of two processes that delete it one alone gives back what it counted.
        const gone = await remove(id)
        if (gone > 0 && typeof countsFor === 'string') quotas.addBytes(countsFor, -bytes)
      }),
    )
  }
}
