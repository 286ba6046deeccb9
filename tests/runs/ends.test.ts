import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimDue } from '#src/runs/claim.ts'
import type { Outcome } from '#src/runs/ended.ts'
import { end } from '#src/runs/ending/end-run.ts'
import { park, Parking } from '#src/runs/ending/park.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { Unmet, type Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

describe.each(stores())('the commit that ends or parks a run on $name', (kind) => {
  let store: Store
  let world: World
  let run: StoredRun
  /** What the next commits fail with. */
  let faults: Error[]

  beforeEach(async () => {
    store = await kind.open()
    faults = []
    const faulty: Store = {
      ...store,
      commit: (writes) => {
        const fault = faults.shift()
        return fault ? Promise.reject(fault) : store.commit(writes)
      },
    }
    world = openWorld(store)
    const { key } = await world.account()
    const whole = { runtime: 'template', prompt: 'Do', post_to_feed: false }
    const tasks = [{ task_id: 't', name: 'T', ...whole }]
    await world.ask(
      'characters.create',
      { character: { id: 'ada', name: 'Ada', heart: { tasks } } },
      key,
    )
    await world.ask('tasks.run', { char_id: 'ada', task_id: 't' }, key)
    const [made] = await store.runs.find({})
    if (!made) throw new Error('it was made')
    const due = { status: 'queued', waits_for: 'worker', due_at: made.created_at } as const
    await store.runs.update({ id: made.id }, { $set: { ...due, finished_at: null } })
    const claimed = await claimDue(world.ports, made.owner_id)
    if (!claimed) throw new Error('it is claimed')
    run = claimed
    world = openWorld(faulty)
  })
  afterEach(() => store.close())

  const parking = new Parking(
    { status: 'waiting_input', reason: 'asks', waits_for: 'brain', due_at: null },
    [],
  )
  const ended = () => end(world.ports, run, { status: 'completed', output: 'done' })
  const status = async () => (await store.runs.get(run.id))?.status

  it('is tried again where something other than the run has changed', async () => {
    faults = [new Unmet('memory', 3), new Unmet('edges', 1)]
    expect(await ended()).toMatchObject({ status: 'completed', output: 'done' })
    expect(await status()).toBe('completed')
  })

  it('is given up where the claim is lost', async () => {
    faults = [new Unmet('runs', 0)]
    expect(await ended()).toBeUndefined()
    expect(await status()).toBe('running')
  })

  it('is given up for an unclaimed run that has ended by now', async () => {
    const queued = { ...run, status: 'queued', claim: null } as const
    await store.runs.update({ id: run.id }, { $set: { status: 'queued', claim: null } })
    const cancelled = { status: 'cancelled', error: null, reason: 'first' } as const
    expect(await end(world.ports, queued, cancelled)).toMatchObject({ reason: 'first' })
    expect(await end(world.ports, queued, { ...cancelled, reason: 'second' })).toBeUndefined()
    expect(await store.runs.get(run.id)).toMatchObject({ reason: 'first' })
  })

  it.each<[string, Outcome]>([
    ['completed', { status: 'completed', output: 'done' }],
    ['failed', { status: 'failed', error: { code: 'stuck', message: 'It does not go on.' } }],
  ])('keeps what it used, where that is said: %s', async (_, outcome) => {
    const before = { input_tokens: 1, output_tokens: 2 }
    await store.runs.update({ id: run.id }, { $set: { usage: before } })
    const usage = { input_tokens: 30, output_tokens: 40 }
    expect(await end(world.ports, run, { ...outcome, usage })).toMatchObject({ usage })
    expect(await store.runs.get(run.id)).toMatchObject({ status: outcome.status, usage })
    const held = { status: 'running', claim: run.claim, usage: before } as const
    await store.runs.update({ id: run.id }, { $set: held })
    await end(world.ports, run, outcome)
    expect(await store.runs.get(run.id)).toMatchObject({ usage: before })
  })

  it('counts the run, and every byte that it brought', async () => {
    const counted: string[] = []
    const bytes: number[] = []
    const { ports } = world
    ports.meter.runEnded = (how) => void counted.push(how)
    ports.quotas.addBytes = (_, count) => void bytes.push(count)
    await end(ports, run, { status: 'completed', output: 'done' })
    expect([counted, bytes]).toEqual([['completed'], ['"done"'.length]])
    await store.runs.update({ id: run.id }, { $set: { status: 'running', claim: run.claim } })
    const artifacts = [{ name: 'a' }]
    await end(ports, run, { status: 'completed', output: 'done', artifacts })
    expect(bytes).toEqual([6, '"done"[{"name":"a"}]'.length])
  })

  it('fails as the store fails', async () => {
    const fault = new Error('the disk is full')
    faults = [fault]
    await expect(ended()).rejects.toBe(fault)
    faults = [fault]
    await expect(park(world.ports, run, parking)).rejects.toBe(fault)
    expect(await status()).toBe('running')
  })

  it('parks it again where only those who are told have changed', async () => {
    faults = [new Unmet('chats', 1)]
    expect(await park(world.ports, run, parking)).toBe(true)
    expect(await store.runs.get(run.id)).toMatchObject({ status: 'waiting_input', claim: null })
    expect(await park(world.ports, run, parking)).toBe(false)
    const fault = new Unmet('approvals', 1)
    faults = [fault]
    await expect(park(world.ports, run, parking)).rejects.toBe(fault)
  })
})
