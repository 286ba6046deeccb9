import { openStore } from '#adapters/store/open.ts'
import { scheduler } from '#src/work/scheduler.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { taskFrom } from '#src/tasks/storing.ts'
import { TaskInput } from '#src/tasks/task.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { openWorld } from '#tests/support/world.ts'
import { median } from './measure.ts'

const begun = Date.parse('2026-03-02T08:30:00Z')
const onTheHour = Date.parse('2026-03-02T09:00:00Z')
const looks = 300
const tasksAnAgent = 100
/** Three writes each fit into one commit. */
const atOnce = 200

/** What schedules cost where there are many. */
export interface Schedules {
  /** Milliseconds of a look that finds nothing due. */
  idle: number
  /** Seconds until all that is due in one minute has its slot and its queued run. */
  burst: number
}

/**
 * @param tasks how many tasks of type cron are stored
 * @param due how many of them fire in the same minute
 */
export async function schedules(
  folder: string,
  tasks: number,
  due: number,
  say: (text: string) => void,
): Promise<Schedules> {
  say(`storing ${tasks} schedules`)
  const store = await openStore({ folder })
  try {
    await stock(store, tasks, due)
    const clock = fakeClock(begun)
    const { ports } = openWorld(store, { clock })
    const looking = scheduler(ports)
    const times: number[] = []
    for (let i = 0; i < looks; i++) {
      const before = performance.now()
      await looking.tick(new Date(begun + i * 1000))
      times.push(performance.now() - before)
    }
    say(`firing ${due} at once`)
    const before = performance.now()
    while ((await looking.tick(new Date(onTheHour))) > 0);
    const burst = (performance.now() - before) / 1000
    const fired = await store.runs.count({ status: 'queued' })
    if (fired !== due) throw new Error(`${fired} of ${due} were fired`)
    return { idle: median(times), burst }
  } finally {
    await store.close()
  }
}

async function stock(store: Store, tasks: number, due: number): Promise<void> {
  const now = new Date(begun).toISOString()
  for (let done = 0; done < tasks; done += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, tasks - done) }, (_, i) => done + i)
    await store.commit(
      some.map((n): Write => {
        const cron = n < due ? '0 9 * * *' : `${n % 60} ${n % 8} * * 1-5`
        const triggers = [{ type: 'cron', config: { cron } }]
        const task = { name: 'Digest', prompt: 'Sum up.', runtime: 'template', triggers }
        const charId = `agent-${Math.floor(n / tasksAnAgent)}`
        const place = { charId, ownerId: 'acc_1', appId: null, taskId: `t${n}`, now }
        return { in: 'tasks', insert: taskFrom(TaskInput.parse(task), place).task }
      }),
    )
  }
}
