import { turnOf } from '#src/core/turns/slices.ts'
import type { Desk } from '../desk.ts'
import type { Exchange } from '../exchange.ts'
import { nameOf, stateOfRun } from '../states.ts'
import { changedAt } from '#protocol/run-shown.ts'
import type { TaskFacts } from './task-store.ts'

/** How many of the newest unended tasks are examined. */
const lookedAt = 1000
const atOnce = 100

/**
 * Stores the state of the caller's tasks whose runs have continued since the tasks were stored, so that
 * the store can filter by state or time.
 * @throws Refusal when the runs cannot be read now
 */
export async function settle(desk: Desk, exchange: Exchange): Promise<void> {
  const { store, runs, clock } = desk
  const { owner } = exchange
  const tasks = await store.unended(owner, lookedAt)
  for (let done = 0; done < tasks.length; done += atOnce) {
    if (done > 0) await turnOf(clock)
    const some = tasks.slice(done, done + atOnce)
    for (const old of some.filter(({ state }) => state === undefined)) {
      await noteOld(desk, exchange, old)
    }
    const standing = some.flatMap(({ runId }) => runId ?? [])
    const outlines = await runs.outlines(standing, exchange)
    await Promise.all(
      some.map(async (task) => {
        const run = task.runId === undefined ? undefined : outlines.get(task.runId)
        if (!run) return
        const now = { state: nameOf(stateOfRun(run.status)), at: changedAt(run, run.asked_at) }
        if (now.state !== task.state || now.at !== task.updatedAt) {
          await store.note(task, owner, now)
        }
      }),
    )
  }
}

/** An older record holds the task's state only in its text. */
async function noteOld({ store, clock }: Desk, exchange: Exchange, old: TaskFacts): Promise<void> {
  await turnOf(clock)
  const task = await store.load(old.id, exchange.owner)
  if (task) await store.update(task, exchange)
}
