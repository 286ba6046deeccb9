import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { newRun } from '#src/runs/new-run.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { oneStore } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World, type WorldOptions } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

interface Leased {
  run: Run | null
  reason: string | null
  lease_token: string
}

// A run of an unknown runtime waits for an agent, with any configured models.
const forAgents = { task_id: 't', name: 'T', runtime: 'oracle' }

describe.each(oneStore())('the budgets of runs on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let made: World
  let account: { key: string; id: string }
  const running: Runner[] = []

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    await store.close()
  })

  const open = async (options: WorldOptions = {}): Promise<Runner> => {
    made = openWorld(store, { clock, ...options })
    account = await made.account()
    await ask('characters.create', { character: { id: 'ada', name: 'Ada' } })
    const one = runner(made.ports, 4)
    made.ports.wake.connect('runs', (count) => one.wake(count))
    running.push(one)
    return one
  }
  const ask = <T = unknown>(name: string, input: object): Promise<T> =>
    made.ask<T>(name, input, account.key)
  const task = (rest: object): Promise<unknown> =>
    ask('tasks.create', { char_id: 'ada', task: rest })
  const run = (task_id = 't'): Promise<Run> => ask('tasks.run', { char_id: 'ada', task_id })
  const read = ({ id }: Run): Promise<Run> => ask('runs.get', { run_id: id })
  const lease = (): Promise<Leased> => ask('runs.lease', { lease_seconds: 3600 })
  const quotas = (changed: object): WorldOptions => {
    const table = { ...noQuotas.unclaimed, ...changed }
    return { quotas: { unclaimed: table, claimed: table } }
  }

  it('end a run that was leased for a day, with all its heartbeats', async () => {
    const worker = await open()
    await task(forAgents)
    const one = await run()
    const { lease_token } = await lease()
    for (let hour = 1; hour <= 24; hour++) {
      await clock.advance(3_590_000)
      await ask('runs.heartbeat', { run_id: one.id, lease_token })
    }
    await worker.tick(clock.now())
    expect(await read(one)).toMatchObject({ status: 'running', attempt: 1 })
    await clock.advance(86_400_000 - 24 * 3_590_000 + 1)
    const late = { run_id: one.id, lease_token, output: 'late' }
    expect(await made.refusal('runs.complete', late, account.key)).toMatchObject({
      code: 'lease_lost',
    })
    await worker.tick(clock.now())
    expect(await read(one)).toMatchObject({
      status: 'timed_out',
      error: { code: 'run_budget', message: 'The run was leased for 24 hours.' },
    })
  })

  it('give a claimed account more places than others', async () => {
    const places = (concurrent_runs: number) => ({ ...noQuotas.unclaimed, concurrent_runs })
    await open({ quotas: { unclaimed: places(1), claimed: places(2) } })
    await task(forAgents)
    for (let i = 0; i < 3; i++) await run()
    expect((await lease()).run).not.toBeNull()
    expect(await lease()).toMatchObject({ run: null, reason: 'concurrency' })
    await store.accounts.update({ id: account.id }, { $set: { holder_id: 'usr_1' } })
    expect((await lease()).run).not.toBeNull()
    expect(await lease()).toMatchObject({ run: null, reason: 'concurrency' })
    expect(await store.runs.count({ status: 'queued' })).toBe(1)
  })

  it('bound no claimed account where only the others are given places', async () => {
    const unclaimed = { ...noQuotas.unclaimed, concurrent_runs: 1 }
    await open({ quotas: { unclaimed, claimed: noQuotas.claimed } })
    await task(forAgents)
    for (let i = 0; i < 4; i++) await run()
    expect((await lease()).run).not.toBeNull()
    expect(await lease()).toMatchObject({ run: null, reason: 'concurrency' })
    await store.accounts.update({ id: account.id }, { $set: { holder_id: 'usr_1' } })
    for (let i = 0; i < 3; i++) expect((await lease()).run).not.toBeNull()
  })

  it('record what others would start beyond the runs of a day, as skipped', async () => {
    await open(quotas({ runs_a_day: 2 }))
    const sharing = { enabled: true, target_agent_id: 'ada', target_task_id: 'b' }
    const template = { runtime: 'template', prompt: 'x' }
    await task({ ...template, task_id: 'a', name: 'A', output_sharing: sharing })
    await task({ ...template, task_id: 'b', name: 'B' })
    await run('a')
    await until(async () => (await store.runs.count({ task_id: 'b', status: 'completed' })) === 1)
    const full = { char_id: 'ada', task_id: 'a' }
    expect(await made.refusal('tasks.run', full, account.key)).toMatchObject({
      code: 'quota_exceeded',
      detail: expect.stringContaining('runs_a_day'),
    })
    await ask('messages.send', { char_id: 'ada', to: 'ada', body: 'x', task_id: 'b' })
    const skipped = await store.runs.find({ task_id: 'b', status: 'skipped' })
    expect(skipped).toMatchObject([{ reason: 'quota' }])
  })

  it('refuse what would wait beyond the queue, and nothing that ends at once', async () => {
    await open(quotas({ queued_runs: 2 }))
    await task(forAgents)
    await task({ task_id: 'a', name: 'A', runtime: 'template', prompt: 'x' })
    await run()
    await run()
    const full = { char_id: 'ada', task_id: 't' }
    const refused = { code: 'quota_exceeded', detail: expect.stringContaining('queued_runs') }
    expect(await made.refusal('tasks.run', full, account.key)).toMatchObject(refused)
    const lease = { character_id: 'ada', field: 'tagline', lease: true }
    expect(await made.refusal('ai.generate', lease, account.key)).toMatchObject(refused)
    expect(await run('a')).toMatchObject({ status: 'completed' })
    // What others start is recorded, and what goes on with a run is queued all the same.
    await ask('messages.send', { char_id: 'ada', to: 'ada', body: 'x', task_id: 't' })
    expect(await store.runs.find({ status: 'skipped' })).toMatchObject([{ reason: 'quota' }])
    const sharing = { enabled: true, target_agent_id: 'ada', target_task_id: 't' }
    await task({ task_id: 'b', name: 'B', runtime: 'template', output_sharing: sharing })
    await run('b')
    expect(await store.runs.count({ status: 'queued' })).toBe(3)
    const { quotas: used } = await ask<{ quotas: object[] }>('account.get', {})
    expect(used).toContainEqual({ name: 'queued_runs', used: 3, limit: 2 })
    // One that ends makes room for another.
    for (const { id } of await store.runs.find({ status: 'queued' })) {
      await ask('runs.cancel', { run_id: id })
    }
    await clock.advance(1000)
    expect(await run()).toMatchObject({ status: 'queued' })
  })

  it('count no run of the day that is refused for the queue', async () => {
    await open(quotas({ queued_runs: 1, runs_a_day: 3 }))
    await task(forAgents)
    await run()
    const full = { char_id: 'ada', task_id: 't' }
    for (let i = 0; i < 5; i++) {
      const { detail } = await made.refusal('tasks.run', full, account.key)
      expect(detail).toContain('queued_runs')
    }
    const { quotas: used } = await ask<{ quotas: object[] }>('account.get', {})
    expect(used).toContainEqual({ name: 'runs_a_day', used: 1, limit: 3 })
  })

  it('record what others would start beyond the stored bytes, as skipped', async () => {
    await open(quotas({ stored_bytes: 6000 }))
    const sharing = { enabled: true, target_agent_id: 'ada', target_task_id: 'b' }
    const whole = { task_id: 'a', name: 'A', runtime: 'template', prompt: 'x'.repeat(8000) }
    await task({ task_id: 'b', name: 'B', runtime: 'template', prompt: 'y' })
    await task({ ...whole, output_sharing: sharing })
    const again = { char_id: 'ada', task_id: 'a' }
    expect(await made.refusal('tasks.run', again, account.key)).toMatchObject({
      code: 'quota_exceeded',
      detail: expect.stringContaining('stored_bytes'),
    })
    // As a run that a schedule started while there was room.
    const stored = await store.tasks.get('ada/a')
    if (!stored) throw new Error('the task is gone')
    const trigger = { type: 'cron', at: clock.now().toISOString() }
    await store.runs.insert(newRun(stored, { trigger, input: null }, clock.now()))
    made.ports.wake.runs(1)
    await until(async () => (await store.runs.count({ task_id: 'b' })) === 1)
    const [skipped] = await store.runs.find({ task_id: 'b' })
    expect(skipped).toMatchObject({ status: 'skipped', reason: 'quota' })
  })

  it('let no friend store more at an agent than its account may', async () => {
    await open(quotas({ stored_bytes: 40_000 }))
    const triggers = [{ type: 'action', config: {} }]
    await task({ task_id: 't', name: 't', runtime: 'template', prompt: 'x', triggers })
    const friend = await made.account()
    await made.ask('characters.create', { character: { id: 'eve', name: 'Eve' } }, friend.key)
    const permissions = ['run_task', 'message']
    const request = { char_id: 'eve', friend_id: 'ada', permissions }
    await made.ask('friends.request', request, friend.key)
    await ask('friends.accept', { char_id: 'ada', friend_id: 'eve' })
    const invoke = { char_id: 'ada', name: 't', input: 'x'.repeat(50_000) }
    expect((await made.refusal('actions.invoke', invoke, friend.key)).detail).toContain(
      'one sender',
    )
    // The account itself may fill what is its own.
    await ask('actions.invoke', invoke)
    const send = { char_id: 'eve', to: 'ada', body: 'x' }
    for (const [name, input] of [
      ['actions.invoke', invoke],
      ['messages.send', send],
      ['messages.send', { ...send, task_id: 't' }],
    ] as const) {
      expect(await made.refusal(name, input, friend.key)).toMatchObject({
        code: 'quota_exceeded',
        detail: expect.stringContaining('stored_bytes'),
        hint: expect.stringContaining('Its owner'),
      })
    }
    expect(await store.runs.count({ char_id: 'ada' })).toBe(1)
    expect(await store.messages.count({})).toBe(0)
  })

  it('end a step that would be the first beyond a quota, and say which step', async () => {
    await open(quotas({ runs_a_day: 2 }))
    await task({ task_id: 'flow', name: 'F', runtime: 'workflow' })
    await task({ task_id: 'a', name: 'A', runtime: 'template', order: 1 })
    await task({ task_id: 'b', name: 'B', runtime: 'template', order: 2 })
    const one = await run('flow')
    await until(async () => (await read(one)).finished_at !== null)
    expect(await read(one)).toMatchObject({
      status: 'failed',
      error: { code: 'step_skipped', message: 'The step "b" (2 of 2) was not run: quota.' },
    })
  })

  it('keep runs beyond the places queued with the reason, and release each in turn', async () => {
    const unclaimed = { ...noQuotas.unclaimed, concurrent_runs: 1 }
    await open({ quotas: { unclaimed, claimed: noQuotas.claimed } })
    await task(forAgents)
    await task({ task_id: 'a', name: 'A', runtime: 'api', api_url: 'http://127.0.0.1:1/' })
    await run()
    const held = await lease()
    const parked = await run('a')
    await until(async () => (await read(parked)).reason === 'concurrency')
    expect(await read(parked)).toMatchObject({ status: 'queued', attempt: 0 })
    const done = { run_id: held.run?.id, lease_token: held.lease_token, output: 'x' }
    await ask('runs.complete', done)
    await until(async () => (await read(parked)).finished_at !== null)
    expect(await read(parked)).toMatchObject({ error: { code: 'api_address_refused' } })
  })
})
