import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutboundAnswer, Sender } from '#src/ports/sender.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World, type WorldOptions } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

/** A sender whose answers the test gives, when it wants to. */
function heldSender(): Sender & { calls: { answer(body: string): void; aborted(): boolean }[] } {
  const calls: { answer(body: string): void; aborted(): boolean }[] = []
  return {
    calls,
    send: ({ signal }) =>
      new Promise<OutboundAnswer>((resolve, reject): void => {
        if (signal?.aborted) return reject(signal.reason)
        signal?.addEventListener('abort', () => reject(signal.reason))
        calls.push({
          answer: (body) =>
            resolve({ status: 200, headers: { 'content-type': 'text/plain' }, body }),
          aborted: () => signal?.aborted ?? false,
        })
      }),
    load: () => Promise.reject(new Error('only texts are sent here')),
    objection: () => undefined,
    close: () => Promise.resolve(),
  }
}

describe.each(stores())('the runner on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let key: string
  let sender: ReturnType<typeof heldSender>
  const running: Runner[] = []

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    // The store's clock is the test's.
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    sender = heldSender()
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    await store.close()
  })

  const world = (options: WorldOptions = {}): World =>
    openWorld(store, { clock, sender, ...options })
  const started = (made: World, slots = 4): Runner => {
    const one = runner(made.ports, slots)
    made.ports.wake.connect('runs', (count) => one.wake(count))
    running.push(one)
    return one
  }
  const withTask = async (
    made: World,
    task: object,
  ): Promise<{ char_id: string; task_id: string }> => {
    key = (await made.account()).key
    await made.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    const whole = { task_id: 't', name: 'T', api_url: 'https://api.example/', ...task }
    await made.ask('tasks.create', { char_id: 'ada', task: whole }, key)
    return { char_id: 'ada', task_id: 't' }
  }
  const queue = (made: World, subject: object): Promise<Run> => made.ask('tasks.run', subject, key)
  const read = (made: World, run: Run): Promise<Run> =>
    made.ask('runs.get', { run_id: run.id }, key)
  const ended = (made: World, run: Run): Promise<void> =>
    until(async () => (await read(made, run)).finished_at !== null)

  it('finds what is due without being woken', async () => {
    const made = world()
    const run = await queue(made, await withTask(made, { runtime: 'api' }))
    await started(made).tick(clock.now())
    await until(() => sender.calls.length === 1)
    sender.calls[0]?.answer('hi')
    await ended(made, run)
    expect(await read(made, run)).toMatchObject({ status: 'completed', output: 'hi', attempt: 1 })
  })

  it('shares the due runs out between two workers, each run once', async () => {
    const made = world()
    const subject = await withTask(made, { runtime: 'api' })
    const runs: Run[] = []
    for (let i = 0; i < 40; i++) runs.push(await queue(made, { ...subject, input: `${i}` }))
    const two = [started(made), started(openWorld(store, { clock, sender }))]
    for (const one of two) one.wake(40)
    for (let i = 0; i < 40; i++) {
      await until(() => sender.calls.length > i)
      sender.calls[i]?.answer('done')
    }
    for (const run of runs) await ended(made, run)
    for (const run of runs) expect(await read(made, run)).toMatchObject({ attempt: 1 })
    expect(sender.calls).toHaveLength(40)
  })

  it('does what a finished run hands on', async () => {
    const made = world()
    const share = { enabled: true, target_agent_id: 'ada', target_task_id: 'u' }
    const subject = await withTask(made, {
      runtime: 'template',
      prompt: '1',
      output_sharing: share,
    })
    const second = { task_id: 'u', name: 'U', runtime: 'template', prompt: '{{input}}2' }
    await made.ask('tasks.create', { char_id: 'ada', task: second }, key)
    const run = await queue(made, subject)
    expect(run).toMatchObject({ status: 'completed', output: '1', attempt: 1 })
    await started(made).tick(clock.now())
    await until(async () => (await store.runs.count({ status: 'completed' })) === 2)
    const { items } = await made.ask<{ items: Run[] }>('runs.list', { root_run_id: run.id }, key)
    expect(items[0]).toMatchObject({ task_id: 'u', output: '12', depth: 1 })
  })

  it('ends a circle of handoffs when the chain is eight runs deep, and says why', async () => {
    const made = world()
    const share = { enabled: true, target_agent_id: 'ada', target_task_id: 't' }
    const subject = await withTask(made, {
      runtime: 'template',
      prompt: 'x',
      output_sharing: share,
    })
    const run = await queue(made, subject)
    const worker = started(made)
    await until(async () => {
      await worker.tick(clock.now())
      return (await store.runs.count({ status: 'completed' })) === 9
    })
    await worker.tick(clock.now())
    const { items } = await made.ask<{ items: Run[] }>('runs.list', { root_run_id: run.id }, key)
    expect(items.map(({ depth }) => depth)).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0])
    const last = { run_id: items[0]?.id }
    const events = await made.ask<{ items: { type: string; data: object }[] }>(
      'runs.events',
      last,
      key,
    )
    expect(events.items).toContainEqual(
      expect.objectContaining({
        type: 'handoff.dropped',
        data: { target_agent_id: 'ada', reason: 'the chain is 8 runs deep' },
      }),
    )
  })

  it('lets one run set off a hundred at most, however many tasks listen', async () => {
    const made = world()
    const sharing = { enabled: true, target_agent_id: 'ada' }
    const subject = await withTask(made, { runtime: 'template', output_sharing: sharing })
    const triggers = [{ type: 'message' }]
    for (let i = 0; i < 60; i++) {
      const task = { name: `L${i}`, runtime: 'template', triggers, output_sharing: sharing }
      await made.ask('tasks.create', { char_id: 'ada', task }, key)
    }
    const run = await queue(made, subject)
    const worker = started(made, 8)
    await until(async () => {
      await worker.tick(clock.now())
      return (await store.runs.count({ status: 'queued' })) === 0
    })
    expect(await store.runs.count({ root_run_id: run.id })).toBe(100)
  })

  it('keeps the claim of long work by heartbeats', async () => {
    const made = world()
    const run = await queue(made, await withTask(made, { runtime: 'api' }))
    started(made).wake(1)
    await until(() => sender.calls.length === 1)
    for (let i = 0; i < 6; i++) {
      await until(() => clock.isSlept(10_000))
      await clock.advance(10_000)
      const beat = new Date(clock.now().getTime() + 30_000).toISOString()
      await until(async () => (await store.runs.get(run.id))?.claim?.until === beat)
    }
    await started(made).tick(clock.now())
    sender.calls[0]?.answer('done')
    await ended(made, run)
    expect(await read(made, run)).toMatchObject({ output: 'done', attempt: 1 })
    expect(sender.calls).toHaveLength(1)
  })

  it('takes over a run whose worker was lost, and fences the late finisher off', async () => {
    const made = world()
    const run = await queue(made, await withTask(made, { runtime: 'api' }))
    // The first worker is another process whose time stands still: it keeps no claim, and hears of none.
    let commits = 0
    const commit: Store['commit'] = (writes) =>
      store.commit(writes).finally(() => void (commits += 1))
    const frozen = openWorld({ ...store, commit }, { clock: fakeClock(), sender })
    const lost = runner(frozen.ports, 1)
    running.push(lost)
    lost.wake(1)
    await until(() => sender.calls.length === 1)
    await clock.advance(31_000)
    await started(made).tick(clock.now())
    await until(() => sender.calls.length === 2)
    const before = commits
    sender.calls[0]?.answer('first')
    await until(() => commits > before)
    expect(await read(made, run)).toMatchObject({ status: 'running', output: null, attempt: 2 })
    sender.calls[1]?.answer('second')
    await ended(made, run)
    expect(await read(made, run)).toMatchObject({ output: 'second', attempt: 2 })
    const { items } = await made.ask<{ items: { type: string }[] }>(
      'runs.events',
      { run_id: run.id },
      key,
    )
    expect(items.map(({ type }) => type)).toContain('run.retried')
  })

  it('gives up after three lost workers', async () => {
    const made = world()
    const run = await queue(made, await withTask(made, { runtime: 'api' }))
    for (let i = 1; i <= 3; i++) {
      const lost = runner({ ...made.ports, clock: fakeClock() }, 1)
      running.push(lost)
      lost.wake(1)
      await until(() => sender.calls.length === i)
      await clock.advance(31_000)
    }
    await started(made).tick(clock.now())
    await ended(made, run)
    expect(await read(made, run)).toMatchObject({
      status: 'failed',
      reason: 'worker_lost',
      error: { code: 'worker_lost' },
      attempt: 3,
    })
    expect(sender.calls).toHaveLength(3)
  })

  it('ends a run that outlives its budget', async () => {
    const made = world()
    const run = await queue(made, await withTask(made, { runtime: 'api' }))
    started(made).wake(1)
    await until(() => sender.calls.length === 1)
    await until(() => clock.isSlept(10_000))
    for (let i = 0; i < 60; i++) {
      await clock.advance(10_000)
      await until(async () => {
        const [stored] = await store.runs.find({ id: run.id })
        const { claim } = stored ?? {}
        if (!claim) return stored?.finished_at != null
        const beat = new Date(clock.now().getTime() + 30_000).toISOString()
        // The worker must sleep again before the time moves on, or its next beat would come late.
        return beat < claim.longest && claim.until === beat && clock.isSlept(10_000)
      })
    }
    await ended(made, run)
    expect(await read(made, run)).toMatchObject({
      status: 'timed_out',
      error: { code: 'run_budget' },
    })
  })

  it('stops the work of a run that is cancelled', async () => {
    const made = world()
    const run = await queue(made, await withTask(made, { runtime: 'api' }))
    started(made).wake(1)
    await until(() => sender.calls.length === 1)
    await made.ask('runs.cancel', { run_id: run.id }, key)
    await until(() => sender.calls[0]?.aborted() ?? false)
    expect(await read(made, run)).toMatchObject({ status: 'cancelled' })
  })

  it('hands back what is under way when it stops, and says so; it costs none of its attempts', async () => {
    const made = world()
    const run = await queue(made, await withTask(made, { runtime: 'api' }))
    const first = started(made)
    first.wake(1)
    await until(() => sender.calls.length === 1)
    await first.stop()
    expect(await read(made, run)).toMatchObject({ status: 'queued', attempt: 1 })
    for (let i = 2; i <= 4; i++) {
      const next = runner(made.ports, 1)
      running.push(next)
      await next.tick(clock.now())
      await until(() => sender.calls.length === i)
      if (i < 4) await next.stop()
    }
    sender.calls[3]?.answer('done')
    await ended(made, run)
    expect(await read(made, run)).toMatchObject({ output: 'done', attempt: 4 })
    const { items } = await made.ask<{ items: { type: string; data: object }[] }>(
      'runs.events',
      { run_id: run.id },
      key,
    )
    const returns = items.filter(({ type }) => type === 'run.handed_back')
    expect(returns.map(({ data }) => data)).toEqual(
      [1, 2, 3].map((attempt) => ({ attempt, reason: 'stopping' })),
    )
  })

  it('lets what is under way end before it stops, and takes nothing more', async () => {
    const made = world()
    const task = await withTask(made, { runtime: 'api' })
    const [run, next] = [await queue(made, task), await queue(made, task)]
    const first = runner(made.ports, 1)
    running.push(first)
    first.wake(1)
    await until(() => sender.calls.length === 1)
    const settled = first.settle(60_000)
    first.wake(1)
    sender.calls[0]?.answer('done')
    await settled
    expect(await read(made, run)).toMatchObject({ status: 'completed', attempt: 1 })
    expect(await read(made, next)).toMatchObject({ status: 'queued', attempt: 0 })
  })

  it('lets no more runs of an account go on at once than its quota, and none is refused', async () => {
    const limits = { ...noQuotas.unclaimed, concurrent_runs: 2 }
    const made = world({ quotas: { unclaimed: limits, claimed: limits } })
    const subject = await withTask(made, { runtime: 'api' })
    const runs: Run[] = []
    for (let i = 0; i < 5; i++) runs.push(await queue(made, subject))
    started(made, 5).wake(5)
    await until(() => sender.calls.length === 2)
    await until(async () => (await store.runs.count({ reason: 'concurrency' })) === 3)
    for (let i = 0; i < 5; i++) {
      await until(() => sender.calls.length > i)
      expect(await store.runs.count({ status: 'running' })).toBeLessThanOrEqual(2)
      sender.calls[i]?.answer(`${i}`)
    }
    for (const run of runs) await ended(made, run)
    expect(await store.runs.count({ status: 'completed' })).toBe(5)
  })

  it('gives the place that an agent leaves to the next, at once', async () => {
    const limits = { ...noQuotas.unclaimed, concurrent_runs: 1 }
    const made = world({ quotas: { unclaimed: limits, claimed: limits } })
    const subject = await withTask(made, { runtime: 'prompt' })
    await queue(made, subject)
    await queue(made, subject)
    const lease = await made.ask<{ run: Run; lease_token: string }>('runs.lease', {}, key)
    const none = await made.ask<{ reason: string }>('runs.lease', {}, key)
    expect(none.reason).toBe('concurrency')
    const next = made.ask<{ run: Run | null }>('runs.lease', { wait_seconds: 60 }, key)
    await until(() => made.ports.waiting.keys().length > 0)
    const done = { run_id: lease.run.id, lease_token: lease.lease_token, output: 'x' }
    await made.ask('runs.complete', done, key)
    expect((await next).run).not.toBeNull()
  })

  it('puts a run back whose agent let its lease run out, and fails it after the third', async () => {
    const made = world()
    const run = await queue(made, await withTask(made, { runtime: 'prompt' }))
    const worker = started(made)
    for (let attempt = 1; attempt <= 3; attempt++) {
      const lease = await made.ask<{ run: Run; lease_token: string }>(
        'runs.lease',
        { lease_seconds: 30 },
        key,
      )
      expect(lease.run).toMatchObject({ id: run.id, attempt })
      await clock.advance(31_000)
      const late = { run_id: run.id, lease_token: lease.lease_token, output: 'late' }
      expect(await made.refusal('runs.complete', late, key)).toMatchObject({ code: 'lease_lost' })
      await worker.tick(clock.now())
    }
    expect(await read(made, run)).toMatchObject({ status: 'failed', reason: 'worker_lost' })
  })

  it('times out a run that no agent leases within a day', async () => {
    const made = world()
    const run = await queue(made, await withTask(made, { runtime: 'prompt' }))
    await clock.advance(86_399_000)
    const worker = started(made)
    await worker.tick(clock.now())
    expect(await read(made, run)).toMatchObject({ status: 'queued' })
    await clock.advance(2_000)
    await worker.tick(clock.now())
    expect(await read(made, run)).toMatchObject({
      status: 'timed_out',
      reason: 'waiting_for_worker',
    })
  })

  it('gives one waiting run to one of 36 agents that lease at once', async () => {
    const made = world()
    await queue(made, await withTask(made, { runtime: 'prompt' }))
    const leases = await Promise.all(
      Array.from({ length: 36 }, () => made.ask<{ run: Run | null }>('runs.lease', {}, key)),
    )
    expect(leases.filter(({ run }) => run)).toHaveLength(1)
  })

  it('wakes an agent that waits for a run as soon as one is queued', async () => {
    const made = world()
    const subject = await withTask(made, { runtime: 'prompt' })
    const waiting = made.ask<{ run: Run }>('runs.lease', { wait_seconds: 60 }, key)
    await until(() => made.ports.waiting.keys().length > 0)
    const run = await queue(made, subject)
    expect((await waiting).run.id).toBe(run.id)
  })
})
