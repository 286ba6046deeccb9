import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { isPaused } from '#src/agents/tasks/reliability.ts'
import { taskOf } from '#src/agents/tasks/of-run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { end } from '../ending/end-run.ts'
import { queuedFor } from '../new-run.ts'
import type { StoredRun } from '../run.ts'
import { lacksModel } from '../runtimes/prompt/choose-model.ts'

/** Runs that are let go at once: their writes share a commit to the disk. */
const atOnce = 50
/** Tasks with held runs that one look covers. */
const tasksAtOnce = 50
/** So many runs of a task are let go by what resumes it; the scheduler goes on. */
const promptlyAtMost = 200
/** Runs whose time has come that one look lets go. */
const dueAtOnce = 64

/** Lets a run go that has waited: it is queued as a new one. Of several who do so one alone succeeds. */
function released(
  models: Ports['models'],
  { id, owner_id }: Pick<StoredRun, 'id' | 'owner_id'>,
  from: 'resume' | 'time',
  task: StoredTask,
  now: Date,
): Write {
  const place = queuedFor(task, { hasNoModel: lacksModel(models, task) }, now)
  const $set = { ...place, open: task.id, released_at: timestamp(now) }
  const update = { id, owner_id, waits_for: from } as const
  return { in: 'runs', update, change: { $set, $unset: { held: true } } }
}

async function letGo(ports: Ports, write: Write): Promise<void> {
  await ports.store.commit([write]).catch((cause: unknown) => {
    // Another process was first, or it was cancelled.
    if (!(cause instanceof Unmet)) throw cause
  })
}

/**
 * Queues what waits for a task that has been resumed, oldest first.
 * @param most how many; the scheduler lets go the rest
 */
export async function releaseHeld(
  ports: Ports,
  task: StoredTask,
  most = promptlyAtMost,
): Promise<void> {
  const { store, models, clock } = ports
  for (let done = 0; done < most; done += atOnce) {
    const held = { held: task.id, owner_id: task.owner_id }
    const rows = await store.runs.pick(['id'], held, { sort: { id: 1 }, limit: atOnce })
    const now = clock.now()
    const { owner_id } = task
    await Promise.all(
      rows.map(([id]) =>
        letGo(ports, released(models, { id: String(id), owner_id }, 'resume', task, now)),
      ),
    )
    if (rows.length < atOnce) return
  }
}

/** Cancels everything that waits for a task. */
export async function endHeld(
  ports: Ports,
  held: { held: string; owner_id: string },
  reason: 'dropped' | 'task_deleted',
): Promise<void> {
  for (let after = ''; ;) {
    const next = { ...held, id: { $gt: after } }
    const runs = await ports.store.runs.find(next, { sort: { id: 1 }, limit: atOnce })
    const outcome = { status: 'cancelled', error: null, reason } as const
    await Promise.all(runs.map((run) => end(ports, run, outcome)))
    const last = runs.at(-1)
    if (!last || runs.length < atOnce) return
    after = last.id
  }
}

/**
 * Lets go what waits for tasks that were resumed, and ends what waits for tasks that are gone: also where something else changed the
 * task, and if the process that did so has died since.
 * @param after where the last look ended; empty for the beginning
 * @returns where this one ended
 */
export async function settleHeld(ports: Ports, after: string): Promise<string> {
  const { store } = ports
  let last = after
  for (let looked = 0; looked < tasksAtOnce; looked++) {
    const next = { held: { $gt: last } }
    const [row] = await store.runs.pick(['held', 'owner_id'], next, { sort: { held: 1 }, limit: 1 })
    if (!row) return ''
    const held = { held: String(row[0]), owner_id: String(row[1]) }
    const task = await store.tasks.get(held.held)
    if (task?.owner_id !== held.owner_id) await endHeld(ports, held, 'task_deleted')
    else if (task.enabled && !isPaused(task)) await releaseHeld(ports, task)
    last = held.held
  }
  return last
}

/** Queues the runs whose time has come; gives how many there were. */
export async function releaseDue(ports: Ports, now: Date): Promise<number> {
  const { store, models } = ports
  const due = { waits_for: 'time', due_at: { $lte: timestamp(now) } } as const
  const runs = await store.runs.find(due, { sort: { due_at: 1 }, limit: dueAtOnce })
  await Promise.all(
    runs.map(async (run) => {
      const task = await taskOf(store, run)
      const gone = { status: 'cancelled', error: null, reason: 'task_deleted' } as const
      if (task) await letGo(ports, released(models, run, 'time', task, now))
      else await end(ports, run, gone)
    }),
  )
  return runs.length
}
