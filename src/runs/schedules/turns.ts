import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { queuedFor } from '../new-run.ts'
import type { Consequence } from '../ended.ts'
import { pausesOn } from '../ending/pause-task.ts'
import type { StoredRun } from '../run.ts'
import { lacksModel } from '../runtimes/prompt/choose-model.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

/** A run of a schedule that waits until the one before it has ended. */
export function waitingForTurn(run: StoredRun): StoredRun {
  return { ...run, reason: 'waiting_for_turn', waits_for: 'turn', due_at: null }
}

/** The end of a run releases the one that waited for it, where its task lets fires queue up. */
export const turnOf: Consequence = (ports, { run, task, now, atOnce: isInstant }) => {
  // No other run waits for one that ended as it was accepted.
  if (isInstant || task?.reliability?.overlap_policy !== 'queue') return []
  return released(ports, task.id, now, run)
}

async function released(
  { store, models }: Pick<Ports, 'store' | 'models'>,
  taskKey: string,
  now: Date,
  ending: Pick<StoredRun, 'id' | 'status'>,
): Promise<Write[]> {
  const task = await store.tasks.get(taskKey)
  if (!task) return []
  const waiting = await nextInTurn(store, taskKey, ending.id)
  if (!waiting) return []
  // A failure may pause the task in this same commit, and then no further run of it starts.
  const enabled = task.enabled && !pausesOn(ending.status, task)
  return [release(models, waiting, { ...task, enabled }, now)]
}

/** The run whose turn it is: the one that waits, where no other run of the task goes on. */
export async function nextInTurn(
  store: Pick<Store, 'runs'>,
  open: string,
  ending?: string,
): Promise<StoredRun | undefined> {
  const waits = { open, waits_for: 'turn' } as const
  // There is one at most: a fire is told to wait only where none waits yet.
  const [waiting] = await store.runs.find(waits, { limit: 1 })
  if (!waiting) return undefined
  const others = { open, waits_for: { $ne: 'turn' }, id: { $ne: ending ?? '' } } as const
  const busy = await store.runs.text(others, { limit: 1 })
  return busy.length > 0 ? undefined : waiting
}

/** Queues a run that waited; of a task that has been disabled since, it is skipped. */
export function release(
  models: Ports['models'],
  waiting: StoredRun,
  task: StoredTask,
  now: Date,
): Write {
  const { id, owner_id } = waiting
  const update = { id, owner_id, waits_for: 'turn' } as const
  if (!task.enabled) {
    const finished_at = timestamp(now)
    const $set = {
      status: 'skipped',
      reason: 'task_disabled',
      waits_for: null,
      open: null,
    } as const
    return { in: 'runs', update, change: { $set: { ...$set, finished_at } } }
  }
  const place = queuedFor(task, { hasNoModel: lacksModel(models, task) }, now)
  const $set = { ...place, released_at: timestamp(now) }
  return { in: 'runs', update, change: { $set } }
}
