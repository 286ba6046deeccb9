import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { DuplicateKey } from '#src/ports/store.ts'
import { dueAt } from '#src/agents/tasks/schedule/next-due.ts'
import { heartbeatOf } from './rhythm.ts'

/** The record that says that the tasks of a store have been planned, those not enabled too. */
const planned = 'all_schedules_planned'
const atOnce = 200
const charactersAtMost = 2 ** 18

/**
 * Plans the tasks of a store that was filled before there were schedules, or before disabled tasks
 * were due: once. What is stored from now on is planned as it is stored.
 */
export async function planStore({ store }: Pick<Ports, 'store'>, now: Date): Promise<void> {
  if (await store.meta.get(planned)) return
  for (let after = ''; ;) {
    const unplanned = { id: { $gt: after }, due_at: null } as const
    const tasks = await store.tasks.find(unplanned, {
      sort: { id: 1 },
      limit: atOnce,
      charactersAtMost,
    })
    for (const task of tasks) {
      const due_at = dueAt(task, await heartbeatOf(store, task), now.getTime())
      const { id, revision } = task
      if (due_at) await store.tasks.update({ id, revision, due_at: null }, { $set: { due_at } })
    }
    const last = tasks.at(-1)
    if (!last) break
    after = last.id
  }
  await store.meta.insert({ id: planned, value: timestamp(now) }).catch((cause: unknown) => {
    // Another process has done the same.
    if (!(cause instanceof DuplicateKey)) throw cause
  })
}
