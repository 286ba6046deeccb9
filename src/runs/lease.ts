import type { Reach } from '#src/agents/access.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { refuse } from '#src/core/errors.ts'
import { digest } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import { taskOf } from '#src/agents/tasks/of-run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { ownRun, runEnded } from './access.ts'
import type { RunClaim, StoredRun } from './run.ts'
import { hasEnded } from './run.ts'

/** A run with the claim of a lease token. */
export type LeasedRun = StoredRun & { claim: RunClaim }

/**
 * The run that a lease token holds.
 * @throws Refusal `run_not_found`, `forbidden`, `run_ended`, `lease_lost`
 */
export async function heldRun(reach: Reach, runId: string, leaseToken: string): Promise<LeasedRun> {
  const run = await ownRun(reach, runId)
  if (hasEnded(run)) return runEnded(run)
  const now = timestamp(await reach.store.leaseTime())
  const { claim } = run
  if (!claim || claim.token !== digest(leaseToken) || claim.until <= now) return leaseLost()
  return { ...run, claim }
}

/** @throws Refusal `lease_lost` always */
export function leaseLost(): never {
  return refuse('lease_lost', 'The lease has run out or belongs to another worker.', {
    hint: 'Nothing was changed. Lease again with <runs.lease>; send heartbeats while you work.',
  })
}

/** The agent and task that the work of a run needs; undefined ones were deleted meanwhile. */
export async function subjectsOf(
  { store }: Pick<Reach, 'store'>,
  run: StoredRun,
): Promise<{ character: StoredCharacter | undefined; task: StoredTask | undefined }> {
  const [character, task] = await Promise.all([
    store.characters.get(run.char_id),
    taskOf(store, run),
  ])
  const isOwn = character?.owner_id === run.owner_id
  return { character: isOwn ? character : undefined, task }
}
