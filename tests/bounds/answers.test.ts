import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Task } from '@a2a-js/sdk'
import { TaskStore } from '#protocol/a2a/kept/task-store.ts'
import { catalog } from '#src/catalog.ts'
import type { ErrorObject } from '#src/core/errors.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { auditBytes } from './graves.ts'
import { oneStore } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World } from '#tests/support/world.ts'

const storable = 4_000_000
const hours = 3_600_000

describe.each(oneStore())('answers kept for idempotency keys on $name', (kind) => {
  let world: World
  let clock: FakeClock

  beforeEach(async () => {
    clock = fakeClock()
    const table = { ...noQuotas.unclaimed, stored_bytes: storable }
    world = openWorld(await kind.open(), { clock, quotas: { claimed: table, unclaimed: table } })
  })
  afterEach(() => world.ports.store.close())

  let keys = 0
  async function refused(
    name: string,
    input: object,
    { credential, address = '192.0.2.0' }: { credential?: string; address?: string } = {},
  ): Promise<ErrorObject | undefined> {
    const operation = catalog.find((op) => op.name === name)
    if (!operation) throw new Error(`there is no operation ${name}`)
    const idempotencyKey = `key-of-this-very-call-${(keys += 1)}`
    const call = { operation, input, credential, address, idempotencyKey, requestId: 'test' }
    return (await world.core.serve(call)).refusal?.toObject('test')
  }
  const keptOnes = () => world.ports.store.idempotency.count({})

  test('count for the account that sent them, and no more once a day is over', async () => {
    const { key, id } = await world.account()
    const own = async () =>
      (await world.ports.quotas.usage({ accountId: id, claimed: false })).stored_bytes -
      (await auditBytes(world.ports.store, id))
    const before = await own()
    // Answers that outlive a deleted agent must count too, or they would pile up without a bound.
    const bio = 'x'.repeat(300_000)
    const codes: (string | undefined)[] = []
    for (let n = 0; n < 16; n++) {
      const made = await refused(
        'characters.create',
        { character: { id: 'ada', name: 'Ada', bio } },
        { credential: key },
      )
      codes.push(made?.code)
      if (made) break
      await world.ask('characters.delete', { char_id: 'ada' }, key)
    }
    expect(codes.at(-1)).toBe('quota_exceeded')
    expect(codes.length).toBeGreaterThan(10)
    expect(await own()).toBeGreaterThan(storable - 10_000)
    clock.set(clock.now().getTime() + 25 * hours)
    while ((await upkeep(world.ports, clock.now())) > 0);
    expect(await keptOnes()).toBe(0)
    // That there was such an agent is remembered for longer.
    expect((await own()) - before).toBeLessThan(100)
    clock.set(clock.now().getTime() + 30 * 24 * hours)
    while ((await upkeep(world.ports, clock.now())) > 0);
    expect(await own()).toBe(before)
  })

  test('and tasks of A2A are bounded for each sender, also where they only read', async () => {
    const tasks = new TaskStore(world.ports.store, clock, world.ports.quotas)
    const task = (text: string): Task =>
      Task.fromJSON({
        id: `task-${(keys += 1)}`,
        contextId: 'ctx',
        status: { state: 'TASK_STATE_COMPLETED', timestamp: clock.now().toISOString() },
        artifacts: [{ artifactId: 'a', name: 'a', parts: [{ text }] }],
      })
    const text = 'x'.repeat(50_000)
    for (let n = 0; n < 20; n++) {
      const one = task(text)
      tasks.keepSoon(one, { owner: 'one' })
      await tasks.load(one.id, 'one')
    }
    const rows = () => world.ports.store.a2a_tasks.find({})
    const kept = await rows()
    expect(kept.length).toBeGreaterThan(2)
    expect(kept.length).toBeLessThan(6)
    // A task that had an effect is still found, without its result.
    const effect = task(text)
    expect(await tasks.keep(effect, { owner: 'one' })).toBe(true)
    expect(JSON.stringify(await tasks.load(effect.id, 'one'))).toContain('no room to keep')
    const other = task(text)
    await tasks.keep(other, { owner: 'another' })
    expect(JSON.stringify(await tasks.load(other.id, 'another'))).toContain(text)
    clock.set(clock.now().getTime() + 25 * hours)
    while ((await upkeep(world.ports, clock.now())) > 0);
    await world.ports.quotas.settle()
    expect([await rows(), await world.ports.store.usage.find({})]).toEqual([[], []])
  })

  test('and tasks of A2A count for the account that sends them, with any of its keys', async () => {
    const { id: accountId } = await world.account()
    const account = { accountId, claimed: false }
    const tasks = new TaskStore(world.ports.store, clock, world.ports.quotas)
    const own = async () => (await world.ports.quotas.usage(account)).stored_bytes
    const before = await own()
    const made = (text: string): Task =>
      Task.fromJSON({
        id: `task-${(keys += 1)}`,
        contextId: 'ctx',
        status: { state: 'TASK_STATE_COMPLETED', timestamp: clock.now().toISOString() },
        artifacts: [{ artifactId: 'a', name: 'a', parts: [{ text }] }],
      })
    for (const owner of ['one key', 'another']) {
      await tasks.keep(made('x'.repeat(1000)), { owner, account })
    }
    expect((await own()) - before).toBeGreaterThan(2000)
    world.ports.quotas.addBytes(accountId, storable)
    const last = made('x'.repeat(1000))
    await tasks.keep(last, { owner: 'a third', account })
    expect(JSON.stringify(await tasks.load(last.id, 'a third'))).toContain('no room to keep')
    clock.set(clock.now().getTime() + 25 * hours)
    while ((await upkeep(world.ports, clock.now())) > 0);
    expect(await own()).toBe(before + storable)
  })

  test('are bounded for all together who have no account', async () => {
    const table = { ...noQuotas.unclaimed, stored_bytes: 300_000 }
    world = openWorld(world.ports.store, { clock, quotas: { claimed: table, unclaimed: table } })
    const name = 'x'.repeat(100)
    let networks = 0
    let last: string | undefined
    // Each network keeps within its own share.
    while (last === undefined && networks < 100) {
      networks += 1
      for (let n = 0; n < 5 && last === undefined; n++) {
        last = (await refused('agent_claim.create', { name }, { address: `192.0.${networks}.0` }))
          ?.detail
      }
    }
    expect(last).toContain('callers without an API key')
    expect(networks).toBeGreaterThan(8)
    clock.set(clock.now().getTime() + 25 * hours)
    while ((await upkeep(world.ports, clock.now())) > 0);
    expect(await refused('agent_claim.create', {})).toBeUndefined()
  })

  test('are bounded for each network that sends them without an account', async () => {
    const flood = async (address: string): Promise<string | undefined> => {
      for (let n = 0; n < 400; n++) {
        const one = await refused('agent_claim.create', { name: 'x'.repeat(100) }, { address })
        if (one) return one.code
      }
      return undefined
    }
    expect(await flood('192.0.2.0')).toBe('quota_exceeded')
    expect(await refused('agent_claim.create', {}, { address: '198.51.100.0' })).toBeUndefined()
    clock.set(clock.now().getTime() + 25 * hours)
    while ((await upkeep(world.ports, clock.now())) > 0);
    expect(await keptOnes()).toBe(0)
    await world.ports.quotas.settle()
    // Nothing is left of who that was either.
    const rows = await world.ports.store.usage.find({})
    expect(rows.filter(({ id }) => id.includes('/'))).toEqual([])
    expect(await refused('agent_claim.create', {})).toBeUndefined()
  })
})
