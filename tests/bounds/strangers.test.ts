import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorObject } from '#src/core/errors.ts'
import { catalog } from '#src/catalog.ts'
import { chatsOf, echo, makeTalker, saying, talker } from '#tests/runs/chat/chats.ts'
import { chatOperations } from '#src/catalog/chat.ts'
import { shopIn } from '#tests/support/orders.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World } from '#tests/support/world.ts'

const storable = 4_000_000
const all = storable / 2
const one = storable / 20

const hook = {
  task_id: 'hook',
  name: 'Hook',
  runtime: 'template',
  prompt: 'Got it',
  triggers: [{ type: 'webhook', config: { path: 'in' } }],
}

describe.each(stores())('what strangers leave with an account on $name', (kind) => {
  let world: World
  let owner: { key: string; id: string }

  beforeEach(async () => {
    const table = { ...noQuotas.unclaimed, stored_bytes: storable }
    world = openWorld(await kind.open(), { quotas: { claimed: table, unclaimed: table } })
    owner = await world.account()
  })
  afterEach(() => world.ports.store.close())

  /** Calls an operation from an address; undefined where it was not refused. */
  async function refused(
    name: string,
    input: object,
    address: string,
    credential?: string,
  ): Promise<ErrorObject | undefined> {
    const operation = catalog.find((op) => op.name === name)
    if (!operation) throw new Error(`there is no operation ${name}`)
    const { refusal } = await world.core.serve({
      operation,
      input,
      address,
      credential,
      requestId: 'test',
    })
    return refusal?.toObject('test')
  }
  const called = (bytes: number, address = '192.0.2.0', char_id = 'ada') =>
    refused('hooks.receive', { char_id, path: 'in', body: 'x'.repeat(bytes) }, address)
  const kept = () => world.ports.quotas.received.of(owner.id)
  const own = async () =>
    (await world.ports.quotas.usage({ accountId: owner.id, claimed: false })).stored_bytes

  test('by hooks never fails a write of the owner', async () => {
    const character = { id: 'ada', name: 'Ada', heart: { tasks: [hook] } }
    await world.ask('characters.create', { character }, owner.key)
    const before = await own()
    // Four such calls once filled an account for good.
    for (let n = 0; n < 6; n++) await called(900_000, `192.0.${n}.0`)
    for (let n = 0; n < 60; n++) await called(180_000, `198.51.${n}.0`)
    expect(await kept()).toBeGreaterThan(all - 200_000)
    expect(await kept()).toBeLessThanOrEqual(all)
    expect(await own()).toBe(before)
    expect(await called(180_000, '203.0.113.0')).toMatchObject({
      code: 'quota_exceeded',
      hint: expect.stringContaining('Its owner has to delete') as string,
    })
    await world.ask('characters.create', { character: { id: 'eve', name: 'Eve' } }, owner.key)
    const run = await world.ask<{ id: string }>(
      'tasks.run',
      { char_id: 'ada', task_id: 'hook', input: 'x'.repeat(100_000) },
      owner.key,
    )
    expect(await own()).toBeGreaterThan(before + 100_000)
    // What goes stops counting: there is room again.
    const { items } = await world.ask<{ items: { id: string; status: string }[] }>(
      'runs.list',
      { char_id: 'ada', limit: 5 },
      owner.key,
    )
    for (const { id, status } of items) {
      if (status === 'queued') await world.ask('runs.cancel', { run_id: id }, owner.key)
      await world.ask('runs.delete', { run_id: id }, owner.key)
    }
    expect(items[0]?.id).toBe(run.id)
    expect(await called(180_000, '203.0.113.0')).toBeUndefined()
  })

  test('is bounded for each of them, and for no one else', async () => {
    const character = { id: 'ada', name: 'Ada', heart: { tasks: [hook] } }
    await world.ask('characters.create', { character }, owner.key)
    expect(await called(one + 1)).toMatchObject({
      code: 'quota_exceeded',
      hint: expect.stringContaining('Send less') as string,
    })
    expect(await called(one / 2)).toBeUndefined()
    expect(await called(one / 2)).toMatchObject({ code: 'quota_exceeded' })
    await world.ports.quotas.settle()
    expect(await called(one / 2)).toMatchObject({ code: 'quota_exceeded' })
    expect(await called(one / 2, '198.51.100.0')).toBeUndefined()
  })

  test('is bounded for messages, chats and orders alike, including their results', async () => {
    const stranger = await world.account()
    const says = { ...echo, prompt: 'Heard: {{input}} {{input}}' }
    await makeTalker(world, owner.key, talker('ada', 'public', [says]))
    const chats = chatsOf(world.core)
    // The same text would be kept once.
    const text = (n: number) => String(n) + 'y'.repeat(one / 5)
    await chats.ask(chatOperations.send, saying(text(1)), { key: stranger.key })
    // The template said it twice again.
    expect(await kept()).toBeGreaterThan((3 * one) / 5)
    await chats.ask(chatOperations.send, saying(text(2)), { key: stranger.key })
    const another = saying(text(3))
    const refusal = await chats.refused(chatOperations.send, another, { key: stranger.key })
    expect(refusal.code).toBe('quota_exceeded')
    const before = await own()
    const shop = await shopIn(world, { price_cents: 300 })
    const form = { note: 'z'.repeat(9000) }
    const ask = () => refused('orders.create', { ...shop.service, form }, '192.0.2.0')
    const codes = new Set<string | undefined>()
    for (let n = 0; n < 30; n++) codes.add((await ask())?.code)
    expect(codes).toEqual(new Set(['payment_required', 'quota_exceeded']))
    expect(await world.ports.quotas.received.of(shop.seller.id)).toBeLessThanOrEqual(one)
    expect(await own()).toBe(before)
  })

  test.each(['queued_runs', 'runs_a_day'] as const)('uses up no %s of the owner', async (name) => {
    const table = { ...noQuotas.unclaimed, [name]: 40 }
    world = openWorld(world.ports.store, { quotas: { claimed: table, unclaimed: table } })
    const free = { ...hook, task_id: 'own', triggers: [] }
    const tasks = [hook, free].map((task) => ({ ...task, runtime: 'prompt' }))
    const character = { id: 'ada', name: 'Ada', heart: { tasks } }
    await world.ask('characters.create', { character }, owner.key)
    const codes: (string | undefined)[] = []
    for (let n = 0; n < 15; n++) {
      for (let m = 0; m < 3; m++) codes.push((await called(10, `192.0.${n}.0`))?.code)
    }
    expect(codes.slice(0, 3)).toEqual([undefined, undefined, 'quota_exceeded'])
    expect(codes.filter((code) => code === undefined).length).toBeGreaterThanOrEqual(20)
    expect(codes.filter((code) => code === undefined).length).toBeLessThanOrEqual(24)
    // A refused call leaves no run behind.
    expect(await world.ports.store.runs.count({ status: 'skipped' })).toBe(0)
    const run = () =>
      refused('tasks.run', { char_id: 'ada', task_id: 'own' }, '203.0.113.0', owner.key)
    for (let n = 0; n < 40; n++) expect(await run()).toBeUndefined()
    expect(await run()).toMatchObject({ code: 'quota_exceeded' })
  })
})
