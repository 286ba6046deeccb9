import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { act } from '#src/commons/moderation/act.ts'
import { waitingAtMost } from '#src/commons/webhooks/webhook.ts'
import type { Outbound, Sender } from '#src/ports/sender.ts'
import type { Store } from '#src/ports/store.ts'
import { deliverer, type Deliverer } from '#src/work/deliveries.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { crowd, replyOf, threadOf, type Member } from './crowd.ts'

const url = 'https://receiver.example/commons'

describe.each(stores())('webhooks of handles on $name', (kind) => {
  let store: Store
  let world: World
  let asker: Member
  let helper: Member
  let working: Deliverer
  let sent: Outbound[]
  let status: number
  beforeEach(async () => {
    store = await kind.open()
    sent = []
    status = 204
    const sender: Sender = {
      send(request) {
        sent.push(request)
        return Promise.resolve({ status, headers: {}, body: '' })
      },
      objection: () => undefined,
      load: () => Promise.reject(new Error('nothing is loaded')),
      close: () => Promise.resolve(),
    }
    world = openWorld(store, { sender })
    ;[asker, helper] = (await crowd(world, store, 2)) as [Member, Member]
    working = deliverer(world.ports, () => undefined)
  })
  afterEach(async () => {
    await working.stop()
    await store.close()
  })

  const hook = ({ token }: Member, events: string[] = []) =>
    world.ask<{ id: string; secret: string }>('commons.webhooks.create', { url, events }, token)
  const typesOf = async (): Promise<string[]> =>
    (await store.deliveries.find({}, { sort: { id: 1 } })).map(({ type }) => type)
  const pending = () => store.deliveries.count({ status: 'pending' })
  const sendAll = async (): Promise<void> => {
    await until(async () => {
      await working.tick()
      return (await store.deliveries.count({ status: 'pending', attempts: 0 })) === 0
    })
  }
  const write = (body: string) =>
    world.ask('commons.messages.send', { to: asker.handle, body }, helper.token)

  it('are sent what they ask for, signed so that the standard reads it', async () => {
    const { secret } = await hook(asker)
    const { id: thread } = await threadOf(world, asker)
    const { id: reply } = await replyOf(world, helper, thread, 'Have you tried the other one?')
    await sendAll()
    expect(sent).toHaveLength(1)
    const { body, headers, url: to } = sent[0] ?? ({} as Outbound)
    expect(to).toBe(url)
    const event = new Webhook(secret).verify(String(body), headers as Record<string, string>)
    expect(event).toMatchObject({
      type: 'commons.reply_received',
      data: { reply_id: reply, excerpt: 'Have you tried the other one?', untrusted: true },
    })
    expect(await store.deliveries.find({})).toMatchObject([{ status: 'delivered' }])
  })

  it('are told of every kind of news, of the handle alone', async () => {
    await hook(asker)
    await hook(helper)
    const { id: thread_id } = await threadOf(world, asker)
    const { id: reply_id } = await replyOf(world, helper, thread_id)
    await world.ask('commons.threads.accept', { thread_id, reply_id }, asker.token)
    const verdict = { reply_id, result: 'works' }
    await world.ask('commons.replies.verify', verdict, asker.token)
    await threadOf(world, helper, { body: `@${asker.handle} knows how the other one is made.` })
    await write('May I?')
    await world.ask('commons.messages.accept', { handle: helper.handle }, asker.token)
    await write('Thank you.')
    expect(await typesOf()).toEqual([
      'commons.reply_received',
      'commons.answer_accepted',
      'commons.answer_verified',
      'commons.mentioned',
      'commons.message_requested',
      'commons.request_accepted',
      'commons.message_received',
    ])
  })

  it('leave out what happens while too much waits, and say how much that was', async () => {
    const { id } = await hook(asker)
    await write('May I?')
    const [one] = await store.deliveries.find({})
    if (!one) throw new Error('there is a delivery')
    for (let i = 1; i < waitingAtMost; i += 1) {
      await store.deliveries.insert({ ...one, id: `${one.id}${i}` })
    }
    await world.ask('commons.messages.accept', { handle: helper.handle }, asker.token)
    await write('Are you there?')
    expect(await pending()).toBe(waitingAtMost)
    expect(await store.commons_webhooks.get(id)).toMatchObject({ left_out: 1 })
  })

  it('are disabled where the address is gone, with what waits for it', async () => {
    await hook(asker)
    await write('May I?')
    await world.ask('commons.messages.accept', { handle: helper.handle }, asker.token)
    await write('Are you there?')
    status = 410
    await sendAll()
    const { items } = await world.ask<{ items: object[] }>('commons.webhooks.list', {}, asker.token)
    expect(items).toMatchObject([{ state: 'disabled' }])
    await write('And now?')
    expect(await typesOf()).toHaveLength(2)
    expect(await pending()).toBe(0)
  })

  it('end with the handle: banned, or the agent deleted', async () => {
    await hook(asker)
    const owner = await world.account()
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, owner.key)
    const scope = { name: 'k', scope_char_id: 'ada' }
    const { key } = await world.ask<{ key: string }>('api_keys.create', scope, owner.key)
    await hook({ handle: 'ada', token: key })
    await write('May I?')
    expect(await store.commons_webhooks.count({})).toBe(2)
    const order = { action: 'ban', target: asker.handle, reason: 'Spam.', by: 'operator' } as const
    await act(store, order, new Date())
    expect(await pending()).toBe(0)
    expect(await store.commons_webhooks.count({})).toBe(1)
    await world.ask('characters.delete', { char_id: 'ada' }, owner.key)
    expect(await store.commons_webhooks.count({})).toBe(0)
  })

  it('count for no account, and their deliveries go after three days', async () => {
    await hook(asker)
    await write('May I?')
    await sendAll()
    const after = (days: number) => new Date(Date.now() + days * 86_400_000)
    await upkeep(world.ports, after(2.9))
    expect(await store.deliveries.count({})).toBe(1)
    await upkeep(world.ports, after(3.1))
    expect(await store.deliveries.count({})).toBe(0)
    expect(await store.usage.count({ id: `handle:${asker.handle}` })).toBe(0)
  })
})
