import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { brainQueue, ownersOf } from '#src/runs/queue.ts'
import { newRunWithoutTask } from '#src/runs/new-run.ts'
import type { Run, StoredRun } from '#src/runs/run.ts'
import type { Store } from '#src/ports/store.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Lease {
  run: Run | null
  lease_token: string
}

describe.each(stores())('the holder of a run on $name', (kind) => {
  let opened: Store
  let clock: FakeClock
  /** How far the time moves on with each reading. */
  let pace: number
  let world: World
  let key: string
  beforeEach(async () => {
    const store = await kind.open()
    opened = store
    clock = fakeClock()
    pace = 0
    const time = (): Promise<Date> => {
      const now = clock.now()
      clock.set(now.getTime() + pace)
      return Promise.resolve(now)
    }
    world = openWorld({ ...store, now: time, leaseTime: time }, { clock })
    key = (await world.account()).key
    const tasks = [{ task_id: 't', name: 'T', prompt: 'Do' }]
    const character = { id: 'ada', name: 'Ada', heart: { tasks } }
    await world.ask('characters.create', { character }, key)
    await world.ask('tasks.run', { char_id: 'ada', task_id: 't' }, key)
  })
  afterEach(() => opened.close())

  const leased = async () => {
    const { run, lease_token } = await world.ask<Lease>('runs.lease', { lease_seconds: 30 }, key)
    if (!run) throw new Error('one waits')
    return { run_id: run.id, lease_token }
  }
  const refusal = async (name: string, input: object): Promise<string> =>
    (await world.refusal(name, input, key)).code

  it('has lost it in the very moment in which the lease ends', async () => {
    const held = await leased()
    clock.set(clock.now().getTime() + 29_999)
    expect(await world.ask('runs.get', { run_id: held.run_id }, key)).toMatchObject({ attempt: 1 })
    clock.set(clock.now().getTime() + 1)
    expect(await refusal('runs.complete', { ...held, output: 'late' })).toBe('lease_lost')
    expect(await refusal('runs.heartbeat', held)).toBe('lease_lost')
  })

  it('is told that it is lost where the lease ends while a heartbeat is looked at', async () => {
    const held = await leased()
    clock.set(clock.now().getTime() + 29_999)
    pace = 1
    expect(await refusal('runs.heartbeat', held)).toBe('lease_lost')
    expect(await opened.runs.get(held.run_id)).toMatchObject({ status: 'running', attempt: 1 })
  })

  it('is given none whose agent has gone, and the run ends', async () => {
    await opened.characters.delete({ id: 'ada' })
    expect((await world.ask<Lease>('runs.lease', {}, key)).run).toBeNull()
    expect(await opened.runs.find({})).toMatchObject([
      { status: 'cancelled', reason: 'character_deleted' },
    ])
  })
})

describe('the accounts whose runs a commit queues', () => {
  const now = new Date('2026-03-01T12:00:00.000Z')
  const made = (owner_id: string, more: Partial<StoredRun> = {}): StoredRun => {
    const start = { trigger: { type: 'manual', at: now.toISOString() }, input: 'x' }
    return { ...newRunWithoutTask({ id: 'ada', app_id: null, owner_id }, start, now), ...more }
  }

  it('are those of the new runs that are to run, one for each', () => {
    const queued = made('acc_1')
    expect(
      ownersOf([
        { in: 'runs', insert: queued },
        { in: 'runs', insert: made('acc_2', { status: 'skipped' }) },
        { in: 'runs', insert: made('acc_1') },
        { in: 'tasks', update: { id: 'a/t', owner_id: 'acc_3' }, change: { $set: { name: 'T' } } },
      ]),
    ).toEqual(['acc_1', 'acc_1'])
  })

  it('are those of the runs whose turn has come, and of none that ends', () => {
    const ended = { status: 'completed', waits_for: null } as const
    expect(
      ownersOf([
        { in: 'runs', update: { id: 'a', owner_id: 'acc_1' }, change: { $set: ended } },
        {
          in: 'runs',
          update: { id: 'b', owner_id: 'acc_2' },
          change: { $set: { waits_for: 'brain' } },
        },
        { in: 'runs', update: { id: 'c' }, change: { $set: { waits_for: 'worker' } } },
        { in: 'runs', update: { id: 'd', owner_id: 'acc_3' }, change: { $inc: { family: 1 } } },
        { in: 'runs', delete: { id: 'e', owner_id: 'acc_4' } },
      ]),
    ).toEqual(['acc_2'])
  })

  it('are waited for by each account under a name of its own', () => {
    const names = ['acc_1', 'acc_2'].map(brainQueue)
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name.startsWith(brainQueue(''))).toBe(true)
    expect('run_1'.startsWith(brainQueue(''))).toBe(false)
  })
})
