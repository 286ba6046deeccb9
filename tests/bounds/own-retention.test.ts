import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runEvent } from '#src/runs/events.ts'
import { settleDueOrders } from '#src/money/orders/settle.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { startWork } from '#src/work/work.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { shopIn } from '#tests/support/orders.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { walked } from './walked.ts'

const days = 86_400_000
const template = { name: 'Says', runtime: 'template', prompt: 'Said', post_to_feed: false }
const tasks = [
  { ...template, task_id: 'says' },
  { task_id: 'thinks', name: 'Thinks', prompt: 'Think' },
]

describe.each(stores())('what an account keeps for less long on $name', (kind) => {
  let world: World
  let clock: FakeClock
  let owner: { key: string; id: string }
  let other: { key: string; id: string }

  beforeEach(async () => {
    clock = fakeClock(Date.now())
    world = openWorld(await kind.open(), { clock })
    owner = await world.account()
    other = await world.account()
    await create(owner, 'ada')
    await create(owner, 'eve')
    await create(other, 'bob')
    const claimed = { $set: { holder_id: 'usr_1' } }
    for (const { id } of [owner, other]) await world.ports.store.accounts.update({ id }, claimed)
  })
  afterEach(() => world.ports.store.close())

  const create = ({ key }: { key: string }, id: string) =>
    world.ask('characters.create', { character: { id, name: id, heart: { tasks } } }, key)
  const keep = (retention: object) => world.ask('account.update', { retention }, owner.key)
  const ran = async (char_id: string, { key }: { key: string }, task_id = 'says') =>
    (await world.ask<{ id: string }>('tasks.run', { char_id, task_id }, key)).id
  const walk = () => walked(world)
  const later = (by: number) => clock.set(clock.now().getTime() + by * days)

  test('its ended runs and their events, and no one else its own', async () => {
    await keep({ runs: 20, events: 10 })
    await ran('ada', owner)
    const going = await ran('ada', owner, 'thinks')
    const theirs = await ran('bob', other, 'thinks')
    for (const id of [going, theirs]) {
      await world.ports.store.run_events.insert(runEvent(id, 'note', new Date(), {}))
    }
    later(11)
    expect(await walk()).toBe(1)
    const events = await world.ports.store.run_events.find({})
    expect(events.map(({ run_id }) => run_id)).toEqual([theirs])
    later(10)
    expect(await walk()).toBe(1)
    const left = await world.ports.store.runs.find({}, { sort: { id: 1 } })
    expect(left.map(({ id }) => id)).toEqual([going, theirs])
  })

  test('messages between its agents, and none of those that others have too', async () => {
    await keep({ messages: 5 })
    await world.ports.store.edges.delete({})
    await world.ask('messages.send', { char_id: 'ada', to: 'eve', body: 'hello' }, owner.key)
    const [sent] = await world.ports.store.messages.find({})
    if (!sent) throw new Error('nothing was sent')
    const shared = { ...sent, id: `${sent.id.slice(0, -1)}x`, to: 'bob', to_owner: other.id }
    await world.ports.store.messages.insert(shared)
    later(4)
    expect(await walk()).toBe(0)
    later(2)
    expect(await walk()).toBe(1)
    expect(await world.ports.store.messages.find({})).toMatchObject([{ to: 'bob' }])
  })

  test('earlier states of its agents', async () => {
    await keep({ revisions: 2 })
    for (const bio of ['a', 'b', 'c', 'd']) {
      for (const [char_id, { key }] of [
        ['ada', owner],
        ['bob', other],
      ] as const) {
        await world.ask('characters.update', { char_id, character: { bio } }, key)
      }
    }
    expect(await world.ports.store.character_revisions.count({ char_id: 'ada' })).toBe(2)
    expect(await world.ports.store.character_revisions.count({ char_id: 'bob' })).toBe(4)
  })

  test('what buyers sent and were given; the order and its bytes stay true', async () => {
    const shop = await shopIn(world, { price_cents: null })
    await world.ask('account.update', { retention: { orders: 30 } }, shop.seller.key)
    const work = startWork(world.ports, ['runner'], 4)
    const form = { note: 'x'.repeat(5000) }
    const placed = await world.ask<{ id: string }>(
      'orders.create',
      { ...shop.service, form },
      owner.key,
    )
    await until(async () => {
      await settleDueOrders(world.ports)
      return (await world.ports.store.orders.count({ status: 'completed', due_at: null })) === 1
    })
    await work.stop()
    const bytes = () => world.ports.quotas.received.of(shop.seller.id)
    later(29)
    await walk()
    const before = await bytes()
    expect((await world.ports.store.orders.get(placed.id))?.form).toEqual(form)
    later(2)
    expect(await walk()).toBeGreaterThan(0)
    expect(await world.ports.store.orders.get(placed.id)).toMatchObject({
      form: {},
      output: null,
      status: 'completed',
    })
    expect(before - (await bytes())).toBeGreaterThan(5000)
    const again = await bytes()
    await walk()
    expect(await bytes()).toBe(again)
  })

  test('a large result of an order with an empty form, which is no part of its bytes', async () => {
    const result = 'x'.repeat(20_000)
    const shop = await shopIn(world, { price_cents: null, prompt: result })
    await world.ask('account.update', { retention: { orders: 30 } }, shop.seller.key)
    const work = startWork(world.ports, ['runner'], 4)
    const ordered = { ...shop.service, form: {} }
    const { id } = await world.ask<{ id: string }>('orders.create', ordered, owner.key)
    const { orders, large_values } = world.ports.store
    await until(async () => {
      await settleDueOrders(world.ports)
      return (await orders.count({ status: 'completed', due_at: null })) === 1
    })
    await work.stop()
    const runs = await world.ports.store.runs.pick(['id'], { owner_id: shop.seller.id })
    for (const [run_id] of runs) await world.ask('runs.delete', { run_id }, shop.seller.key)
    later(31)
    expect((await orders.get(id))?.output).toBe(result)
    expect(await walk()).toBe(1)
    expect((await orders.get(id))?.output).toBeNull()
    expect(await walk()).toBe(0)
    await upkeep(world.ports, clock.now())
    expect(await large_values.count({})).toBe(0)
  })
})
