import { purgeCounted, type Purge } from '../counts/purge.ts'
import { secondsAfter } from '../time.ts'
import { idempotencyHours } from './idempotency.ts'

/** How long tasks of the A2A protocol that only wrap an operation are kept. */
const a2aTaskHours = 24

const paths = ['id', 'counts_for', 'bytes'] as const

/** Deletes expired answers to idempotency keys. */
export const purgeAnswers: Purge = ({ store: { idempotency }, quotas }, now) => {
  const at = { $lt: secondsAfter(now, -idempotencyHours * 3600) }
  return purgeCounted(quotas, {
    find: (limit) => idempotency.pick(paths, { at }, { sort: { at: 1 }, limit }),
    remove: (id) => idempotency.delete({ id, at }),
  })
}

/** Deletes expired tasks of the A2A protocol. */
export const purgeA2aTasks: Purge = ({ store: { a2a_tasks }, quotas }, now) => {
  const updated_at = { $lt: secondsAfter(now, -a2aTaskHours * 3600) }
  return purgeCounted(quotas, {
    find: (limit) => a2a_tasks.pick(paths, { updated_at }, { sort: { updated_at: 1 }, limit }),
    // A task that has grown meanwhile is found again.
    remove: (id, bytes) => a2a_tasks.delete({ id, updated_at, bytes }),
  })
}
