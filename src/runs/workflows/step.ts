import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { newRun, senderOfStart } from '../new-run.ts'
import { runEvent } from '../events.ts'
import { counted, depthAtMost, roomFor, runsARoot } from '../ending/handoff.ts'
import type { Steps, StoredRun } from '../run.ts'
import { lacksModel } from '../runtimes/prompt/choose-model.ts'
import { reasonToSkip } from '../skip-reason.ts'
import { taskOf } from '#src/agents/tasks/of-run.ts'

/** The run that waits for its steps. */
type Waiter = Pick<
  StoredRun,
  'id' | 'char_id' | 'task_id' | 'owner_id' | 'root_run_id' | 'depth' | 'sender'
>

/** A step that begins. */
export interface Beginning {
  steps: Steps
  /** The runtime that starts it. */
  by: string
  input: unknown
  variables: StoredRun['variables']
}

/** Why a step cannot begin. */
export interface Refused {
  code: string
  message: string
}

/**
 * The writes that begin the step which `steps` stands at: its queued run, counted in its root, and
 * an event of the run that waits.
 */
export async function begun(
  ports: Pick<Ports, 'store' | 'clock' | 'quotas' | 'models'>,
  waiter: Waiter,
  { steps, by, input, variables }: Beginning,
  now: Date,
): Promise<Write[] | Refused> {
  const which = stepName(steps)
  const task = await taskOf(ports.store, { ...waiter, task_id: steps.tasks[steps.at] ?? '' })
  if (!task) {
    return { code: 'step_missing', message: `${which} is no longer there: its task was deleted.` }
  }
  if (waiter.depth + 1 > depthAtMost) {
    const message = `${which} cannot begin: the chain is ${depthAtMost} runs deep.`
    return { code: 'chain_too_deep', message }
  }
  if ((await roomFor(ports, waiter)) < 1) {
    const message = `${which} cannot begin: the first run has set off ${runsARoot} runs.`
    return { code: 'too_many_runs', message }
  }
  const reason = await reasonToSkip(ports, task, {
    beyondQueue: true,
    sender: senderOfStart(task.owner_id, { parent: waiter }),
  })
  if (reason) return { code: 'step_skipped', message: `${which} was not run: ${reason}.` }
  const caller = { char_id: waiter.char_id, task_id: waiter.task_id, run_id: waiter.id }
  const trigger = { type: by, at: timestamp(now), caller }
  const start = { trigger, input, variables: variables ?? undefined, parent: waiter }
  const hasNoModel = lacksModel(ports.models, task)
  const insert = newRun(task, { ...start, hasNoModel, step: steps.at }, now)
  const data = { step: steps.at + 1, of: steps.tasks.length, task_id: task.task_id }
  const event = runEvent(waiter.id, 'step.queued', now, { ...data, run_id: insert.id })
  return [{ in: 'runs', insert }, ...counted(waiter, 1), { in: 'run_events', insert: event }]
}

/** How errors name a step. */
export function stepName({ tasks, at }: Steps): string {
  return `The step "${tasks[at] ?? ''}" (${at + 1} of ${tasks.length})`
}
