import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { Simulation } from '#src/runs/simulations/answer.ts'
import { simulated } from '#src/runs/simulations/simulate.ts'
import { scheduler } from '#src/work/scheduler.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { oneStore } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World } from '#tests/support/world.ts'

const hourMs = 3_600_000
const from = '2026-03-02T08:30:00.000Z'

const cron = (pattern: string): object[] => [{ type: 'cron', config: { cron: pattern } }]
const to = (agent: string, task?: string): object => ({
  enabled: true,
  target_agent_id: agent,
  target_task_id: task ?? null,
})

describe.each(oneStore())('a simulation on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let made: World
  let key: string

  beforeEach(async () => {
    clock = fakeClock(Date.parse(from))
    store = await kind.open()
    made = openWorld(store, { clock })
    key = (await made.account()).key
  })
  afterEach(() => store.close())

  const agent = (id: string, tasks: object[], heart: object = {}): Promise<unknown> => {
    const named = tasks.map((task, i) => ({ task_id: `t${i}`, name: 'T', ...task }))
    const character = { id, name: id, heart: { ...heart, tasks: named } }
    return made.ask('characters.create', { character }, key)
  }
  const simulate = (input: object = {}): Promise<Simulation> =>
    made.ask<Simulation>('tasks.simulate', { char_id: 'ada', ...input }, key)

  it.each(['9999-12-31T23:59:59Z', '0000-01-01T00:00:00+23:59'])(
    'is not played from %s on, as its times could not be written',
    async (beginning) => {
      await agent('ada', [{ triggers: cron('5 * * * *') }])
      const input = { char_id: 'ada', from: beginning, days: 31 }
      expect(await made.refusal('tasks.simulate', input, key)).toMatchObject({
        code: 'invalid_input',
        errors: [{ pointer: '/from' }],
      })
    },
  )

  it('says the same as the scheduler does when the days come, and changes nothing', async () => {
    const window = { start: '10:00', end: '16:00', days: [1, 2, 3, 4, 5] }
    const reliability = { max_jitter_seconds: 900, active_window: window }
    await agent(
      'ada',
      [
        { triggers: cron('0 */3 * * *'), reliability },
        { triggers: cron('20 7 * * 1,3'), skip_next_run_at: '2026-03-03T00:00:00Z' },
        { task_id: 'heartbeat', reliability: { max_jitter_seconds: 60 } },
        { triggers: cron('5 * * * *'), enabled: false },
        { triggers: cron('6 12 * * *'), autonomy: 'manual' },
        { triggers: ['10 8 * * *', '40 8,9 * * *', '10 9 * * *'].flatMap(cron) },
      ],
      { heartbeat_interval: '5h', timezone: 'America/New_York' },
    )
    const before = JSON.stringify(await store.tasks.find({}))
    const week = await simulate()
    expect(JSON.stringify(await store.tasks.find({}))).toBe(before)
    expect([await store.runs.count({}), await store.slots.count({})]).toEqual([0, 0])

    const looking = scheduler(made.ports)
    for (let minutes = 0; minutes < 7 * 24 * 60; minutes += 5) {
      clock.set(Date.parse(from) + minutes * 60_000)
      while ((await looking.tick(clock.now())) > 0);
    }
    const slots = await store.slots.find({}, { sort: { at: 1 } })
    const shown = (rows: { char_id: string; task_id: string; at: string }[]): string[] =>
      rows.map(({ task_id, at }) => `${at} ${task_id}`).sort()
    expect(shown(week.fires)).toEqual(shown(slots.filter(({ status }) => status === 'fired')))
    const listed = week.skips.filter(({ count }) => count === 1)
    const isOff = ({ task_id }: { task_id: string }): boolean => ['t3', 't4'].includes(task_id)
    const skipped = slots.filter((slot) => slot.reason !== null && !isOff(slot))
    expect(shown(listed)).toEqual(shown(skipped))
    expect(listed.map(({ at, reason }) => `${at} ${reason}`).sort()).toEqual(
      skipped.map(({ at, reason }) => `${at} ${reason}`).sort(),
    )
    expect(week.counts.fires).toBe(week.fires.length)
    // A task that is off is told in one line, however often it does not come.
    const silent = week.skips.filter(({ count }) => count > 1)
    expect(silent).toMatchObject([
      { task_id: 't3', reason: 'task_disabled', count: 168, to: '2026-03-09T08:05:00.000Z' },
      { task_id: 't4', reason: 'autonomy_manual', count: 7 },
    ])
    const { at, to, count } = silent[0] ?? {}
    expect(slots.filter(({ task_id }) => task_id === 't3')).toMatchObject([{ at, to, count }])
    expect(week.counts.skips).toMatchObject({
      task_disabled: 168,
      autonomy_manual: 7,
      within_hour: 13,
      skip_next: 1,
    })
  })

  it('follows handoffs to a task, to those that listen, and to the inbox', async () => {
    const daily = cron('0 9 * * *')
    await agent('ada', [
      { triggers: daily, output_sharing: to('bob', 't0') },
      { triggers: daily, output_sharing: to('bob') },
      { triggers: daily, output_sharing: to('cleo') },
      { triggers: daily, output_sharing: to('absent') },
      { triggers: daily, output_sharing: to('bob', 'gone') },
      { triggers: daily, output_sharing: to('bob', 't3') },
      { triggers: daily, output_sharing: to('bob', 't0'), selected_connections: ['cleo'] },
    ])
    await agent('bob', [
      { output_sharing: to('cleo') },
      { triggers: [{ type: 'message', config: { from_agent_id: 'ada' } }] },
      { triggers: [{ type: 'message', config: { from_agent_id: 'cleo' } }] },
      { enabled: false },
    ])
    await agent('cleo', [])
    const { handoffs, counts } = await simulate({ days: 1 })
    const told = handoffs.map(({ from: { task_id }, to: target, outcome, reason, depth }) =>
      [task_id, target.char_id, target.task_id, outcome, reason, depth].join(' '),
    )
    expect(told.sort()).toEqual([
      't0 bob t0 run  1',
      't0 cleo  inbox no_listener 2',
      't1 bob t1 run  1',
      't2 cleo  inbox no_listener 1',
      't3 absent  dropped no_such_agent 1',
      't4 bob gone dropped no_such_task 1',
      't5 bob t3 skipped task_disabled 1',
      't6 bob t0 dropped not_selected 1',
    ])
    expect(counts.handoffs).toEqual({ run: 2, inbox: 2, dropped: 3, skipped: 1 })
    expect(counts.runs).toBe(9)
  })

  it('ends a circle of handoffs where life would end it', async () => {
    await agent('ada', [{ triggers: cron('0 9 * * *'), output_sharing: to('ada', 't0') }])
    const { handoffs } = await simulate({ days: 1 })
    expect(handoffs.map(({ depth, outcome }) => `${depth} ${outcome}`)).toEqual([
      ...Array.from({ length: 8 }, (_, i) => `${i + 1} run`),
      '9 dropped',
    ])
    expect(handoffs[8]).toMatchObject({
      reason: 'chain_too_deep',
      message: 'The chain is 8 runs deep.',
    })
  })

  it('lets no run set off more than a hundred', async () => {
    const listening = { triggers: [{ type: 'message' }], output_sharing: to('ada') }
    const tasks = Array.from({ length: 30 }, () => listening)
    await agent('ada', [{ triggers: cron('0 9 * * *'), output_sharing: to('ada') }, ...tasks])
    const { counts, handoffs } = await simulate({ days: 1 })
    expect(counts.runs).toBe(100)
    expect(handoffs.some(({ reason }) => reason === 'too_many_runs')).toBe(true)
  })

  it('plays every agent of an app, by the names that its manifest gives them', async () => {
    const sharing = { enabled: true, target_agent_id: 'two' }
    const daily = { task_id: 'd', name: 'D', triggers: cron('0 9 * * *') }
    const manifest = {
      app_id: 'crew',
      name: 'Crew',
      agents: [
        { local_id: 'one', name: 'One', heart: { tasks: [{ ...daily, output_sharing: sharing }] } },
        { local_id: 'two', name: 'Two', heart: { tasks: [daily] } },
      ],
    }
    await made.ask('agent_apps.provision', { manifest }, key)
    const alone = await simulate({ char_id: 'crew--one' })
    const all = await simulate({ char_id: 'crew--one', app_id: 'crew' })
    expect([alone.counts.fires, all.counts.fires, all.tasks]).toEqual([7, 14, 2])
    expect(all.handoffs[0]?.to).toEqual({ char_id: 'crew--two', task_id: null })
  })

  it('counts the quota of runs for each day', async () => {
    const limits = { ...noQuotas.unclaimed, runs_a_day: 5 }
    made = openWorld(store, { clock, quotas: { unclaimed: limits, claimed: limits } })
    await agent('ada', [
      { triggers: cron('0 */6 * * *'), output_sharing: to('ada', 't1') },
      { output_sharing: to('ada', 't2') },
      {},
    ])
    const { fires, skips, handoffs } = await simulate({ from: '2026-03-03T00:00:00Z', days: 2 })
    expect(fires.map(({ at }) => at.slice(5, 13))).toEqual([
      '03-03T00',
      '03-03T06',
      '03-04T00',
      '03-04T06',
    ])
    expect(skips).toHaveLength(4)
    expect(new Set(skips.map(({ reason }) => reason))).toEqual(new Set(['quota']))
    const day = handoffs.slice(0, 4).map(({ outcome, reason }) => `${outcome} ${reason}`)
    expect(day).toEqual(['run null', 'run null', 'run null', 'skipped quota'])
  })

  it('plays a thousand tasks for a week, lists five hundred of each and counts all', async () => {
    await agent('ada', [{ triggers: cron('0 * * * *'), output_sharing: to('ada', 'x') }])
    const [task] = await store.tasks.find({})
    if (!task) throw new Error('the task is gone')
    const rhythm = { heartbeat: null, timezone: 'Europe/Berlin' }
    const players = Array.from({ length: 1000 }, (_, i) => ({
      task: { ...task, id: `ada/p${i}`, task_id: `p${i}` },
      rhythm,
    }))
    const span = { from: Date.parse(from), to: Date.parse(from) + 7 * 24 * hourMs }
    const owner = { accountId: task.owner_id, claimed: false }
    const all = await simulated(made.ports, players, span, owner)
    expect(all.counts).toEqual({
      fires: 168_000,
      skips: {},
      handoffs: { dropped: 168_000 },
      runs: 168_000,
    })
    expect([all.fires.length, all.handoffs.length, all.complete]).toEqual([500, 500, true])
  })

  it('says where it stopped when there is too much to play, or the caller has left', async () => {
    await agent('ada', [{ triggers: cron('0 * * * *') }])
    const [task] = await store.tasks.find({})
    if (!task) throw new Error('the task is gone')
    const players = [{ task, rhythm: { heartbeat: null, timezone: null } }]
    const span = { from: Date.parse(from), to: Date.parse(from) + 7 * 24 * hourMs }
    const owner = { accountId: task.owner_id, claimed: false }
    const gone = AbortSignal.abort()
    const short = await simulated(made.ports, players, span, owner, gone)
    expect(short).toMatchObject({ to: '2026-03-02T09:00:00.000Z', fires: [], complete: false })
  })

  it('lets others in after every hundred steps or so', async () => {
    await agent('ada', [{ triggers: cron('0 * * * *'), output_sharing: to('ada', 'x') }])
    let turns = 0
    const turn = (): Promise<void> => {
      turns += 1
      return clock.turn()
    }
    made = openWorld(store, { clock: { ...clock, turn } })
    const { counts } = await simulate({ days: 31 })
    expect(counts.fires).toBe(744)
    // A fire, its handoff, and the look at the one pattern for the next.
    expect(turns).toBeGreaterThanOrEqual(Math.floor((744 * 3) / 128))
  })

  it('plays four at once for an account, and others meanwhile', async () => {
    await agent('ada', [{ triggers: cron('0 * * * *') }])
    const gate = Promise.withResolvers<void>()
    made = openWorld(store, { clock: { ...clock, turn: () => gate.promise } })
    const playing = Array.from({ length: 5 }, () =>
      made.refusal('tasks.simulate', { char_id: 'ada', days: 31 }, key).catch(() => 'played'),
    )
    expect(await Promise.race(playing)).toMatchObject({ code: 'rate_limited', retry_after_s: 2 })
    const other = (await made.account()).key
    await made.ask('characters.create', { character: { id: 'eve', name: 'Eve' } }, other)
    expect(await made.ask('tasks.simulate', { char_id: 'eve' }, other)).toMatchObject({ tasks: 0 })
    gate.resolve()
    const all = await Promise.all(playing)
    expect(all.filter((one) => one === 'played')).toHaveLength(4)
    await simulate()
  })
})
