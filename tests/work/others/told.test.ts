import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Outcome } from '#src/core/door.ts'
import type { Store } from '#src/ports/store.ts'
import type { Touched } from '#src/ports/touched.ts'
import { brainQueue } from '#src/runs/queue.ts'
import type { Run } from '#src/runs/run.ts'
import { pacedBy, watchOthers } from '#src/work/watch.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const waiters = 5_000

describe.each(oneStore())('what others have touched, on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let world: World
  let reads: number
  let tell: (touched: Touched) => void
  let unwatch: () => void
  let woken: string[]
  beforeEach(async () => {
    store = await kind.open()
    clock = fakeClock()
    reads = 0
    const counted: Record<string, unknown> = {
      ...store,
      watch(listener: (touched: Touched) => void) {
        tell = listener
        return () => undefined
      },
    }
    for (const name of ['runs', 'run_events', 'characters', 'api_keys', 'accounts'] as const) {
      counted[name] = new Proxy(store[name], {
        get(target, method, receiver) {
          if (/^(get|find|count|text|pick)$/.test(String(method))) reads += 1
          return Reflect.get(target, method, receiver) as unknown
        },
      })
    }
    // The members are those of the store.
    world = openWorld(counted as unknown as Store, { clock })
    unwatch = watchOthers(world.ports)
    woken = []
    for (const loop of ['runs', 'events', 'deliveries', 'knowledge', 'payments'] as const) {
      world.ports.wake.connect(loop, () => void woken.push(loop))
    }
  })
  afterEach(async () => {
    unwatch()
    await store.close()
  })

  it('reads nothing for 5,000 who wait for something else, and what it is for who waits for it', async () => {
    const { key } = await world.account()
    const task = { task_id: 't', name: 'T', runtime: 'prompt', prompt: 'Think.' }
    await world.ask(
      'characters.create',
      { character: { id: 'ada', name: 'Ada', heart: { tasks: [task] } } },
      key,
    )
    const run = await world.ask<Run>('tasks.run', { char_id: 'ada', task_id: 't' }, key)
    const leaving = new AbortController()
    const operation = world.core.catalog.find(({ name }) => name === 'runs.events')
    if (!operation) throw new Error('there is such an operation')
    const call = { operation, input: { run_id: run.id }, credential: key, address: '127.0.0.0' }
    const outcome: Outcome = await world.core.serve({
      ...call,
      follow: true,
      requestId: 'test',
      signal: leaving.signal,
    })
    const stream = outcome.answer?.events?.[Symbol.asyncIterator]()
    expect((await stream?.next())?.value).toMatchObject({ type: 'run.queued' })
    const next = stream?.next()
    const untilTold = async (key: string, signal: AbortSignal): Promise<void> => {
      if (await world.ports.waiting.until(key, 600_000, signal)) reads += 1
    }
    for (let n = 1; n < waiters; n += 1) {
      void untilTold(`run_${n}`, leaving.signal)
    }
    await clock.advance(1)
    reads = 0
    for (let second = 0; second < 10; second += 1) {
      tell(new Set([`runs/run_other${second}`, 'accounts/acc_other', brainQueue('acc_other')]))
      await clock.advance(6_000)
    }
    expect(reads).toBe(0)
    const event = { id: `${run.id}.2`, run_id: run.id, seq: 2, type: 'told', at: '', data: {} }
    await store.run_events.insert(event)
    tell(new Set([`runs/${run.id}`]))
    expect((await next)?.value).toMatchObject({ type: 'told' })
    expect(reads).toBeLessThan(6)
    leaving.abort()
  })

  it('wakes the loops that are named, each in its time', async () => {
    tell(new Set(['loops/runs', 'loops/payments', 'runs/run_1']))
    tell(new Set(['loops/runs']))
    expect(woken).toEqual(['runs', 'payments'])
    await clock.advance(50)
    expect(woken).toEqual(['runs', 'payments', 'runs'])
    await clock.advance(1_000)
    expect(woken).toHaveLength(3)
  })

  it('has all look once where it is not known, some at a time, but for runs that are queued', async () => {
    const { waiting } = world.ports
    await store.runs.insert({ id: 'run_queued', owner_id: 'acc_1', status: 'queued' } as never)
    const until = (key: string): Promise<boolean> => waiting.until(key, 60_000)
    const waits = Array.from({ length: 300 }, (_, n) => until(`run_${n}`))
    const queue = until(brainQueue('acc_1'))
    const queued = until('run_queued')
    const told = vi.spyOn(waiting, 'tell')
    tell('all')
    tell('all')
    expect(told).not.toHaveBeenCalled()
    expect(await Promise.all([...waits, queue])).not.toContain(false)
    expect(woken.toSorted()).toEqual(['deliveries', 'events', 'knowledge', 'payments', 'runs'])
    expect(told).not.toHaveBeenCalledWith('run_queued')
    const again = until('run_0')
    // The end of the round, and the pause after it.
    await clock.advance(1)
    await clock.advance(250)
    expect(await again).toBe(true)
    await clock.advance(60_000)
    expect(await queued).toBe(false)
  })

  it('has all look again where the store was away', async () => {
    const waits = world.ports.waiting.until('run_1', 60_000)
    const pick = vi.spyOn(world.ports.store.runs, 'pick').mockRejectedValueOnce(new Error('away'))
    tell('all')
    expect(pick).toHaveBeenCalledTimes(1)
    await clock.advance(1)
    await clock.advance(250)
    expect(await waits).toBe(true)
  })
})

describe('paced', () => {
  it('acts at once, and after the pause again for all calls in it', async () => {
    const clock = fakeClock()
    const act = vi.fn<() => void>()
    const paced = pacedBy(clock, 50, act)
    for (let n = 0; n < 5; n += 1) paced()
    expect(act).toHaveBeenCalledTimes(1)
    await clock.advance(50)
    expect(act).toHaveBeenCalledTimes(2)
    await clock.advance(500)
    expect(act).toHaveBeenCalledTimes(2)
  })
})
