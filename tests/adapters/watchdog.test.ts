import { expect, test } from 'vitest'
import { noMetrics, openMetrics } from '#adapters/metrics/metrics.ts'
import { watchedMeter } from '#adapters/watchdog/meter.ts'
import { watchdog, type Timepiece } from '#adapters/watchdog/watchdog.ts'
import type { Hold } from '#src/ports/meter.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { oneStore } from '#tests/support/stores.ts'
import { silent } from '#tests/support/world.ts'

/** A loop whose every turn a test tells: how long it worked, and how long it waited. */
function stage() {
  let [now, cpu, idle] = [1000, 0, 0]
  let due: { at: number; look: () => void } | undefined
  const time: Timepiece = {
    now: () => now,
    cpu: () => cpu,
    idle: () => idle,
    after(milliseconds, look) {
      const own = { at: now + milliseconds, look }
      due = own
      return () => {
        if (due === own) due = undefined
      }
    },
  }
  const turn = (): void => {
    const timer = due
    if (!timer || timer.at > now) return
    due = undefined
    timer.look()
  }
  const lines: Record<string, unknown>[] = []
  const log = (level: string) => (message: string, fields?: object) =>
    void lines.push({ level, message, ...fields })
  const holds: Hold[] = []
  const watching = watchdog(
    { debug: log('debug'), warn: log('warn') },
    (hold) => holds.push(hold),
    time,
  )
  return {
    ...watching,
    began: (work: string) => watching.began(work),
    rested: (work: string) => watching.rested(work),
    during: (part: string, does: () => void) => watching.during(part, does),
    lines,
    holds,
    /** This thread works, and nothing else happens. */
    works(milliseconds: number, share = 1) {
      now += milliseconds
      cpu += milliseconds * share
    },
    turn,
    /** Nothing is to be done. */
    waits(milliseconds: number) {
      for (let left = milliseconds; left > 0; left--) {
        now += 1
        idle += 1
        turn()
      }
    },
  }
}

test('what holds the loop is told with the operation that did', () => {
  const loop = stage()
  loop.waits(20)
  loop.began('characters.get')
  loop.works(1)
  loop.rested('characters.get')
  loop.began('tasks.simulate')
  loop.works(30)
  loop.rested('tasks.simulate')
  loop.works(2)
  loop.turn()
  expect(loop.holds).toEqual([{ work: 'tasks.simulate', seconds: 0.03, cpuSeconds: 0.03 }])
  expect(loop.lines).toEqual([
    {
      level: 'debug',
      message: 'the event loop was held',
      operation: 'tasks.simulate',
      held_ms: 30,
      cpu_ms: 30,
    },
  ])
})

test('work after a wait is reported at its end, and work without a mark as other', () => {
  const loop = stage()
  loop.began('agent_apps.plan')
  loop.rested('agent_apps.plan')
  loop.waits(50)
  loop.works(25)
  loop.rested('agent_apps.plan')
  loop.turn()
  loop.works(12)
  loop.turn()
  expect(loop.holds.map(({ work }) => work)).toEqual(['agent_apps.plan', 'other'])
})

test('a part is told as what has begun, and by its own name where nothing has', () => {
  const loop = stage()
  loop.began('runs.list')
  loop.during('store.runs', () => loop.works(20))
  loop.rested('runs.list')
  loop.turn()
  loop.during('store.tasks', () => loop.works(20))
  loop.turn()
  expect(() =>
    loop.during('store.commit', () => {
      loop.works(20)
      throw new Error('it failed')
    }),
  ).toThrow('it failed')
  loop.turn()
  expect(loop.holds.map(({ work }) => work)).toEqual(['runs.list', 'store.tasks', 'store.commit'])
})

test('what goes on directly after something is told as that', () => {
  const loop = stage()
  loop.during('store.runs', () => loop.works(1))
  loop.works(20)
  loop.turn()
  loop.during('store.tasks', () => loop.works(1))
  loop.works(20)
  loop.began('runs.get')
  loop.rested('runs.get')
  loop.turn()
  loop.works(20)
  loop.turn()
  expect(loop.holds.map(({ work }) => work)).toEqual([
    'after store.runs',
    'after store.tasks',
    'other',
  ])
})

test('every hold above ten milliseconds is found, whenever it begins, and none that is shorter', () => {
  for (let begins = 0; begins < 5; begins++) {
    const loop = stage()
    loop.waits(begins)
    loop.works(11)
    loop.turn()
    loop.waits(20)
    loop.works(9)
    loop.turn()
    expect(loop.holds.map(({ seconds }) => seconds)).toEqual([0.011])
  }
})

test('many short works one after the other are no hold', () => {
  const loop = stage()
  for (let i = 0; i < 40; i++) {
    loop.began('health.get')
    loop.works(1)
    loop.rested('health.get')
  }
  loop.turn()
  expect(loop.holds).toEqual([])
})

test('after a rest the first work is seen like any other', () => {
  const loop = stage()
  loop.waits(3000)
  loop.began('public.feed')
  loop.works(15)
  loop.rested('public.feed')
  loop.turn()
  expect(loop.holds).toMatchObject([{ work: 'public.feed', seconds: 0.015 }])
})

test('a machine that gave the time to others is told from work', () => {
  const loop = stage()
  loop.began('runs.get')
  loop.works(400, 0.01)
  loop.rested('runs.get')
  loop.turn()
  expect(loop.lines).toMatchObject([{ level: 'warn', held_ms: 400, cpu_ms: 4 }])
})

test('the log is not flooded: a few lines a second, and how many were left out', () => {
  const loop = stage()
  for (let i = 0; i < 9; i++) {
    loop.works(110)
    loop.turn()
  }
  const before = loop.lines.length
  loop.waits(1000)
  loop.works(110)
  loop.turn()
  expect(loop.holds).toHaveLength(10)
  expect(before).toBeLessThan(9)
  expect(loop.lines.at(-1)).toMatchObject({ untold: 9 - before })
})

test('more marks than are remembered leave the last of them', () => {
  const loop = stage()
  for (let i = 0; i < 5000; i++) loop.began('health.get')
  loop.began('feed.home')
  loop.works(20)
  loop.turn()
  expect(loop.holds).toMatchObject([{ work: 'feed.home' }])
})

test('the page shows the longest since it was last read, and counts by operation', async () => {
  const metrics = await openMetrics(true)
  metrics.held({ work: 'tasks.simulate', seconds: 0.2, cpuSeconds: 0.1 })
  metrics.held({ work: 'tasks.simulate', seconds: 0.05, cpuSeconds: 0.04 })
  const lines = (await metrics.text()).split('\n')
  expect(lines).toContain('abode_loop_holds_total{operation="tasks.simulate"} 2')
  expect(lines).toContain('abode_loop_held_seconds_total{operation="tasks.simulate"} 0.25')
  expect(lines).toContain('abode_loop_longest_hold_seconds 0.2')
  expect(lines).toContain('abode_loop_longest_hold_cpu_seconds 0.1')
  expect(await metrics.text()).toContain('abode_loop_longest_hold_seconds 0\n')
})

test('the embedded store marks what it reads and writes', async () => {
  const [kind] = oneStore()
  const store: OpenedStore | undefined = await kind?.open()
  const parts: string[] = []
  store?.watchedBy?.({
    during(part, does) {
      parts.push(part)
      return does()
    },
  })
  await store?.accounts.get('acc_1')
  await store?.tasks.pick(['id'], {})
  await store?.tombstones.delete({ id: 'none' })
  await store?.close()
  expect(parts).toEqual(['store.accounts', 'store.tasks', 'store.commit'])
})

test('the loop of a process is really looked at', async () => {
  const found = Promise.withResolvers<Hold>()
  const meter = watchedMeter({ ...noMetrics, held: found.resolve }, silent)
  await new Promise((resolve) => setTimeout(resolve, 20))
  meter.began('characters.import')
  const end = process.threadCpuUsage().user + 40_000
  while (process.threadCpuUsage().user < end);
  meter.runEnded('completed')
  const { work, cpuSeconds } = await found.promise
  meter.stop()
  expect(work).toBe('runner')
  expect(cpuSeconds).toBeGreaterThan(0.03)
})
