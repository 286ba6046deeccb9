import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import type { Filter } from '#src/ports/store.ts'
import type { StoredRun } from './run.ts'

type Needed = Pick<Ports, 'store' | 'quotas'>

/** The runs of an account that are in the hands of a worker or an agent. */
export function underWork(ownerId: string): Filter<StoredRun> {
  return { owner_id: ownerId, status: 'running', waits_for: { $ne: 'steps' } }
}

/**
 * Whether a run that was just claimed is among the first of its account that may run at once. The
 * rank by start decides, so that of several claimed together the earliest go on, in any process.
 */
export async function hasRoom({ store, quotas }: Needed, run: StoredRun): Promise<boolean> {
  const smallest = quotas.limitOf('concurrent_runs', { claimed: false })
  if (smallest === Infinity) return true
  const account = await store.accounts.get(run.owner_id)
  const limit = quotas.limitOf('concurrent_runs', { claimed: account?.holder_id != null })
  if (limit === Infinity) return true
  const running = await store.runs.text(underWork(run.owner_id), { sort: { started_at: 1 }, limit })
  return running.some((row) => row.id === run.id)
}

/**
 * After a run of the account has ended: the oldest that found no place is due at once.
 * @returns whether there was one
 */
export async function releaseParked({ store, quotas }: Needed, ownerId: string): Promise<boolean> {
  if (quotas.limitOf('concurrent_runs', { claimed: false }) === Infinity) return false
  const parked = { owner_id: ownerId, waits_for: 'room' } as const
  const [next] = await store.runs.text(parked, { sort: { id: 1 }, limit: 1 })
  if (!next) return false
  const due = { due_at: timestamp(await store.now()), reason: null, waits_for: 'worker' } as const
  return (await store.runs.update({ ...parked, id: next.id }, { $set: due })) !== undefined
}
