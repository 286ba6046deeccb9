import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { end } from '#src/runs/ending/end-run.ts'
import { jitterSeconds } from '#src/agents/tasks/schedule/jitter.ts'
import { scheduler } from '#src/work/scheduler.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import {
  beginnings,
  oracleCurrent,
  oracleFires,
  oracleReason,
  patterns,
  windows,
  zones,
  type OracleFire,
  type OracleSchedule,
} from '#tests/support/schedule-oracle.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

type Policy = 'skip' | 'queue' | 'allow'
type Deed = 'nothing' | 'end' | 'pause' | 'resume'

/** What a slot comes to, in short. */
interface Row {
  at: string
  reason: string | null
  to: string | null
  count: number
  /** Whether a task that was enabled by then tells of the time before. */
  isPast?: boolean
}

/** What is expected of one task, told without the product: its slots, and its runs by how they stand. */
class Expected {
  readonly rows: Row[] = []
  readonly #schedule: OracleSchedule
  readonly #about: Parameters<typeof oracleReason>[2]
  readonly #policy: Policy
  #seen: number
  #isEnabled = true
  #last: number | null = null
  going = 0
  isWaiting = false
  skipped = 0

  constructor(
    schedule: OracleSchedule,
    about: Parameters<typeof oracleReason>[2],
    policy: Policy,
    now: number,
  ) {
    this.#schedule = schedule
    this.#about = about
    this.#policy = policy
    this.#seen = now
  }

  do(deed: Deed): void {
    if (deed === 'pause') this.#isEnabled = false
    if (deed === 'resume') this.#isEnabled = true
    if (deed !== 'end' || this.going === 0) return
    this.going -= 1
    if (this.going > 0 || !this.isWaiting) return
    this.isWaiting = false
    if (this.#isEnabled) this.going += 1
    else this.skipped += 1
  }

  look(now: number, wasEnabled: boolean): void {
    const fires = oracleFires(this.#schedule, this.#seen + 1, now + 1)
    this.#seen = now
    if (fires.length === 0) return
    if (!this.#isEnabled || !wasEnabled) return this.#tellDisabled(fires)
    const current = oracleCurrent(fires, now)
    const missed = fires.filter((fire) => !current.includes(fire))
    if (missed.length > 0) {
      const times = missed.map(({ at }) => at)
      const to = iso(Math.max(...times))
      const row = { at: iso(Math.min(...times)), to, count: missed.length }
      this.rows.push({ ...row, reason: 'missed_while_down' })
    }
    for (const fire of current) {
      this.rows.push({ at: iso(fire.at), reason: this.#reason(fire), to: null, count: 1 })
    }
  }

  /** In one row while the last one says the same, of at most thirty days. */
  #tellDisabled(fires: readonly OracleFire[]): void {
    const times = fires.map(({ at }) => at)
    const [last] = this.rows.toSorted((a, b) => (a.at < b.at ? 1 : -1))
    const isSame = last?.reason === 'task_disabled' && last.isPast === this.#isEnabled
    if (isSame && Math.max(...times) - Date.parse(last.at) < 30 * 24 * hourMs) {
      times.push(Date.parse(last.at), Date.parse(last.to ?? last.at))
      last.at = iso(Math.min(...times))
      last.to = iso(Math.max(...times))
      last.count += fires.length
      return
    }
    const to = fires.length > 1 ? iso(Math.max(...times)) : null
    const told = { at: iso(Math.min(...times)), to, count: fires.length }
    this.rows.push({ ...told, reason: 'task_disabled', isPast: this.#isEnabled })
  }

  #reason(fire: OracleFire): string | null {
    const hour = oracleReason(fire, this.#schedule, this.#about, this.#last)
    if (hour) return hour
    const isBusy = this.going > 0 || this.isWaiting
    if (isBusy && this.#policy === 'skip') return 'overlap'
    if (isBusy && this.#policy === 'queue') {
      if (this.isWaiting) return 'overlap'
      this.isWaiting = true
    } else this.going += 1
    this.#last = fire.at
    return null
  }

  get isEnabled(): boolean {
    return this.#isEnabled
  }
}

const iso = (time: number): string => new Date(time).toISOString()

const lives = fc.record({
  named: fc.array(patterns, { maxLength: 2 }),
  heartbeat: fc.option(fc.constantFrom(60, 90, 180), { nil: null }),
  jitter: fc.constantFrom(0, 0, 600, 3599),
  window: fc.option(windows, { nil: null }),
  zone: zones,
  policy: fc.constantFrom<Policy>('skip', 'skip', 'queue', 'queue', 'queue', 'allow'),
  from: beginnings,
  steps: fc.array(
    fc.record({
      // So long, or, where a task is due, so long after that.
      wait: fc.integer({ min: 1, max: 12 * minuteMs }),
      afterDue: fc.integer({ min: 0, max: 3 }).map((one) => one > 0),
      much: fc.integer({ min: 0, max: 9 }).map((one) => (one === 0 ? 7 : 1)),
      deed: fc.oneof(
        { weight: 8, arbitrary: fc.constant<Deed>('nothing') },
        { weight: 3, arbitrary: fc.constant<Deed>('end') },
        { weight: 1, arbitrary: fc.constant<Deed>('pause') },
        { weight: 2, arbitrary: fc.constant<Deed>('resume') },
      ),
    }),
    { minLength: 20, maxLength: 60 },
  ),
})

describe.each(oneStore())('a task on $name', (kind) => {
  it('fires as the oracle says, for any schedule, window, runs and pauses', async () => {
    const opened = await kind.open()
    const clock = fakeClock(0)
    const store: Store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    const world = openWorld(store, { clock })
    const { ports } = world
    const { key } = await world.account()
    const seen = new Map<string | null, number>()
    let lived = 0

    const live = async (life: typeof lives extends fc.Arbitrary<infer T> ? T : never) => {
      const { named, heartbeat, jitter, window, zone, policy, steps } = life
      clock.set(life.from)
      const char_id = `a${lived++}`
      const task_id = heartbeat === null ? 't' : 'heartbeat'
      const subject = { char_id, task_id }
      const reliability = {
        overlap_policy: policy,
        max_jitter_seconds: jitter,
        active_window: window,
      }
      const triggers = named.map(({ text }) => ({ type: 'cron', config: { cron: text } }))
      const task = { task_id, name: 'T', runtime: 'template', triggers, reliability }
      const heartbeat_interval = heartbeat === null ? null : `${heartbeat}m`
      const heart = { heartbeat_interval, timezone: zone, tasks: [task] }
      await world.ask('characters.create', { character: { id: char_id, name: 'A', heart } }, key)
      const expected = new Expected(
        {
          patterns: named,
          heartbeatMinutes: heartbeat,
          jitterSeconds: jitterSeconds(`${char_id}/${task_id}`, jitter),
        },
        { window, zone, skip: null },
        policy,
        life.from,
      )
      const looking = scheduler(ports)
      for (const { wait, afterDue, much, deed } of steps) {
        const due = (await store.tasks.get(`${char_id}/${task_id}`))?.due_at
        const isNear = due != null && Date.parse(due) - clock.now().getTime() < 30 * hourMs
        const base = afterDue && isNear ? Date.parse(due) : clock.now().getTime()
        clock.set(base + wait * much)
        const now = clock.now().getTime()
        const wasEnabled = expected.isEnabled
        expected.do(deed)
        if (deed === 'end') {
          const filter = { char_id, waits_for: 'worker' } as const
          const [run] = await store.runs.find(filter, { sort: { id: 1 }, limit: 1 })
          if (run) await end(ports, run, { status: 'completed', output: 'x' })
        } else if (deed !== 'nothing') await world.ask(`tasks.${deed}`, subject, key)
        expected.look(now, wasEnabled)
        await looking.tick(clock.now())
      }
      const slots = await store.slots.find({ char_id })
      const rows = slots.map(({ at, reason, to, count }): Row => ({ at, reason, to, count }))
      const sorted = (all: Row[]): Row[] => all.toSorted((a, b) => (a.at < b.at ? -1 : 1))
      const told = expected.rows.map(({ isPast: _isPast, ...row }) => row)
      expect(sorted(rows)).toEqual(sorted(told))
      for (const { reason } of rows) seen.set(reason, (seen.get(reason) ?? 0) + 1)
      const fired = expected.rows.filter(({ reason }) => reason === null).length
      expect(await store.runs.count({ char_id })).toBe(fired)
      expect(await store.runs.count({ char_id, waits_for: 'worker' })).toBe(expected.going)
      expect(await store.runs.count({ char_id, waits_for: 'turn' })).toBe(
        expected.isWaiting ? 1 : 0,
      )
      expect(await store.runs.count({ char_id, status: 'skipped' })).toBe(expected.skipped)
      // Of the next one nothing is to come due.
      await world.ask('characters.delete', { char_id }, key)
    }

    try {
      await fc.assert(fc.asyncProperty(lives, live), {
        numRuns: kind.name === 'sqlite' ? 80 : 30,
        endOnFailure: true,
      })
    } finally {
      await store.close()
    }
    for (const reason of [
      null,
      'overlap',
      'outside_window',
      'within_hour',
      'missed_while_down',
      'task_disabled',
    ]) {
      expect(seen.get(reason) ?? 0, `slots that end as ${reason}`).toBeGreaterThan(0)
    }
  })
})
