import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { HandedIn } from '#src/runs/leases/end-held.ts'
import type { Run } from '#src/runs/run.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World } from '#tests/support/world.ts'

interface Lease {
  run: Run | null
  lease_token: string
}

const one = { ...noQuotas.unclaimed, concurrent_runs: 1 }

describe.each(stores())('the next lease on $name', (kind) => {
  let place: Place
  let opened: Store[]
  let world: World
  let other: World
  let owner: { key: string; id: string }
  beforeEach(async () => {
    place = await kind.place()
    opened = [await place.open(), await place.open()]
    ;[world, other] = opened.map((store) => openWorld(store)) as [World, World]
    owner = await world.account()
    const sharing = { enabled: true, target_agent_id: 'eve', target_task_id: 'b' }
    await agent('eve', [task('b'), task('c')])
    await agent('ada', [task('a'), task('b', { output_sharing: sharing })])
  })
  afterEach(async () => {
    for (const store of opened) await store.close()
    await place.remove()
  })

  const task = (task_id: string, more: object = {}) => ({
    task_id,
    name: task_id,
    runtime: 'prompt',
    prompt: 'Do',
    ...more,
  })
  const agent = (id: string, tasks: object[]) =>
    world.ask('characters.create', { character: { id, name: id, heart: { tasks } } }, owner.key)
  const run = (char_id: string, task_id: string) =>
    world.ask<Run>('tasks.run', { char_id, task_id }, owner.key)
  const lease = async (among: object = {}, at = world) => {
    const found = await at.ask<Lease>('runs.lease', among, owner.key)
    return { run_id: found.run?.id ?? '', lease_token: found.lease_token }
  }
  const complete = (held: object, at = world, key = owner.key) =>
    at.ask<HandedIn>('runs.complete', { ...held, output: 'x', lease_next: true }, key)
  /** The same with an idempotency key. */
  const completeOnce = async (held: object, at: World): Promise<HandedIn> => {
    const operation = at.core.catalog.find(({ name }) => name === 'runs.complete')
    if (!operation) throw new Error('there is such an operation')
    const input = { ...held, output: 'x', lease_next: true }
    const from = { credential: owner.key, address: '127.0.0.0', requestId: 'test' }
    const outcome = await at.core.serve({ operation, input, ...from, idempotencyKey: 'once' })
    if (outcome.refusal) throw outcome.refusal
    return JSON.parse(outcome.answer.text) as HandedIn
  }

  it('keeps to what was asked for with the first one', async () => {
    await run('eve', 'c')
    await run('ada', 'a')
    const later = await run('ada', 'a')
    const held = await lease({ char_id: 'ada', task_id: 'a' })
    const { next_lease } = await complete(held)
    expect(next_lease?.run).toMatchObject({ id: later.id, status: 'running' })
    const next = { run_id: later.id, lease_token: next_lease?.lease_token }
    expect((await complete(next)).next_lease).toBeNull()
  })

  it('is of the agent of a scoped key, which is told of no run that it may not read', async () => {
    const made = { name: 'ada', scope_char_id: 'ada' }
    const scoped = await world.ask<{ key: string }>('api_keys.create', made, owner.key)
    await run('ada', 'b')
    await run('eve', 'c')
    const held = await lease({ char_id: 'ada' })
    expect(await complete(held, world, scoped.key)).toMatchObject({ started: [], next_lease: null })
    const begun = await world.ask<{ items: Run[] }>('runs.list', { char_id: 'eve' }, owner.key)
    expect(begun.items.map(({ task_id, status }) => [task_id, status])).toEqual([
      ['b', 'queued'],
      ['c', 'queued'],
    ])
  })

  it('is one for each of many who end at once in two processes, and the same for who asks again', async () => {
    const waiting = new Set<string>()
    const held = []
    for (let n = 0; n < 6; n++) await run('ada', 'b')
    for (let n = 0; n < 4; n++) held.push(await lease({ char_id: 'ada' }, n % 2 ? world : other))
    const { items } = await world.ask<{ items: Run[] }>(
      'runs.list',
      { status: 'queued' },
      owner.key,
    )
    for (const { id } of items) waiting.add(id)
    const [first, ...others] = held
    const twice = [completeOnce(first ?? {}, world), completeOnce(first ?? {}, other)]
    const [a, b, ...rest] = await Promise.all([
      ...twice,
      ...others.map((one, n) => complete(one, n % 2 ? other : world)),
    ])
    expect(b).toEqual(a)
    expect(await completeOnce(first ?? {}, other)).toEqual(a)
    const leases = [a, ...rest].flatMap((ended) => ended?.next_lease?.run?.id ?? [])
    expect(new Set(leases).size).toBe(leases.length)
    // What is queued first comes first; each that found nothing has handed on a run of its own.
    const now = await world.ask<{ items: Run[] }>('runs.list', { limit: 100 }, owner.key)
    const running = now.items.filter(({ status }) => status === 'running').map(({ id }) => id)
    expect(running.toSorted()).toEqual(leases.toSorted())
    expect(now.items.filter(({ status }) => status === 'completed')).toHaveLength(4)
    expect(now.items.every(({ attempt }) => attempt <= 1)).toBe(true)
  })

  it('goes back where the end is refused, and is given to another', async () => {
    await run('ada', 'a')
    const next = await run('ada', 'a')
    const held = await lease()
    const { store } = world.ports
    const failing = openWorld({
      ...opened[0]!,
      commit: async (writes) => {
        // Another worker has it meanwhile.
        await store.runs.update({ id: held.run_id }, { $set: { 'claim.token': 'another' } })
        return store.commit(writes)
      },
    })
    const sent = { ...held, output: 'x', lease_next: true }
    expect(await failing.refusal('runs.complete', sent, owner.key)).toMatchObject({
      code: 'lease_lost',
    })
    expect(await store.runs.get(next.id)).toMatchObject({
      status: 'queued',
      reason: 'waiting_for_worker',
      attempt: 0,
      claim: null,
    })
    expect((await lease()).run_id).toBe(next.id)
  })

  it('never keeps a run from ending', async () => {
    await run('ada', 'a')
    await run('ada', 'a')
    const held = await lease()
    const broken = openWorld({
      ...opened[0]!,
      characters: new Proxy(opened[0]!.characters, {
        get: (target, name, receiver) =>
          name === 'get'
            ? () => Promise.reject(new Error('it is broken'))
            : (Reflect.get(target, name, receiver) as unknown),
      }),
    })
    expect(await complete(held, broken)).toMatchObject({ status: 'completed', next_lease: null })
    expect(await lease()).toMatchObject({ run_id: expect.stringMatching(/^run_/) as string })
  })

  it('takes the place of the run that ends, unless another one waits for a place', async () => {
    const bounded = openWorld(opened[0]!, { quotas: { ...noQuotas, unclaimed: one } })
    const ids = []
    for (const id of ['a', 'b', 'a']) ids.push((await run('ada', id)).id)
    const held = await lease({}, bounded)
    const second = await complete(held, bounded)
    expect(second.next_lease?.run?.id).toBe(ids[1])
    const room = { waits_for: 'room', reason: 'concurrency' } as const
    await opened[0]!.runs.update({ id: ids[2] ?? '' }, { $set: room })
    await run('ada', 'a')
    const sent = { run_id: ids[1], lease_token: second.next_lease?.lease_token }
    expect((await complete(sent, bounded)).next_lease).toBeNull()
    expect(await opened[0]!.runs.get(ids[2] ?? '')).toMatchObject({ waits_for: 'worker' })
  })
})
