import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '#adapters/store/open.ts'
import { scheduler, type Scheduler } from '#src/work/scheduler.ts'
import type { Ports } from '#src/core/context.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { simulated } from '#src/runs/simulations/simulate.ts'
import { taskFrom } from '#src/agents/tasks/stored-task.ts'
import { TaskInput } from '#src/agents/tasks/task.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { openWorld } from '#tests/support/world.ts'
import type { Group } from '../group.ts'
import { median } from '../measure.ts'

const begun = Date.parse('2026-03-02T08:30:00Z')
const onTheHour = Date.parse('2026-03-02T09:00:00Z')
const looks = 300
const tasksAnAgent = 100
const simulatedTasks = 1000
/** Of those that are not due at once, the share that is due in the seconds after. */
const soonAfter = 0.01
/** How long after, at most. */
const soonSeconds = 5
/** A server looks every second, and at once where there is more than one look finds. */
const everyMs = 1000
/** As many fit into one commit. */
const atOnce = 200

/** What schedules cost where there are many. */
export const schedules: Group = {
  name: 'schedules',
  async measure(bench) {
    const { many, burst: due, say } = bench
    say(`storing ${many} schedules`)
    const store = await openStore({ folder: join(bench.folder, 'schedules') })
    try {
      await stock(store, many, due)
      const { ports } = openWorld(store, { clock: fakeClock(begun) })
      const looking = scheduler(ports)
      bench.note('idleLook', await idleLook(looking))
      say(`firing ${due} at once`)
      const { burst, latest } = await fired(store, looking)
      const runs = await store.runs.count({ status: 'queued' })
      const all = due + Math.ceil((many - due) * soonAfter)
      if (runs !== all) throw new Error(`${runs} of ${all} were fired`)
      bench.note('burst', burst)
      bench.note('latest', latest)
      bench.note('week', await week(ports, say))
    } finally {
      await store.close()
    }
  },
}

/** Milliseconds of a look that finds nothing due. */
async function idleLook(looking: Scheduler): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < looks; i++) {
    const before = performance.now()
    await looking.tick(new Date(begun + i * 1000))
    times.push(performance.now() - before)
  }
  return median(times)
}

/** What fires once an hour begins. */
interface Fired {
  /** Seconds until all that is due in one minute has its slot and its queued run. */
  burst: number
  /** Seconds by which the latest fire was late, of all that were due then and in the seconds after. */
  latest: number
}

async function fired(store: Store, looking: Scheduler): Promise<Fired> {
  const begun = performance.now()
  const passed = (): number => performance.now() - begun
  let burst: number | undefined
  let latest = 0
  for (;;) {
    const now = new Date(onTheHour + passed())
    const isDue = { due_at: { $lte: now.toISOString() } }
    const [oldest] = await store.tasks.find(isDue, { sort: { due_at: 1 }, limit: 1 })
    const due = Date.parse(oldest?.due_at ?? '')
    if (due !== onTheHour) burst ??= passed()
    if (!oldest && passed() > (soonSeconds + 1) * 1000) break
    if (oldest) await looking.tick(now)
    else await sleep(everyMs)
    if (oldest) latest = Math.max(latest, onTheHour + passed() - due)
  }
  return { burst: (burst ?? passed()) / 1000, latest: latest / 1000 }
}

/** Seconds that a simulated week takes. */
async function week(ports: Ports, say: (text: string) => void): Promise<number> {
  say(`simulating a week of ${simulatedTasks} tasks`)
  const tasks = await ports.store.tasks.find({}, { sort: { id: 1 }, limit: simulatedTasks })
  // Every hour, which is as often as a task can.
  const triggers = [{ type: 'cron' as const, config: { cron: '0 * * * *' }, enabled: true }]
  const rhythm = { heartbeat: null, timezone: null }
  const players = tasks.map((task) => ({ task: { ...task, triggers }, rhythm }))
  const span = { from: begun, to: begun + 7 * 86_400_000 }
  const before = performance.now()
  const owner = { accountId: 'acc_1', claimed: true }
  const { counts } = await simulated(ports, players, span, owner)
  if (counts.fires !== simulatedTasks * 168) throw new Error(`${counts.fires} fires were simulated`)
  return (performance.now() - before) / 1000
}

async function stock(store: Store, tasks: number, due: number): Promise<void> {
  const now = new Date(begun).toISOString()
  for (let done = 0; done < tasks; done += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, tasks - done) }, (_, i) => done + i)
    await store.commit(
      some.map((n): Write => {
        const isSoon = n >= due && n < due + (tasks - due) * soonAfter
        const cron = n < due || isSoon ? '0 9 * * *' : `${n % 60} ${n % 8} * * 1-5`
        const triggers = [{ type: 'cron', config: { cron } }]
        const reliability = { max_jitter_seconds: isSoon ? soonSeconds : 0 }
        const task = {
          name: 'Digest',
          prompt: 'Sum up.',
          runtime: 'template',
          triggers,
          reliability,
        }
        const charId = `agent-${Math.floor(n / tasksAnAgent)}`
        const place = { charId, ownerId: 'acc_1', appId: null, taskId: `t${n}`, now }
        return { in: 'tasks', insert: taskFrom(TaskInput.parse(task), place).task }
      }),
    )
  }
}
