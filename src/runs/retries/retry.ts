import type { KeyCaller } from '#src/core/admission/caller.ts'
import type { Context } from '#src/core/context.ts'
import type { Owner } from '#src/core/counts/quota-table.ts'
import { callerNamed, keyActor, operator } from '#src/core/credentials/actor.ts'
import { refuse } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import { call } from '#src/core/words/reference.ts'
import type { Write } from '#src/ports/store.ts'
import { taskOf } from '#src/agents/tasks/of-run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { approvalBehind } from '../approvals/gate.ts'
import { isResumed } from '../approvals/verdict.ts'
import { newRun } from '../new-run.ts'
import { hasEnded, type StoredRun } from '../run.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import { lacksModel } from '../runtimes/prompt/choose-model.ts'

/** What the new run is given in place of what the old one had. */
export interface Changed {
  input?: unknown
  variables?: Record<string, string> | undefined
}

/** The operator, for an account whose quotas hold for them too. */
export interface OperatorFor extends Owner {
  kind: 'operator'
}

/** Who retries, and what is needed for it. */
export interface Retrying extends Pick<Context, 'store' | 'quotas' | 'clock'> {
  models: Pick<Context['models'], 'isConfigured'>
  caller: KeyCaller | OperatorFor
}

/** A run that does again what another one did, and the writes that queue it. */
export interface Retry {
  run: StoredRun
  /** The first is bound to the old run: of two retries at once one alone is written. */
  writes: Write[]
}

/**
 * A new run of the task of one that has ended. Nothing that is shown of the old one changes.
 * @throws Refusal `run_under_way`, `task_not_found`
 */
export async function retryOf(
  context: Retrying,
  old: StoredRun,
  changed: Changed,
  now: Date,
): Promise<Retry> {
  await mustHaveEnded(context, old)
  const task = (await taskOf(context.store, old)) ?? noTask(old)
  const { caller, models } = context
  const by = caller.kind === 'operator' ? { operator: true } : callerNamed(caller)
  const input = changed.input === undefined ? old.input : changed.input
  const variables = changed.variables ?? old.variables
  const approval = await approvalKept(context, { ...old, input, variables }, task)
  const start = {
    // By hand, also where something else set the old one going: what is owed for that was settled with its end.
    trigger: { type: 'manual', at: timestamp(now), caller: by },
    input,
    variables: variables ?? undefined,
    hasNoModel: lacksModel(models, task),
    resumedFrom: approval && (old.resumed_from ?? undefined),
    retryOf: old.id,
    startedBy: caller.kind === 'operator' ? operator : keyActor(caller),
    // Also where the input is another: it may quote what it replaces.
    source: marksOf(old).source,
  }
  const run = newRun(task, start, now)
  const retried = { id: old.id, owner_id: old.owner_id, retry_id: old.retry_id ?? null }
  const writes: Write[] = [
    { in: 'runs', update: retried, change: { $set: { retry_id: run.id } } },
    { in: 'runs', insert: run },
  ]
  if (!approval) return { run, writes }
  // What was approved is done by one run at a time.
  const { id, ballot } = approval
  const given = { id, state: 'approved', ballot, follow_up_run_id: old.id } as const
  const change = { $set: { follow_up_run_id: run.id }, $inc: { ballot: 1 } }
  return { run, writes: [...writes, { in: 'approvals', update: given, change }] }
}

/** The statuses of a run that has not done what was approved. */
const undone: ReadonlySet<StoredRun['status']> = new Set(['failed', 'timed_out'])

/**
 * The approval under which the old run was to work, if the new one is to do exactly the same and the old one has
 * not done it. After any other end, and after any change, the new run asks again.
 */
function approvalKept({ store }: Pick<Retrying, 'store'>, old: StoredRun, task: StoredTask) {
  return undone.has(old.status) ? approvalBehind(store, old, task) : Promise.resolve(undefined)
}

/** @throws Refusal `run_under_way` if the run, its last retry, or the run that goes on for it has not ended */
async function mustHaveEnded({ store }: Pick<Retrying, 'store'>, old: StoredRun): Promise<void> {
  if (!hasEnded(old)) return underWay(old, `The run is ${old.status}.`)
  const retry = old.retry_id ? await store.runs.get(old.retry_id) : undefined
  if (retry && !hasEnded(retry)) {
    return underWay(retry, `Its retry ${retry.id} is ${retry.status}.`)
  }
  if (!isResumed(old) || old.approval_id === null) return
  const approval = await store.approvals.get(old.approval_id)
  const followUp = approval?.follow_up_run_id
    ? await store.runs.get(approval.follow_up_run_id)
    : undefined
  if (!followUp || hasEnded(followUp)) return
  underWay(followUp, `The run ${followUp.id} goes on for it, and is ${followUp.status}.`)
}

function underWay({ id }: Pick<StoredRun, 'id'>, message: string): never {
  return refuse('run_under_way', message, {
    hint: `Wait for its end, or cancel it first: ${call('runs.cancel', { run_id: id })}.`,
  })
}

function noTask({ char_id, task_id }: StoredRun): never {
  const what =
    task_id === null
      ? 'The run wrote a part of a profile'
      : `The task "${task_id}" of "${char_id}" is gone`
  return refuse('task_not_found', `${what}: there is nothing to run again.`, {
    hint: `${call('tasks.list', { char_id })} shows the tasks of the agent, ${call('tasks.run')} runs one.`,
  })
}
