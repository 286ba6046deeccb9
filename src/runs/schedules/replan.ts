import { dueAt } from '#src/agents/tasks/schedule/next-due.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { DuplicateKey } from '#src/ports/store.ts'
import { heartbeatOf } from './rhythm.ts'

/** The record of the latest time at which schedules were decided on. */
const seenUntil = 'schedules_seen_until'
/** How far time moves before it is noted again; as far back, and schedules are planned again. */
const notedEveryMs = 600_000
const atOnce = 200
const charactersAtMost = 2 ** 18

type Needed = Pick<Ports, 'store' | 'log'>

/**
 * Notices a clock that was put back, also while no process was running: what was planned before
 * lies too far ahead, and would not fire until then.
 */
export class TimeSeen {
  readonly #ports: Needed
  #until: number | undefined

  constructor(ports: Needed) {
    this.#ports = ports
  }

  /** Notes the time before anything is decided by it, and plans again where it has gone back. */
  async look(now: Date): Promise<void> {
    const time = now.getTime()
    this.#until ??= await this.#noted()
    const ahead = this.#until - time
    if (Math.abs(ahead) < notedEveryMs) return
    if (ahead > 0) {
      const fields = { seconds: Math.round(ahead / 1000) }
      this.#ports.log.warn('the clock was put back: schedules are planned again', fields)
      await replan(this.#ports, now)
    }
    await this.#note(now)
    this.#until = time
  }

  async #noted(): Promise<number> {
    const row = await this.#ports.store.meta.get(seenUntil)
    return row ? Date.parse(row.value) : 0
  }

  async #note(now: Date): Promise<void> {
    const { meta } = this.#ports.store
    const value = timestamp(now)
    if (await meta.update({ id: seenUntil }, { $set: { value } })) return
    await meta.insert({ id: seenUntil, value }).catch((cause: unknown) => {
      // Another process has done the same.
      if (!(cause instanceof DuplicateKey)) throw cause
    })
  }
}

/** Plans again every task that is due later than its schedule now says. */
async function replan({ store }: Pick<Needed, 'store'>, now: Date): Promise<void> {
  for (let after = ''; ;) {
    const ahead = { id: { $gt: after }, due_at: { $gt: timestamp(now) } } as const
    const tasks = await store.tasks.find(ahead, {
      sort: { id: 1 },
      limit: atOnce,
      charactersAtMost,
    })
    for (const task of tasks) {
      const { id, due_at: before } = task
      const due_at = dueAt(task, await heartbeatOf(store, task), now.getTime())
      if (due_at === null || before === null || due_at >= before) continue
      // A task that has changed meanwhile was planned by that change.
      await store.tasks.update({ id, due_at: before }, { $set: { due_at } })
    }
    const last = tasks.at(-1)
    if (!last) return
    after = last.id
  }
}
