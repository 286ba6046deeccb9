import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Lease {
  run: Run
  lease_token: string
}

describe.each(stores())('a lease that runs out on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let world: World
  let key: string
  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    // The store's clock is the test's.
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    world = openWorld(store, { clock })
    key = (await world.account()).key
    const heart = { tasks: [{ task_id: 't', name: 'T', runtime: 'prompt' }] }
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada', heart } }, key)
    await world.ask('tasks.run', { char_id: 'ada', task_id: 't' }, key)
  })
  afterEach(() => store.close())

  const lease = () => world.ask<Lease>('runs.lease', { lease_seconds: 30 }, key)
  /** The lease runs out, and the run is another agent's. */
  const passOn = async (): Promise<Lease> => {
    await clock.advance(31_000)
    await runner(world.ports, 1).tick(clock.now())
    return lease()
  }

  it.each([
    ['its completion', 'runs.complete', { output: 'first' }],
    ['its failure', 'runs.fail', { error: { message: 'first' } }],
    ['its return', 'runs.fail', { error: { message: 'first' }, transient: true }],
  ])('while %s is written takes nothing from the next agent', async (_, op, end) => {
    const first = await lease()
    let second: Lease | undefined
    const commit: Store['commit'] = async (writes) => {
      second ??= await passOn()
      return store.commit(writes)
    }
    const late = openWorld({ ...store, commit }, { clock })
    const { id: run_id } = first.run
    const sent = { run_id, lease_token: first.lease_token, ...end }
    expect(await late.refusal(op, sent, key)).toMatchObject({ code: 'lease_lost' })
    expect(await world.refusal(op, sent, key)).toMatchObject({ code: 'lease_lost' })
    const now = await world.ask('runs.get', { run_id }, key)
    expect(now).toEqual({ ...second?.run, attempt: 2, status: 'running' })
    const { lease_token } = second ?? first
    await world.ask('runs.complete', { run_id, lease_token, output: 'second' }, key)
    expect(await world.ask('runs.get', { run_id }, key)).toMatchObject({
      status: 'completed',
      output: 'second',
    })
  })
})
