import type { Ports } from '#src/core/context.ts'
import type { Owner } from '#src/core/counts/quota-table.ts'
import { Refusal, refuse } from '#src/core/errors.ts'
import { call } from '#src/core/words/reference.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { untoldMark } from '../notices/untold.ts'
import type { StoredRun } from '../run.ts'

/** Why a run was not kept although its task is paused. */
export const noHold = 'held_runs'

/** Why a run waits for its task to be resumed. */
export const heldReason = 'task_paused'

/** The run waits until its task is resumed: no one works on it, and it keeps no fire of its task from coming. */
export function heldRun(run: StoredRun, task: Pick<StoredTask, 'id'>): StoredRun {
  const waiting = { ...run, reason: heldReason, waits_for: 'resume', due_at: null } as const
  return { ...waiting, open: null, held: task.id, ...untoldMark(waiting) }
}

/**
 * Whether one more run of the account may be held; what others sent gets half of the room.
 * @param sender who set it going, where that is not the account
 */
export async function hasHoldLeft(
  { store, quotas }: Pick<Ports, 'store' | 'quotas'>,
  owner: Owner,
  sender: string | undefined,
): Promise<boolean> {
  const limit = quotas.limitOf('held_runs', owner)
  if (limit === Infinity) return true
  if (sender !== undefined) {
    const ofOthers = {
      owner_id: owner.accountId,
      waits_for: 'resume',
      sender: { $gt: '' },
    } as const
    if ((await store.runs.count(ofOthers)) >= limit / 2) return false
  }
  try {
    await quotas.admit('held_runs', owner)
    return true
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === 'quota_exceeded') return false
    throw cause
  }
}

/** @throws Refusal `quota_exceeded` if a run of these could not be held: then nothing of what was sent is kept */
export function refuseUnheld(
  runs: readonly Pick<StoredRun, 'status' | 'reason' | 'char_id' | 'task_id'>[],
): void {
  const full = runs.find(({ status, reason }) => status === 'skipped' && reason === noHold)
  if (!full) return
  const message = `The task "${full.task_id}" of "${full.char_id}" is paused, and no more can wait for it.`
  refuse('quota_exceeded', message, {
    hint: `The quota is held_runs. Its owner has to resume it (${call('tasks.resume')}); try again then.`,
  })
}
