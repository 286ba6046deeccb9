import { noticeTo } from '#src/accounts/notice.ts'
import type { Ports } from '#src/core/context.ts'
import { emitted } from '#src/events/emit.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import type { Write } from '#src/ports/store.ts'
import { pauseHappening, paused } from '../schedules/pause.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Consequence, Ended } from '../ended.ts'

/** Whether an end of this kind pauses the task. */
export function pausesOn(
  status: string,
  task: Pick<StoredTask, 'enabled' | 'reliability'>,
): boolean {
  const hasFailed = status === 'failed' || status === 'timed_out'
  return hasFailed && task.enabled && task.reliability?.pause_on_failure === true
}

/** Pauses the task of a failed run if the task asks for that: with an event, and a notice to the owner. */
export const pauseOf: Consequence = (ports, ended) => {
  const { task, outcome } = ended
  return task && pausesOn(outcome.status, task) ? pauseWrites(ports, task.id, ended) : []
}

async function pauseWrites(
  { store }: Pick<Ports, 'store'>,
  id: string,
  { run, outcome, now }: Ended,
): Promise<Write[]> {
  // The run may have taken long, so the task may have been paused or changed meanwhile.
  const task = await store.tasks.get(id)
  if (!task || !pausesOn(outcome.status, task)) return []
  const reason = `The run ${run.id} ${outcome.status === 'failed' ? 'failed' : 'timed out'}.`
  const error = run.error ? ` ${run.error.message}` : ''
  const message = `The task "${task.name}" of ${task.char_id} was paused. ${reason}${error} Resume it once the cause is gone.`
  const about = { char_id: task.char_id, task_id: task.task_id, run_id: run.id }
  const { char_id, task_id } = task
  const next = [{ operation: 'tasks.resume', input: { char_id, task_id } }]
  const details = { reason: run.error?.code, next, ...(run.error && marksOf(run)) }
  const happening = pauseHappening(task, reason)
  const data = { ...happening.data, run_id: run.id }
  return [
    ...paused(task, reason, now).writes,
    noticeTo(task.owner_id, 'task.paused', message, about, now, details),
    ...(await emitted(store, { ...happening, data, cause: run }, now)),
  ]
}
