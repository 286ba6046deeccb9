import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Task } from '@a2a-js/sdk'
import { TaskStore } from '#protocol/a2a/task-store.ts'
import { catalog } from '#src/catalog.ts'
import type { ErrorObject } from '#src/core/errors.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World } from '#tests/support/world.ts'

const storable = 4_000_000
const hours = 3_600_000

describe.each(stores())('answers kept for idempotency keys on $name', (kind) => {
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
      (await world.ports.quotas.usage({ accountId: id, claimed: false })).stored_bytes
    const before = await own()
    // Made and deleted, agents left what had been answered behind: at nobody's cost, and without a bound.
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
    expect(await own()).toBeGreaterThan(storable - 1)
    clock.set(clock.now().getTime() + 25 * hours)
    while ((await upkeep(world.ports, clock.now())) > 0);
    expect([await keptOnes(), await own()]).toEqual([0, before])
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
      tasks.keepSoon(one, 'key_1')
      await tasks.load(one.id, 'key_1')
    }
    const rows = () => world.ports.store.a2a_tasks.find({})
    const kept = await rows()
    expect(kept.length).toBeGreaterThan(2)
    expect(kept.length).toBeLessThan(6)
    // What has had an effect is still found, without what came of it.
    const effect = task(text)
    expect(await tasks.keep(effect, 'key_1')).toBe(true)
    expect(JSON.stringify(await tasks.load(effect.id, 'key_1'))).toContain('no room to keep')
    const other = task(text)
    await tasks.keep(other, 'key_2')
    expect(JSON.stringify(await tasks.load(other.id, 'key_2'))).toContain(text)
    clock.set(clock.now().getTime() + 25 * hours)
    while ((await upkeep(world.ports, clock.now())) > 0);
    await world.ports.quotas.settle()
    expect([await rows(), await world.ports.store.usage.find({})]).toEqual([[], []])
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
