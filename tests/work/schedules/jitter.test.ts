import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { end } from '#src/runs/ending/end-run.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { jitterSeconds } from '#src/agents/tasks/schedule/jitter.ts'
import type { Slot } from '#src/runs/schedules/slot.ts'
import { scheduler } from '#src/work/scheduler.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const hour = Date.parse('2026-03-02T09:00:00Z')

/** Beginning with this number, the first agent whose task jitter moves by so much, and of what most. */
function movedBy(seconds: number, first: number): { number: number; max: number } {
  for (let number = first; ; number++) {
    for (let max = seconds; max < 3600; max++) {
      if (jitterSeconds(`ada-${number}/t`, max) === seconds) return { number, max }
    }
  }
}

/** Where jitter moves the fire at the top of the hour, in seconds: to so many after a full minute. */
function placeAfterMinute(taskKey: string, seconds: number): { max: number; offset: number } {
  for (let max = 60; max < 3600; max++) {
    const offset = jitterSeconds(taskKey, max)
    if (offset >= 60 && offset % 60 === seconds) return { max, offset }
  }
  throw new Error('no jitter moves it there')
}

/** How the fires come together, and the looks that find them: seconds after the later one. */
const meetings = [
  ['a second apart', { apart: 1, looks: [0] }],
  ['near each other, found by one look', { apart: 20, looks: [5] }],
  ['near each other, found by two looks', { apart: 20, looks: [-20, 0] }],
] as const

const waits = { status: 'fired', reason: null, message: expect.stringContaining('waits') }
const comes = { status: 'fired', reason: null, message: 'It came.' }
const dropped = { status: 'skipped', reason: 'overlap', run_id: null }

/** What becomes of the two, in the order in which they come, and for what their runs wait. */
const policies = [
  ['queue', 'a run goes on', [waits, dropped], ['turn']],
  ['queue', 'none goes on', [comes, waits], ['brain', 'turn']],
  ['skip', 'a run goes on', [dropped, dropped], []],
  ['skip', 'none goes on', [comes, dropped], ['brain']],
  ['allow', 'a run goes on', [comes, comes], ['brain', 'brain']],
] as const

describe.each(stores())('fires that jitter brings together, on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let world: World
  let key: string
  let count = 0

  beforeAll(async () => {
    const opened = await kind.open()
    clock = fakeClock(hour)
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    world = openWorld(store, { clock })
    key = (await world.account()).key
  })
  afterAll(() => store.close())

  const look = async (at: number): Promise<void> => {
    await clock.advance(at - clock.now().getTime())
    const one = scheduler(world.ports)
    while ((await one.tick(clock.now())) > 0);
  }
  const scheduled = (char_id: string): Promise<StoredRun[]> =>
    store.runs.find({ char_id, 'trigger.type': 'cron' }, { sort: { id: 1 } })
  const waitingFor = async (char_id: string): Promise<unknown[]> =>
    (await scheduled(char_id)).map(({ waits_for }) => waits_for)
  const ended = async (id: string): Promise<void> => {
    const run = await store.runs.get(id)
    if (run) await end(world.ports, run, { status: 'completed', output: 'x' })
  }

  describe.each(meetings)('%s', (_, { apart, looks }) => {
    it.each(policies)('where the policy is %s and %s', async (policy, going, fates, left) => {
      clock.set(hour - 60_000)
      // They are named an hour apart: the first is moved, and the second not, as in its zone it is not minute 0.
      const { number, max } = movedBy(3600 - apart, count)
      count = number + 1
      const char_id = `ada-${number}`
      const subject = { char_id, task_id: 't' }
      const triggers = [
        { type: 'cron', config: { cron: '0 9 * * *' } },
        { type: 'cron', config: { cron: '30 15 * * *', timezone: 'Asia/Kolkata' } },
      ]
      const reliability = { overlap_policy: policy, max_jitter_seconds: max }
      const task = { task_id: 't', name: 'T', runtime: 'prompt', triggers, reliability }
      const character = { id: char_id, name: 'Ada', heart: { tasks: [task] } }
      await world.ask('characters.create', { character }, key)
      const isBusy = going === 'a run goes on'
      const { id } = isBusy ? await world.ask<StoredRun>('tasks.run', subject, key) : { id: '' }

      const later = hour + 3_600_000
      for (const seconds of looks) await look(later + seconds * 1000)

      const outlook = await world.ask<{ last: Slot[] }>('tasks.schedule', subject, key)
      const byTime = outlook.last.toSorted(
        (a, b) => Date.parse(a.fires_at) - Date.parse(b.fires_at) || (a.at < b.at ? -1 : 1),
      )
      expect(byTime).toMatchObject(fates)
      const moved = outlook.last.find(({ at }) => Date.parse(at) === hour)
      expect(later - Date.parse(moved?.fires_at ?? '')).toBe(apart * 1000)
      expect(await waitingFor(char_id)).toEqual(left)

      // A waiting run is released by the end of the one before, and by no earlier look.
      await look(later + 40_000)
      expect(await waitingFor(char_id)).toEqual(left)
      const [first, second] = await scheduled(char_id)
      await ended(isBusy ? id : (first?.id ?? ''))
      const next = isBusy ? first : second
      const released = next && (await store.runs.get(next.id))
      expect(released?.waits_for).toBe(next && 'brain')
      await world.ask('characters.delete', { char_id }, key)
    })
  })

  it('at the same moment though named within an hour, one of them comes', async () => {
    clock.set(hour - 60_000)
    const char_id = `ada-${count++}`
    const { max, offset } = placeAfterMinute(`${char_id}/t`, 0)
    const crons = [0, offset / 60].map((minute) => `${minute} 9 * * *`)
    const triggers = crons.map((pattern) => ({ type: 'cron', config: { cron: pattern } }))
    const reliability = { overlap_policy: 'allow', max_jitter_seconds: max }
    const task = { task_id: 't', name: 'T', runtime: 'prompt', triggers, reliability }
    const character = { id: char_id, name: 'Ada', heart: { tasks: [task] } }
    await world.ask('characters.create', { character }, key)
    await look(hour + offset * 1000)
    const subject = { char_id, task_id: 't' }
    const outlook = await world.ask<{ last: Slot[] }>('tasks.schedule', subject, key)
    expect(outlook.last).toMatchObject([{ reason: 'within_hour' }, comes])
    expect(await waitingFor(char_id)).toEqual(['brain'])
  })
})
