import type { Ports } from '#src/core/context.ts'
import { Unmet } from '#src/ports/store.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { nextInTurn, release } from './turns.ts'
import { piecesOf } from '#src/core/turns/pieces.ts'

/** How many tasks with a waiting run one look covers. */
const atOnce = 200

/**
 * Releases waiting runs whose turn went unnoticed: the run before them ended while they were told
 * to wait for it, or their task has changed since.
 * @param after where the last look ended; empty for the beginning
 * @returns where this one ended, so that runs that go on waiting do not hide those behind them
 */
export async function settleTurns(ports: Ports, now: Date, after: string): Promise<string> {
  const { store, clock } = ports
  const waiting = { waiting_run: { $gt: after } }
  const page = { sort: { waiting_run: 1 }, limit: atOnce } as const
  const rows = await store.tasks.pick(['id', 'waiting_run'], waiting, page)
  const ids = rows.map(([id]) => String(id))
  for await (const tasks of piecesOf(clock, store.tasks, ids)) {
    await Promise.all(tasks.map((task) => settleTurn(ports, task, now)))
  }
  return String(rows[atOnce - 1]?.[1] ?? '')
}

async function settleTurn(ports: Ports, task: StoredTask, now: Date): Promise<void> {
  const { store } = ports
  const { id, waiting_run } = task
  const run = waiting_run ? await store.runs.get(waiting_run) : undefined
  if (run?.waits_for !== 'turn') {
    await store.tasks.update(
      { id, waiting_run: waiting_run ?? null },
      { $set: { waiting_run: null } },
    )
    return
  }
  const waiting = await nextInTurn(store, id)
  if (!waiting) return
  try {
    await store.commit([release(ports.models, waiting, task, now)])
  } catch (cause) {
    // The end of another run, or another process, has let it go already.
    if (!(cause instanceof Unmet)) throw cause
    return
  }
  if (!task.enabled) ports.waiting.tell(waiting.id)
}
