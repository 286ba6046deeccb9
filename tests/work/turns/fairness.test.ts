import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutboundAnswer, Sender } from '#src/ports/sender.ts'
import type { Store } from '#src/ports/store.ts'
import { newRunWithoutTask } from '#src/runs/new-run.ts'
import type { Run, StoredRun } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { noQuotas, openWorld, type World, type WorldOptions } from '#tests/support/world.ts'

/** A sender whose calls are answered by the test. */
function heldSender(): Sender & { calls: { url: string; answer(): void }[] } {
  const calls: { url: string; answer(): void }[] = []
  return {
    calls,
    send: ({ url, signal }) =>
      new Promise<OutboundAnswer>((resolve, reject): void => {
        signal?.addEventListener('abort', () => reject(signal.reason))
        const headers = { 'content-type': 'text/plain' }
        calls.push({ url, answer: () => resolve({ status: 200, headers, body: 'done' }) })
      }),
    load: () => Promise.reject(new Error('only texts are sent here')),
    objection: () => undefined,
    close: () => Promise.resolve(),
  }
}

const places = (concurrent_runs: number): WorldOptions => ({
  quotas: {
    unclaimed: { ...noQuotas.unclaimed, concurrent_runs },
    claimed: { ...noQuotas.claimed, concurrent_runs },
  },
})

describe.each(stores())('turns of accounts on $name', (kind) => {
  let opened: Store
  let store: Store
  let clock: FakeClock
  let sender: ReturnType<typeof heldSender>
  const running: Runner[] = []
  /** How many claims were made of the store. */
  let claims: number

  beforeEach(async () => {
    opened = await kind.open()
    clock = fakeClock()
    claims = 0
    const began = clock.now().getTime()
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      // No one can set this clock.
      leaseTime: () => Promise.resolve(new Date(began + clock.monotonic())),
      runs: {
        ...opened.runs,
        update: (filter, change, options) => {
          if (change.$set?.status === 'running') claims += 1
          return opened.runs.update(filter, change, options)
        },
      },
    }
    sender = heldSender()
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    await opened.close()
  })

  const world = (options: WorldOptions = {}): World =>
    openWorld(store, { clock, sender, ...options })
  const started = (made: World, slots: number): Runner => {
    const one = runner(made.ports, slots)
    made.ports.wake.connect('runs', (count, ownerId) => one.wake(count, ownerId))
    running.push(one)
    return one
  }
  /** An account with an agent of this name, whose task calls the host of this name. */
  const account = async (made: World, name: string) => {
    const { key, id } = await made.account()
    const task = { task_id: 't', name: 'T', runtime: 'api', api_url: `https://${name}.example/` }
    const character = { id: name, name, heart: { tasks: [task] } }
    await made.ask('characters.create', { character }, key)
    const queue = (): Promise<Run> => made.ask('tasks.run', { char_id: name, task_id: 't' }, key)
    return {
      id,
      key,
      queue,
      calls: () => sender.calls.filter(({ url }) => url.includes(name)),
      async queueAll(count: number): Promise<Run[]> {
        const runs: Run[] = []
        for (let i = 0; i < count; i += 1) runs.push(await queue())
        return runs
      },
    }
  }
  const parked = (id: string): Promise<number> =>
    store.runs.count({ owner_id: id, waits_for: 'room' })

  it('begin the run of one at once, regardless of what another has queued', async () => {
    const made = world(places(2))
    const crowd = await account(made, 'crowd')
    const calm = await account(made, 'calm')
    started(made, 4)
    await crowd.queueAll(40)
    await until(() => crowd.calls().length === 2)
    await calm.queue()
    await until(() => calm.calls().length === 1)
    await until(async () => (await parked(crowd.id)) === 38)
    expect(crowd.calls()).toHaveLength(2)
    expect(await store.runs.count({ reason: 'concurrency', waits_for: 'room' })).toBe(38)
  })

  it('begin it at once also after a start, and with what was never put aside', async () => {
    const made = world(places(2))
    const crowd = await account(made, 'crowd')
    const calm = await account(made, 'calm')
    await crowd.queueAll(40)
    await calm.queue()
    // Nothing has woken it for what was queued before.
    const worker = started(made, 4)
    await worker.tick(clock.now())
    await until(() => calm.calls().length === 1)
    await until(async () => (await parked(crowd.id)) === 38)
    expect(crowd.calls()).toHaveLength(2)
  })

  it('spend no claim on an account whose places are taken, and no time frees one', async () => {
    const made = world(places(1))
    const crowd = await account(made, 'crowd')
    const worker = started(made, 4)
    await crowd.queueAll(3)
    await until(async () => (await parked(crowd.id)) === 2)
    claims = 0
    const more = await crowd.queueAll(10)
    await until(async () => (await parked(crowd.id)) === 12)
    for (let i = 0; i < 30; i += 1) {
      await clock.advance(4000)
      await worker.tick(clock.now())
      // Its turn comes after the writes of the heartbeat.
      await store.runs.update({ id: 'none' }, { $set: { reason: null } })
    }
    expect(claims).toBe(0)
    for (const { id } of more) {
      expect(await store.runs.get(id)).toMatchObject({ attempt: 0, started_at: null })
    }
    // An end does, and what came first goes first.
    crowd.calls()[0]?.answer()
    await until(() => crowd.calls().length === 2)
    expect(claims).toBe(1)
    expect(await parked(crowd.id)).toBe(11)
    const [next] = await store.runs.find({ status: 'running' })
    const [oldest] = await store.runs.find({ waits_for: 'room' }, { sort: { id: 1 }, limit: 1 })
    expect((next?.id ?? '') < (oldest?.id ?? '')).toBe(true)
  })

  it('pass on a place that a crash has left, and additional places of an account', async () => {
    const made = world(places(1))
    const crowd = await account(made, 'crowd')
    // The run before them has ended, and no process has released the next.
    for (const { id } of await crowd.queueAll(4)) {
      await store.runs.update({ id }, { $set: { waits_for: 'room', reason: 'concurrency' } })
    }
    const worker = started(made, 4)
    await worker.tick(clock.now())
    await until(() => crowd.calls().length === 1)
    expect(await parked(crowd.id)).toBe(3)
    await clock.advance(10_000)
    await worker.tick(clock.now())
    expect(await parked(crowd.id)).toBe(3)
    const wider = started(world(places(3)), 4)
    await wider.tick(clock.now())
    await until(() => crowd.calls().length === 3)
    expect(await parked(crowd.id)).toBe(1)
  })

  it('leave a part of the slots to accounts that have none', async () => {
    const made = world()
    const crowd = await account(made, 'crowd')
    const calm = await account(made, 'calm')
    started(made, 8)
    await crowd.queueAll(20)
    await until(() => crowd.calls().length === 6)
    await calm.queueAll(3)
    await until(() => calm.calls().length === 1)
    await until(async () => {
      for (const call of sender.calls) call.answer()
      return (await store.runs.count({ status: 'completed' })) === 23
    })
  })

  it('find many accounts in the store, each in its turn', async () => {
    const made = world(places(1))
    const owned = (place: number): StoredRun => {
      const agent = { id: 'gone', app_id: null, owner_id: `acc_${place % 150}` }
      const start = { trigger: { type: 'manual', at: '' }, input: null }
      return { ...newRunWithoutTask(agent, start, clock.now()), waits_for: 'worker' }
    }
    await Promise.all(Array.from({ length: 200 }, (_, i) => store.runs.insert(owned(i))))
    const worker = started(made, 8)
    // One look finds some of them, and the others are looked for as these come to their end.
    await worker.tick(clock.now())
    await until(async () => (await store.runs.count({ reason: 'task_deleted' })) === 200)
  })

  it('leave a run to its holder while the clock is put forward', async () => {
    const made = world(places(4))
    const calm = await account(made, 'calm')
    const mine = started(made, 4)
    const run = await calm.queue()
    await until(() => calm.calls().length === 1)
    const other = started(world(places(4)), 4)
    for (const hours of [8, 40 * 24]) {
      clock.set(clock.now().getTime() + hours * 3_600_000)
      for (const one of [mine, other]) expect(await one.tick(clock.now())).toBe(0)
    }
    // What comes now is done at once, and so is what comes after the clock is put back.
    await calm.queue()
    await until(() => calm.calls().length === 2)
    clock.set(clock.now().getTime() - 41 * 24 * 3_600_000)
    await calm.queue()
    await until(() => calm.calls().length === 3)
    for (const call of calm.calls()) call.answer()
    await until(async () => (await store.runs.count({ status: 'completed' })) === 3)
    expect(await store.runs.get(run.id)).toMatchObject({ attempt: 1, output: 'done' })
  })

  it('keep the lease of an agent while the clock is put forward, and tell its end by it', async () => {
    const made = world()
    const { key } = await account(made, 'calm')
    const prompt = { task_id: 'p', name: 'P', prompt: 'Do' }
    await made.ask('tasks.create', { char_id: 'calm', task: prompt }, key)
    await made.ask('tasks.run', { char_id: 'calm', task_id: 'p' }, key)
    const asked = { lease_seconds: 600 }
    interface Lease {
      run: Run
      lease_token: string
      expires_at: string
    }
    const lease = await made.ask<Lease>('runs.lease', asked, key)
    clock.set(clock.now().getTime() + 8 * 3_600_000)
    const worker = started(made, 4)
    expect(await worker.tick(clock.now())).toBe(0)
    const held = { run_id: lease.run.id, lease_token: lease.lease_token }
    const kept = await made.ask<Lease>('runs.heartbeat', held, key)
    expect(Date.parse(kept.expires_at) - clock.now().getTime()).toBe(600_000)
    const done = await made.ask<Run>('runs.complete', { ...held, output: 'x' }, key)
    expect(done).toMatchObject({ status: 'completed', attempt: 1 })
  })

  it('end a lease that no clock of now can have written', async () => {
    const made = world()
    const calm = await account(made, 'calm')
    const run = await calm.queue()
    const ahead = new Date(clock.now().getTime() + 8 * 3_600_000).toISOString()
    const claim = { token: 'gone', by: 'worker', at: ahead, until: ahead, longest: ahead } as const
    const lost = { status: 'running', claim, due_at: ahead, attempt: 1 } as const
    await store.runs.update({ id: run.id }, { $set: lost })
    const worker = started(made, 4)
    await worker.tick(clock.now())
    await worker.tick(clock.now())
    await until(() => calm.calls().length === 1)
    expect(await store.runs.get(run.id)).toMatchObject({ attempt: 2 })
  })
})
