import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { taskBytes } from '#src/agents/counted.ts'
import type { Store } from '#src/ports/store.ts'
import { end } from '#src/runs/ending/end-run.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { scheduler } from '#src/work/scheduler.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { startWork } from '#src/work/work.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World, type WorldOptions } from '#tests/support/world.ts'

/** What enables the task of these tests. */
const resume = '`tasks.resume {"char_id":"ada","task_id":"t"}`'

const minuteMs = 60_000
const hourMs = 3_600_000

interface Outlook {
  state: string
  message: string
  next: { at: string; fires_at: string; comes: boolean; reason: string | null }[]
  last: {
    at: string
    fires_at: string
    trigger: string
    status: string
    reason: string | null
    message: string
    run_id: string | null
    to: string | null
    count: number
  }[]
  counters: { fired: number; skipped: Record<string, number> }
}

const cron = (pattern: string): object => ({ type: 'cron', config: { cron: pattern } })
const hourly = { task_id: 't', name: 'T', runtime: 'template', triggers: [cron('0 * * * *')] }
const subject = { char_id: 'ada', task_id: 't' }

describe.each(stores())('the scheduler on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let made: World
  let key: string

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock(Date.parse('2026-03-02T08:30:00Z'))
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    await begin()
  })
  afterEach(() => store.close())

  async function begin(options: WorldOptions = {}): Promise<void> {
    made = openWorld(store, { clock, ...options })
    key = (await made.account()).key
  }

  async function agent(task: object, heart: object = {}): Promise<void> {
    const tasks = [{ ...hourly, ...task }]
    const character = { id: 'ada', name: 'Ada', heart: { ...heart, tasks } }
    await made.ask('characters.create', { character }, key)
  }

  const ask = <T>(name: string, input: object = {}): Promise<T> =>
    made.ask<T>(name, { ...subject, ...input }, key)
  const outlook = (): Promise<Outlook> => ask('tasks.schedule')
  const change = (task: object): Promise<unknown> => ask('tasks.update', { task })
  const runs = (): Promise<StoredRun[]> => store.runs.find({ char_id: 'ada' }, { sort: { id: 1 } })
  const dueAt = async (): Promise<string | null | undefined> =>
    (await store.tasks.get('ada/t'))?.due_at

  /** A look of a scheduler that has just begun, after the time has gone on. */
  async function look(milliseconds = 0): Promise<void> {
    await clock.advance(milliseconds)
    const one = scheduler(made.ports)
    while ((await one.tick(clock.now())) > 0);
  }

  async function goTo(time: string): Promise<void> {
    await look(Date.parse(`2026-03-02T${time}Z`) - clock.now().getTime())
  }

  const ended = async (run: StoredRun | undefined, status = 'completed'): Promise<void> => {
    if (!run) throw new Error('there is no such run')
    const fresh = await store.runs.get(run.id)
    if (!fresh) throw new Error('it is gone')
    const error = { code: 'x', message: 'It broke.' }
    await end(
      made.ports,
      fresh,
      status === 'completed' ? { status, output: 'x' } : { status: 'failed', error },
    )
  }

  it('turns a fire into a slot and a queued run, once', async () => {
    await agent({})
    await goTo('08:59:59')
    expect(await runs()).toEqual([])
    await goTo('09:00:01')
    await look()
    const [run, ...others] = await runs()
    expect(others).toEqual([])
    expect(run).toMatchObject({
      status: 'queued',
      waits_for: 'worker',
      input: null,
      open: 'ada/t',
      trigger: { type: 'cron', at: '2026-03-02T09:00:00.000Z', slot: '2026-03-02T09:00:00.000Z' },
    })
    expect(await dueAt()).toBe('2026-03-02T10:00:00.000Z')
    const { last, counters, state } = await outlook()
    expect(last).toEqual([
      {
        at: '2026-03-02T09:00:00.000Z',
        fires_at: '2026-03-02T09:00:00.000Z',
        trigger: 'cron',
        status: 'fired',
        reason: null,
        message: 'It came.',
        run_id: run?.id,
        to: null,
        count: 1,
      },
    ])
    expect(counters).toEqual({ fired: 1, skipped: {} })
    expect(state).toBe('scheduled')
  })

  it('fires a minute that several triggers name once, and the other minutes too', async () => {
    await agent({ triggers: [cron('0 9 * * *'), cron('0 9,12 * * *'), cron('1 10 * * 1')] })
    await goTo('09:00:00')
    await goTo('10:01:00')
    expect((await outlook()).last).toMatchObject([
      { at: '2026-03-02T10:01:00.000Z', status: 'fired' },
      { at: '2026-03-02T09:00:00.000Z', status: 'fired' },
    ])
  })

  it('fires a task at most once an hour, however many triggers it has and however else it runs', async () => {
    const reliability = { overlap_policy: 'skip' }
    const triggers = [cron('0 * * * *'), cron('30 9,11 * * *')]
    await agent({ runtime: 'prompt', triggers, reliability })
    await clock.advance(15 * minuteMs)
    const manual = await ask<StoredRun>('tasks.run')
    expect((await outlook()).next.map(({ reason }) => reason).slice(0, 5)).toEqual([
      null,
      'within_hour',
      null,
      null,
      'within_hour',
    ])
    // What is skipped for another reason leaves the hour to the next.
    await goTo('09:00:00')
    await ended(manual)
    await goTo('09:30:00')
    expect((await outlook()).next[0]).toMatchObject({ comes: false, reason: 'within_hour' })
    await ended((await runs())[1])
    // An edit begins no new hour.
    await change({ prompt: 'another' })
    await change({ triggers })
    for (const time of ['10:00:00', '11:00:00']) await goTo(time)
    const { last, counters } = await outlook()
    expect(last.map(({ at, reason }) => `${at.slice(11, 16)} ${reason}`)).toEqual([
      '11:00 null',
      '10:00 within_hour',
      '09:30 null',
      '09:00 overlap',
    ])
    expect(last[1]).toMatchObject({ run_id: null, message: expect.stringContaining('an hour') })
    expect(counters).toEqual({ fired: 2, skipped: { overlap: 1, within_hour: 1 } })
  })

  it('moves fires at the top of the hour by the jitter of the task, and judges the window there', async () => {
    const window = { start: '10:05', end: '11:00', days: [1] }
    const reliability = { max_jitter_seconds: 3599, active_window: window }
    await agent({ reliability }, { timezone: 'Europe/Berlin' })
    const { next } = await outlook()
    const [first] = next
    const late = Date.parse(first?.fires_at ?? '') - Date.parse(first?.at ?? '')
    expect(first?.at).toBe('2026-03-02T09:00:00.000Z')
    expect(late).toBeGreaterThan(5 * minuteMs)
    await look(Date.parse(first?.fires_at ?? '') - clock.now().getTime() - 1000)
    expect((await outlook()).last).toEqual([])
    await look(1000)
    expect((await outlook()).last).toMatchObject([{ status: 'fired', fires_at: first?.fires_at }])
    await look(hourMs)
    const after = await outlook()
    expect(after.last[0]).toMatchObject({ status: 'skipped', reason: 'outside_window' })
    expect(after.last[0]?.message).toContain(
      '10:05 to 11:00 on days 1 (0 is Sunday) in Europe/Berlin',
    )
    expect(after.next[0]).toMatchObject({ comes: false, reason: 'outside_window' })
  })

  it('after a stop fires what is less than ten minutes old, and tells the rest in one row', async () => {
    await agent({})
    await goTo('12:09:59')
    const { last, counters } = await outlook()
    expect(last).toMatchObject([
      { at: '2026-03-02T12:00:00.000Z', status: 'fired' },
      {
        at: '2026-03-02T09:00:00.000Z',
        to: '2026-03-02T11:00:00.000Z',
        count: 3,
        reason: 'missed_while_down',
        run_id: null,
      },
    ])
    expect(counters).toEqual({ fired: 1, skipped: { missed_while_down: 3 } })
    expect(await runs()).toHaveLength(1)
  })

  it('after a stop fires nothing that is ten minutes old', async () => {
    await agent({})
    await goTo('12:10:00')
    const { last, message } = await outlook()
    expect(last).toMatchObject([{ count: 4, to: '2026-03-02T12:00:00.000Z' }])
    expect(message).toContain('No scheduler was there in time')
    expect(await runs()).toEqual([])
    expect(await dueAt()).toBe('2026-03-02T13:00:00.000Z')
  })

  it('skips exactly the next fire where asked to', async () => {
    await agent({})
    const task = await ask<{ skip_next_run_at: string; revision: number }>('tasks.skip_next')
    expect(task).toMatchObject({ skip_next_run_at: '2026-03-02T09:00:00.000Z', revision: 2 })
    expect((await store.tasks.get('ada/t'))?.revision).toBe(2)
    expect((await outlook()).next.map(({ reason }) => reason).slice(0, 2)).toEqual([
      'skip_next',
      null,
    ])
    await goTo('09:00:00')
    await goTo('10:00:00')
    expect((await outlook()).last.map(({ reason }) => reason)).toEqual([null, 'skip_next'])
  })

  it('skips a fire while a run goes on where the policy is skip', async () => {
    await agent({ reliability: { overlap_policy: 'skip' } })
    await goTo('09:00:00')
    await goTo('10:00:00')
    expect((await outlook()).last[0]).toMatchObject({ reason: 'overlap', run_id: null })
    await ended((await runs())[0])
    await goTo('11:00:00')
    expect(await runs()).toHaveLength(2)
  })

  it('starts in parallel with an active run where the policy is allow', async () => {
    await agent({})
    await goTo('09:00:00')
    await goTo('10:00:00')
    expect((await runs()).map(({ waits_for }) => waits_for)).toEqual(['worker', 'worker'])
  })

  describe('where the policy is queue', () => {
    const queue = { reliability: { overlap_policy: 'queue', pause_on_failure: true } }

    it('lets one run wait, which the end of the one before lets go', async () => {
      await agent(queue)
      await goTo('09:00:00')
      await goTo('10:00:00')
      await goTo('11:00:00')
      const { last } = await outlook()
      expect(last.map(({ reason }) => reason)).toEqual(['overlap', null, null])
      const [first, second, ...others] = await runs()
      expect(others).toEqual([])
      expect(second).toMatchObject({
        id: last[1]?.run_id,
        status: 'queued',
        reason: 'waiting_for_turn',
        waits_for: 'turn',
        due_at: null,
      })
      await ended(first)
      expect((await runs())[1]).toMatchObject({
        status: 'queued',
        reason: null,
        waits_for: 'worker',
        due_at: '2026-03-02T11:00:00.000Z',
      })
      await goTo('12:00:00')
      expect((await runs())[2]).toMatchObject({ waits_for: 'turn' })
    })

    it('lets it go at the next look where the end of the one before did not see it', async () => {
      await agent(queue)
      await goTo('09:00:00')
      await goTo('10:00:00')
      const [first, second] = await runs()
      // As if the end had been decided on before the other came.
      const over = { status: 'completed', open: null, waits_for: null, due_at: null } as const
      await store.runs.update({ id: first?.id ?? '' }, { $set: over })
      await look(6000)
      expect(await store.runs.get(second?.id ?? '')).toMatchObject({ waits_for: 'worker' })
      await look(6000)
      expect((await store.tasks.get('ada/t'))?.waiting_run).toBeNull()
    })

    it('lets it go however many others wait before it for runs that go on', async () => {
      await agent(queue)
      await goTo('09:00:00')
      await goTo('10:00:00')
      const task = await store.tasks.get('ada/t')
      const [first, second] = await runs()
      if (!task || !first || !second) throw new Error('there is a run that waits')
      for (let i = 0; i < 250; i++) {
        const id = `aaa/${i}`
        const waiting_run = `run_000${i}`
        await store.commit([
          { in: 'tasks', insert: { ...task, id, char_id: 'aaa', due_at: null, waiting_run } },
          { in: 'runs', insert: { ...second, id: waiting_run, char_id: 'aaa', open: id } },
          { in: 'runs', insert: { ...first, id: `run_1_${i}`, char_id: 'aaa', open: id } },
        ])
      }
      const over = { status: 'completed', open: null, waits_for: null, due_at: null } as const
      await store.runs.update({ id: first.id }, { $set: over })
      const one = scheduler(made.ports)
      for (let i = 0; i < 3; i++) {
        await clock.advance(6000)
        await one.tick(clock.now())
      }
      expect(await store.runs.get(second.id)).toMatchObject({ waits_for: 'worker' })
    })

    it('keeps it waiting while another run of the task goes on', async () => {
      await agent(queue)
      await goTo('09:00:00')
      await change({ reliability: { overlap_policy: 'allow' } })
      await goTo('10:00:00')
      await change({ reliability: { overlap_policy: 'queue' } })
      await goTo('11:00:00')
      const [first, second, third] = await runs()
      await ended(first)
      await look(6000)
      expect(await store.runs.get(third?.id ?? '')).toMatchObject({ waits_for: 'turn' })
      await ended(second)
      expect(await store.runs.get(third?.id ?? '')).toMatchObject({ waits_for: 'worker' })
    })

    it('skips it where the failure before pauses the task', async () => {
      await agent(queue)
      await goTo('09:00:00')
      await goTo('10:00:00')
      await ended((await runs())[0], 'failed')
      expect((await runs())[1]).toMatchObject({
        status: 'skipped',
        reason: 'task_disabled',
        finished_at: '2026-03-02T10:00:00.000Z',
        open: null,
      })
    })

    it('goes on after the one that waited was cancelled', async () => {
      await agent(queue)
      await goTo('09:00:00')
      await goTo('10:00:00')
      const [first, second] = await runs()
      await made.ask('runs.cancel', { run_id: second?.id }, key)
      await goTo('11:00:00')
      const [, , third] = await runs()
      expect(third).toMatchObject({ waits_for: 'turn' })
      await ended(first)
      expect(await store.runs.get(third?.id ?? '')).toMatchObject({ waits_for: 'worker' })
    })
  })

  it('pauses the task after a failed run, and tells the owner and the listeners', async () => {
    await agent({ reliability: { pause_on_failure: true } })
    const listening = { name: 'L', triggers: [{ type: 'event', config: { event: 'task.paused' } }] }
    await made.ask('tasks.create', { char_id: 'ada', task: listening }, key)
    await goTo('09:00:00')
    const [run] = await runs()
    await ended(run, 'failed')
    const paused = await store.tasks.get('ada/t')
    expect(paused).toMatchObject({ enabled: false, revision: 2 })
    expect(paused?.reliability?.pause_reason).toBe(`The run ${run?.id} failed.`)
    const [notice] = await store.notices.find({})
    expect(notice).toMatchObject({
      type: 'task.paused',
      task_id: 't',
      run_id: run?.id,
      owner_id: paused?.owner_id,
    })
    const [event] = await store.events.find({ type: 'task.paused' })
    expect(event?.data).toMatchObject({ char_id: 'ada', task_id: 't', run_id: run?.id })
    await goTo('10:00:00')
    const { state, message, next } = await outlook()
    expect([state, message]).toEqual([
      'paused',
      `The task is paused: The run ${run?.id} failed. ${resume} enables it.`,
    ])
    expect(next[0]).toMatchObject({ comes: false, reason: 'task_disabled' })
    expect((await ask<{ reliability: object }>('tasks.resume')).reliability).toMatchObject({
      pause_reason: null,
    })
    await goTo('11:00:00')
    expect(await runs()).toHaveLength(2)
  })

  it('leaves a task alone that was changed or deleted while its run failed', async () => {
    await agent({ reliability: { pause_on_failure: true } })
    await goTo('09:00:00')
    await goTo('10:00:00')
    const [first, second] = await runs()
    const stale = await store.tasks.get('ada/t')
    await change({ reliability: { pause_on_failure: false } })
    const failed = { status: 'failed', error: { code: 'x', message: 'x' } } as const
    if (first) await end(made.ports, first, failed, stale)
    expect(await store.tasks.get('ada/t')).toMatchObject({ enabled: true })
    await store.tasks.delete({ id: 'ada/t' })
    if (second) await end(made.ports, second, failed, stale)
    expect(await store.runs.get(second?.id ?? '')).toMatchObject({ status: 'failed' })
  })

  it('records why a fire was skipped where the task was paused just before', async () => {
    await agent({})
    await clock.advance(Date.parse('2026-03-02T09:00:00Z') - clock.now().getTime())
    await ask('tasks.pause', { reason: 'Not today.' })
    await look()
    expect((await outlook()).last).toMatchObject([
      { status: 'skipped', reason: 'task_disabled', message: 'The task is paused: Not today.' },
    ])
    expect(await dueAt()).toBe('2026-03-02T10:00:00.000Z')
  })

  it('tells what came while the task was disabled in one row, until the reason changes', async () => {
    await agent({ enabled: false })
    const owner = { accountId: (await store.tasks.get('ada/t'))?.owner_id ?? '', claimed: false }
    const bytes = async () => (await made.ports.quotas.usage(owner)).stored_bytes
    const [before, asMade] = [await bytes(), await store.tasks.find({})]
    for (const time of ['09:00:00', '10:00:00', '12:30:00']) await goTo(time)
    await ask('tasks.pause', { reason: 'Holidays.' })
    await goTo('13:00:00')
    await ask('tasks.resume')
    await goTo('14:00:00')
    const off = { status: 'skipped', reason: 'task_disabled', run_id: null }
    const { last, counters } = await outlook()
    expect(last).toMatchObject([
      { at: '2026-03-02T14:00:00.000Z', status: 'fired' },
      { ...off, at: '2026-03-02T13:00:00.000Z', to: null, count: 1 },
      { ...off, at: '2026-03-02T09:00:00.000Z', to: '2026-03-02T12:00:00.000Z', count: 4 },
    ])
    expect(last.slice(1).map(({ message }) => message)).toEqual([
      'The task is paused: Holidays.',
      'The task is disabled.',
    ])
    expect(counters).toEqual({ fired: 1, skipped: { task_disabled: 5 } })
    const rows = [...(await store.slots.find({})), ...(await runs())]
    const grown = taskBytes(await store.tasks.find({})) - taskBytes(asMade)
    const counted = rows.reduce((sum, row) => sum + (row.bytes ?? 0), grown)
    expect((await bytes()) - before).toBe(counted)
  })

  it('begins another row of a disabled task after thirty days', async () => {
    await agent({ enabled: false })
    const day = 24 * hourMs
    for (const days of [0.5, 29, 1, 29]) await look(days * day)
    expect((await outlook()).last).toMatchObject([
      { at: '2026-03-31T21:00:00.000Z', to: '2026-04-30T20:00:00.000Z', count: 720 },
      { at: '2026-03-02T09:00:00.000Z', to: '2026-03-31T20:00:00.000Z', count: 708 },
    ])
  })

  it('does not fire what came while the task was disabled, and tells of it', async () => {
    await agent({})
    await ask('tasks.pause')
    await clock.advance(2 * hourMs)
    await change({ enabled: true })
    await change({ prompt: 'another' })
    await goTo('11:00:05')
    expect((await outlook()).last).toMatchObject([
      { at: '2026-03-02T11:00:00.000Z', status: 'fired' },
      { at: '2026-03-02T09:00:00.000Z', to: '2026-03-02T10:00:00.000Z', reason: 'task_disabled' },
    ])
    expect((await outlook()).last[1]?.message).toBe('The task was disabled then.')
    expect((await outlook()).counters).toEqual({ fired: 1, skipped: { task_disabled: 2 } })
    expect((await store.tasks.get('ada/t'))?.disabled_until).toBeNull()
    await ask('tasks.pause')
    await clock.advance(hourMs)
    await ask('tasks.resume')
    await look(hourMs)
    expect((await outlook()).last.map(({ reason }) => reason)).toEqual([
      null,
      'task_disabled',
      null,
      'task_disabled',
    ])
  })

  it('keeps a fire that is still to come when the task is changed, and counts a new schedule from now', async () => {
    await agent({})
    await clock.advance(Date.parse('2026-03-02T09:00:02Z') - clock.now().getTime())
    await change({ prompt: 'another' })
    await look()
    expect(await runs()).toHaveLength(1)
    await clock.advance(hourMs)
    await change({ triggers: [cron('30 * * * *')] })
    await look()
    expect(await runs()).toHaveLength(1)
    expect(await dueAt()).toBe('2026-03-02T10:30:00.000Z')
  })

  it('gives way to a change that comes between its look and its commit', async () => {
    await agent({})
    await clock.advance(Date.parse('2026-03-02T09:00:00Z') - clock.now().getTime())
    const late: Store = {
      ...store,
      async commit(writes) {
        if (writes.some((write) => write.in === 'slots')) {
          await change({ triggers: [cron('45 * * * *')] })
        }
        await store.commit(writes)
      },
    }
    await scheduler({ ...made.ports, store: late }).tick(clock.now())
    expect(await runs()).toEqual([])
    expect(await dueAt()).toBe('2026-03-02T09:45:00.000Z')
  })

  it('does not undo a fire by a change that was decided on before it', async () => {
    await agent({})
    await clock.advance(Date.parse('2026-03-02T09:00:00Z') - clock.now().getTime())
    const stale: Store = {
      ...store,
      async commit(writes) {
        await look()
        await store.commit(writes)
      },
    }
    const other = openWorld(stale, { clock })
    await other.ask('tasks.update', { ...subject, task: { prompt: 'new' } }, key)
    expect(await store.tasks.get('ada/t')).toMatchObject({
      prompt: 'new',
      due_at: '2026-03-02T10:00:00.000Z',
      fire_counts: { fired: 1 },
    })
  })

  it('fires each slot once when two look at the same time, again and again', async () => {
    const tasks = Array.from({ length: 40 }, (_, i) => ({ ...hourly, task_id: `t${i}` }))
    const character = { id: 'ada', name: 'Ada', heart: { tasks } }
    await made.ask('characters.create', { character }, key)
    const others = [made, openWorld(store, { clock }), openWorld(store, { clock })]
    const all = others.map(({ ports }) => scheduler(ports))
    for (let hour = 1; hour <= 5; hour++) {
      await clock.advance(hour === 1 ? 30 * minuteMs : hourMs)
      await Promise.all(
        all.map(async (one) => {
          while ((await one.tick(clock.now())) > 0);
        }),
      )
    }
    const fired = await runs()
    expect(fired).toHaveLength(200)
    expect(new Set(fired.map((run) => `${run.task_id} ${run.trigger.slot}`)).size).toBe(200)
    expect(await store.slots.count({ status: 'fired' })).toBe(200)
  })

  it('fires nothing twice when the clock goes back an hour', async () => {
    await agent({})
    for (const time of ['09:00:00', '10:00:00', '11:00:00']) await goTo(time)
    clock.set(Date.parse('2026-03-02T09:00:30Z'))
    await look()
    // Planned again while the clock shows a time that has been before.
    await change({ triggers: [cron('0 * * * *'), cron('45 9 * * *')] })
    for (const time of ['09:45:00', '10:00:00', '11:00:00', '12:00:00']) await goTo(time)
    const { last } = await outlook()
    expect(last.map(({ at }) => at.slice(11, 16))).toEqual([
      '12:00',
      '11:00',
      '10:00',
      '09:45',
      '09:00',
    ])
    expect(await runs()).toHaveLength(5)
    expect((await outlook()).counters).toEqual({ fired: 5, skipped: {} })
  })

  it('loses no new fire behind one that was decided on when the time was another one', async () => {
    await agent({})
    await goTo('09:00:00')
    await goTo('10:00:00')
    clock.set(Date.parse('2026-03-02T09:20:00Z'))
    await change({ triggers: [cron('0 * * * *'), cron('15 * * * *')] })
    await goTo('11:15:00')
    expect((await outlook()).last.map(({ at }) => at.slice(11, 16))).toEqual([
      '11:15',
      '10:00',
      '09:00',
    ])
    expect(await dueAt()).toBe('2026-03-02T12:00:00.000Z')
  })

  it('makes up for what a clock that jumps an hour ahead leaves out, as after a stop', async () => {
    await agent({ triggers: [cron('30 * * * *'), cron('50 * * * *')] })
    await goTo('08:50:00')
    clock.set(Date.parse('2026-03-02T09:50:00Z'))
    await look()
    expect((await outlook()).last.slice(0, 2)).toMatchObject([
      { at: '2026-03-02T09:50:00.000Z', status: 'fired' },
      { at: '2026-03-02T09:30:00.000Z', reason: 'missed_while_down', count: 1 },
    ])
  })

  it('runs the heartbeat task by the interval of its agent, and follows its changes', async () => {
    await agent({ triggers: [], task_id: 'heartbeat' }, { heartbeat_interval: '2h' })
    const beat = (): Promise<Outlook> => ask('tasks.schedule', { task_id: 'heartbeat' })
    const heart = (change: object): Promise<unknown> =>
      made.ask('characters.update', { char_id: 'ada', character: { heart: change } }, key)
    await goTo('10:00:00')
    expect((await beat()).last).toMatchObject([
      { at: '2026-03-02T10:00:00.000Z', trigger: 'heartbeat', status: 'fired' },
    ])
    expect((await runs())[0]?.trigger.type).toBe('heartbeat')
    await heart({ heartbeat_interval: '90m' })
    await goTo('10:30:00')
    await goTo('12:00:00')
    expect((await beat()).last.map(({ at, reason }) => [at.slice(11, 16), reason])).toEqual([
      ['12:00', null],
      ['10:30', 'within_hour'],
      ['10:00', null],
    ])
    await heart({ heartbeat_interval: null })
    expect(await beat()).toMatchObject({
      state: 'no_schedule',
      message:
        'It is called heartbeat, but its agent has no heartbeat_interval, and it has no trigger of type cron.',
      next: [],
    })
    await goTo('15:00:00')
    expect(await runs()).toHaveLength(2)
    await heart({ heartbeat_interval: '1h' })
    await ask('tasks.update', { task_id: 'heartbeat', task: { prompt: 'x' } })
    await goTo('16:00:00')
    expect(await runs()).toHaveLength(3)
  })

  it('says that a task runs on request only, and records its fires as such', async () => {
    await agent({ autonomy: 'manual' })
    await goTo('09:00:00')
    expect(await outlook()).toMatchObject({
      state: 'autonomy_manual',
      last: [{ reason: 'autonomy_manual' }],
    })
  })

  it('says that a window lets nothing pass, and that no process looks', async () => {
    const window = { start: '03:30', end: '03:40' }
    await agent({ reliability: { active_window: window } })
    expect(await outlook()).toMatchObject({ state: 'outside_window' })
    expect(await made.refusal('tasks.skip_next', subject, key)).toMatchObject({
      code: 'nothing_scheduled',
    })
    await change({ reliability: { active_window: null } })
    await clock.advance(2 * hourMs)
    const { state, message } = await outlook()
    expect(state).toBe('overdue')
    expect(message).toContain('2026-03-02T09:00:00.000Z')
  })

  it('skips fires beyond the quota of runs, and says so', async () => {
    const limits = { ...noQuotas.unclaimed, runs_a_day: 2 }
    await begin({ quotas: { unclaimed: limits, claimed: { ...limits, runs_a_day: 50 } } })
    await agent({})
    for (const time of ['09:00:00', '10:00:00', '11:00:00']) await goTo(time)
    expect((await outlook()).last.map(({ reason }) => reason)).toEqual(['quota', null, null])
    expect(await runs()).toHaveLength(2)
  })

  it('skips fires beyond the queue, and says so', async () => {
    const limits = { ...noQuotas.unclaimed, queued_runs: 2 }
    await begin({ quotas: { unclaimed: limits, claimed: limits } })
    await agent({})
    for (const time of ['09:00:00', '10:00:00', '11:00:00']) await goTo(time)
    expect((await outlook()).last.map(({ reason }) => reason)).toEqual(['quota', null, null])
    expect(await runs()).toHaveLength(2)
  })

  it('plans the tasks of a store that was filled before there were schedules, once', async () => {
    await agent({})
    await made.ask(
      'tasks.create',
      { char_id: 'ada', task: { ...hourly, task_id: 'off', enabled: false } },
      key,
    )
    for (const id of ['ada/t', 'ada/off']) {
      await store.tasks.update({ id }, { $unset: { due_at: true } })
    }
    await look()
    expect(await dueAt()).toBe('2026-03-02T09:00:00.000Z')
    expect((await store.tasks.get('ada/off'))?.due_at).toBe('2026-03-02T09:00:00.000Z')
    await store.tasks.update({ id: 'ada/t' }, { $set: { due_at: null } })
    await look()
    expect(await dueAt(), 'only a store without the record is looked through').toBeNull()
  })

  it('is woken each second where the process has that role, and stops with it', async () => {
    await agent({})
    const [next] = (await outlook()).next
    const due = Date.parse(next?.fires_at ?? '')
    const work = startWork(made.ports, ['scheduler'], 1)
    await clock.advance(due - 1500 - clock.now().getTime())
    expect(await runs()).toEqual([])
    const queued = new Promise((resolve) => made.ports.wake.connect('runs', resolve))
    await clock.advance(3000)
    await queued
    const [run] = await runs()
    expect(Date.parse(run?.created_at ?? '') - due).toBeLessThanOrEqual(1500)
    await work.stop()
    await clock.advance(2 * hourMs)
    expect(await runs()).toHaveLength(1)
  })

  it('forgets slots after ninety days, until when they count for the account', async () => {
    await agent({})
    const accountId = (await store.tasks.get('ada/t'))?.owner_id ?? ''
    const bytes = async () =>
      (await made.ports.quotas.usage({ accountId, claimed: false })).stored_bytes
    const before = await bytes()
    await goTo('09:00:00')
    const [slot] = await store.slots.find({})
    const [run] = await store.runs.find({})
    expect((await bytes()) - before).toBe((slot?.bytes ?? 0) + (run?.bytes ?? 0))
    await upkeep(made.ports, new Date(clock.now().getTime() + 90 * 24 * hourMs - 1000))
    expect(await store.slots.count({})).toBe(1)
    await upkeep(made.ports, new Date(clock.now().getTime() + 90 * 24 * hourMs + 1000))
    expect(await store.slots.count({})).toBe(0)
    expect((await bytes()) - before).toBe(run?.bytes)
  })

  it('counts what is skipped, and keeps no slot of it, where the account has no room left', async () => {
    const quotas = { ...noQuotas.unclaimed, stored_bytes: 1_000_000 }
    await begin({ quotas: { claimed: quotas, unclaimed: quotas } })
    await agent({ autonomy: 'manual' })
    made.ports.quotas.addBytes((await store.tasks.get('ada/t'))?.owner_id ?? '', 1_000_000)
    await goTo('09:00:00')
    expect(await store.slots.count({})).toBe(0)
    expect((await outlook()).counters).toEqual({ fired: 0, skipped: { autonomy_manual: 1 } })
  })

  it('moves the revisions of task and agent when a task is paused, and tells only of the first pause', async () => {
    await agent({})
    const listening = { name: 'L', triggers: [{ type: 'event', config: { event: 'task.paused' } }] }
    await made.ask('tasks.create', { char_id: 'ada', task: listening }, key)
    const revision = async (): Promise<number> =>
      (await made.ask<{ revision: number }>('characters.get', { char_id: 'ada' }, key)).revision
    const before = await revision()
    await ask('tasks.pause', { reason: 'One.' })
    await ask('tasks.pause', { reason: 'Two.' })
    expect(await revision()).toBe(before + 2)
    expect(await store.events.count({ type: 'task.paused' })).toBe(1)
    expect((await outlook()).message).toBe(`The task is paused: Two. ${resume} enables it.`)
  })
})
