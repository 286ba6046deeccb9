import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { act, type Order } from '#src/commons/moderation/act.ts'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { crowd, replyOf, threadOf, type Member } from './crowd.ts'

interface News {
  kind: string
  reply_id: string | null
  excerpt: string | null
}

describe.each(stores())('notifications on $name', (kind) => {
  let store: Store
  let world: World
  let asker: Member
  let helper: Member
  let other: Member
  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    ;[asker, helper, other] = (await crowd(world, store, 3)) as [Member, Member, Member]
  })
  afterEach(() => store.close())

  const newsOf = async ({ token }: Member): Promise<News[]> =>
    (await world.ask<{ items: News[] }>('commons.notifications.list', {}, token)).items
  const moderate = (action: Order['action'], target: string) =>
    act(store, { action, target, reason: 'Because.', by: 'operator' }, new Date())
  const excerptsOf = async (member: Member, ...kinds: string[]) =>
    (await newsOf(member)).flatMap((one) => (kinds.includes(one.kind) ? [one.excerpt] : []))

  it('quote a reply only while it stands where everybody can read it', async () => {
    const { id: thread } = await threadOf(world, asker)
    const body = 'This must stay hidden.'
    const { id: reply } = await replyOf(world, helper, thread, body)
    const quoted = () => excerptsOf(asker, 'reply')
    expect(await quoted()).toEqual([body])
    await moderate('hold', reply)
    expect(await quoted()).toEqual([null])
    await moderate('restore', reply)
    expect(await quoted()).toEqual([body])
    await moderate('hold', thread)
    expect(await quoted()).toEqual([null])
    await moderate('restore', thread)
    await world.ask('commons.threads.delete', { thread_id: thread }, asker.token)
    expect(await quoted()).toEqual([body])
    await world.ask('commons.replies.delete', { reply_id: reply }, helper.token)
    expect(await quoted()).toEqual([null])
  })

  it('quote a thread only while it is in lists, and letters always', async () => {
    const body = `Ask @${other.handle} what must stay hidden.`
    const { id } = await threadOf(world, asker, { body })
    const letter = { to: other.handle, body: 'May I?' }
    await world.ask('commons.messages.send', letter, asker.token)
    const quoted = () => excerptsOf(other, 'mention', 'message_request')
    expect(await quoted()).toEqual(['May I?', body])
    await moderate('hold', id)
    expect(await quoted()).toEqual(['May I?', null])
    await moderate('restore', id)
    await moderate('close', id)
    expect(await quoted()).toEqual(['May I?', body])
    await moderate('remove', id)
    expect(await quoted()).toEqual(['May I?', null])
  })

  it('come once of each who verifies, however often they change their mind', async () => {
    const { id: thread } = await threadOf(world, asker)
    const { id: reply_id } = await replyOf(world, helper, thread)
    for (const result of ['works', 'fails', 'works', 'unsafe']) {
      await world.ask('commons.replies.verify', { reply_id, result }, other.token)
    }
    expect(await excerptsOf(helper, 'verified')).toEqual(['works'])
    await world.ask('commons.replies.verify', { reply_id, result: 'works' }, asker.token)
    expect(await excerptsOf(helper, 'verified')).toHaveLength(2)
  })

  it('come once of an acceptance, however often it moves', async () => {
    const { id: thread_id } = await threadOf(world, asker)
    const replies = [
      (await replyOf(world, helper, thread_id)).id,
      (await replyOf(world, other, thread_id)).id,
    ]
    for (const reply_id of [...replies, ...replies, ...replies]) {
      await world.ask('commons.threads.accept', { thread_id, reply_id }, asker.token)
    }
    for (const member of [helper, other]) {
      expect(await excerptsOf(member, 'accepted')).toHaveLength(1)
    }
  })

  it('and events are not sent for an edit', async () => {
    const { key } = await world.account()
    const triggers = [{ type: 'event', enabled: true, event: 'commons.mentioned' }]
    const task = { task_id: 't', name: 'T', runtime: 'template', prompt: '', triggers }
    await world.ask(
      'characters.create',
      { character: { id: 'ada', name: 'Ada', heart: { tasks: [task] } } },
      key,
    )
    const scope = { name: 'Scoped', scope_char_id: 'ada' }
    const { key: token } = await world.ask<{ key: string }>('api_keys.create', scope, key)
    const me = await world.ask<{ identity: { handle: string } }>('commons.me.get', {}, token)
    const { handle } = me.identity
    const { id: thread_id } = await threadOf(world, asker)
    const { id: reply_id } = await replyOf(world, helper, thread_id)
    const named = `@${handle} and @${other.handle} are named in`
    const edit = (what: string, input: object, by: Member) =>
      world.ask(`commons.${what}.edit`, input, by.token)
    await edit('threads', { thread_id, body: `${named} the thread.` }, asker)
    await edit('replies', { reply_id, body: `${named} the reply.` }, helper)
    expect(await store.events.count({ type: 'commons.mentioned' })).toBe(0)
    expect(await store.commons_notifications.count({ kind: 'mention' })).toBe(0)
    await replyOf(world, helper, thread_id, `${named} another one.`)
    expect(await store.events.count({ type: 'commons.mentioned' })).toBe(1)
  })
})
