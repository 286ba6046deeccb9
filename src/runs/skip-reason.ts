import type { Ports } from '#src/core/context.ts'
import { lacksRoom } from '#src/core/admission/space.ts'
import { refuse, Refusal } from '#src/core/errors.ts'
import { ownerOf, type Owner, type Standing } from '#src/core/counts/quota-table.ts'
import { hasHoldLeft, noHold } from './waits/held.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

// The one that counts for the day by being asked comes last.
const counted = ['stored_bytes', 'queued_runs', 'runs_a_day'] as const
const limiting = [...counted, 'held_runs'] as const

/** What a run that others set going is bound by. */
export interface Bounds {
  /** It goes on with what has begun, was paid for or ends at once, however many wait already. */
  beyondQueue?: boolean
  /** Who sets it going, where that is not the account: then it counts among what others may have. */
  sender?: string | undefined
}

/** Why a task that others set going is not run now; undefined when it is. */
export async function reasonToSkip(
  { store, quotas }: Pick<Ports, 'store' | 'quotas'>,
  task: StoredTask,
  bounds: Bounds = {},
): Promise<string | undefined> {
  if (!task.enabled) return 'task_disabled'
  if (task.autonomy === 'manual') return 'autonomy_manual'
  const account = await store.accounts.get(task.owner_id)
  if (account?.suspended_at !== undefined) return 'account_suspended'
  const owner = ownerOf(task.owner_id, account)
  if (!areRunsLimited({ quotas }, owner)) return undefined
  return (await hasRunLeft({ quotas }, owner, bounds)) ? undefined : 'quota'
}

/** Why a run of a paused task is not kept until the task is resumed; undefined when it is. */
export async function reasonNotToHold(
  { store, quotas }: Pick<Ports, 'store' | 'quotas'>,
  task: StoredTask,
  bounds: Bounds,
): Promise<string | undefined> {
  const account = await store.accounts.get(task.owner_id)
  // A task that was paused when its account was closed is never resumed.
  if (account?.closed_at !== undefined) return 'task_disabled'
  if (account?.suspended_at !== undefined) return 'account_suspended'
  const owner = ownerOf(task.owner_id, account)
  if (!areRunsLimited({ quotas }, owner)) return undefined
  const { sender } = bounds
  if (!(await hasHoldLeft({ store, quotas }, owner, sender))) return noHold
  // What the account itself set going does not wait in the queue yet.
  const beyondQueue = bounds.beyondQueue ?? sender === undefined
  return (await hasRunLeft({ quotas }, owner, { sender, beyondQueue })) ? undefined : 'quota'
}

/** Whether the account has a quota that runs count against; without one nothing needs to be counted. */
export function areRunsLimited({ quotas }: Pick<Ports, 'quotas'>, owner: Standing): boolean {
  if (quotas.space.room !== 'ok') return true
  return limiting.some((name) => quotas.limitOf(name, owner) !== Infinity)
}

/**
 * Whether the account may have one more run today, which is counted by asking, and has room for it to
 * wait and for what it brings.
 */
export async function hasRunLeft(
  { quotas }: Pick<Ports, 'quotas'>,
  owner: Owner,
  { beyondQueue = false, sender }: Bounds = {},
): Promise<boolean> {
  if (lacksRoom(quotas.space, owner)) return false
  try {
    if (sender !== undefined) {
      await quotas.admit('stored_bytes', owner)
      return (await quotas.lacksRuns(owner, sender, !beyondQueue)) === undefined
    }
    for (const name of counted) {
      if (name !== 'queued_runs' || !beyondQueue) await quotas.admit(name, owner)
    }
    return true
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === 'quota_exceeded') return false
    throw cause
  }
}

/** Whether the account may store more. */
export async function hasBytesLeft(
  { quotas }: Pick<Ports, 'quotas'>,
  owner: Owner,
): Promise<boolean> {
  try {
    await quotas.admit('stored_bytes', owner)
    return true
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === 'quota_exceeded') return false
    throw cause
  }
}

/** @throws Refusal `quota_exceeded` always, worded for the caller that would start another's run */
export function noRunForOthers(): never {
  return refuse(
    'quota_exceeded',
    "The agent's account can take no further run of others for now.",
    {
      hint: 'Try again later, tomorrow at the latest.',
    },
  )
}
