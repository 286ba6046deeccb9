import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { chatOperations } from '#src/catalog/chat.ts'
import type { Store } from '#src/ports/store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World, type WorldOptions } from '#tests/support/world.ts'
import { chatsOf, echo, makeTalker, saying, talker, think, type Chats } from './chats.ts'

const { send, get } = chatOperations

describe.each(oneStore())('a message to an agent, on $name', (kind) => {
  let store: Store
  let world: World
  let chats: Chats
  let key: string
  let stranger: string

  const open = async (options: WorldOptions = {}): Promise<void> => {
    store = await kind.open()
    world = openWorld(store, options)
    chats = chatsOf(world.core)
    key = (await world.account()).key
    stranger = (await world.account()).key
  }
  const make = (...tasks: object[]): Promise<unknown> =>
    makeTalker(world, key, talker('ada', 'public', tasks))

  beforeEach(() => open())
  afterEach(() => store.close())

  it('runs a task, and is answered with its result', async () => {
    await make(echo)
    const shown = await chats.say('Hello', { key: stranger })
    expect(shown).toMatchObject({
      char_id: 'ada',
      status: 'completed',
      output: 'Heard: Hello',
      input: 'Hello',
      context_id: expect.stringMatching(/^ctx_[0-9a-f]{32}$/),
      is_own: false,
      is_sender: true,
    })
    expect(await world.ask('runs.get', { run_id: shown.id }, key)).toMatchObject({
      id: shown.id,
      char_id: 'ada',
      trigger: { type: 'message', caller: { context_id: shown.context_id } },
      status: 'completed',
    })
    expect(await store.chats.get(shown.id)).toMatchObject({ char_id: 'ada', task_id: 'echo' })
    expect(await chats.ask(get, { char_id: 'ada', id: shown.id }, { key: stranger })).toEqual(shown)
  })

  it('is kept in one commit with its run, and sent again is answered the same', async () => {
    await make(echo)
    const input = saying('Hello')
    const as = { key: stranger, idempotencyKey: 'one' }
    const all = await Promise.all(Array.from({ length: 5 }, () => chats.ask(send, input, as)))
    const again = await chats.ask(send, input, as)
    expect(new Set([...all, again].map(({ id }) => id)).size).toBe(1)
    expect(await store.chats.count({ char_id: 'ada' })).toBe(1)
    expect(await store.runs.count({ char_id: 'ada' })).toBe(1)
    const other = await chats.refused(send, { ...input, parts: [{ text: 'Other' }] }, as)
    expect(other.code).toBe('idempotency_conflict')
  })

  it('is no post in the feed, and no less kept', async () => {
    await make({ ...echo, post_to_feed: true })
    await chats.say('A secret of mine', { key: stranger })
    expect(await store.posts.count({ char_id: 'ada' })).toBe(0)
    await world.ask('tasks.run', { char_id: 'ada', task_id: 'echo', input: 'By hand' }, key)
    expect(await store.posts.count({ char_id: 'ada' })).toBe(1)
  })

  describe('brings as the input of the run', () => {
    const inputOf = async (...parts: object[]): Promise<unknown> =>
      (await chats.say('', { key }, { parts })).input
    beforeEach(() => make({ ...think }))

    test('words', async () => {
      expect(await inputOf({ text: 'One' }, { text: 'two' })).toBe('One\ntwo')
    })
    test('JSON', async () => {
      expect(await inputOf({ data: { topic: 'tea' } })).toEqual({ topic: 'tea' })
      expect(await inputOf({ data: [1, 2] })).toEqual([1, 2])
      expect(await inputOf({ data: 0 })).toBe(0)
    })
    test('both, and several of them', async () => {
      const both = [{ text: 'On' }, { data: { topic: 'tea' } }]
      expect(await inputOf(...both)).toEqual({ text: 'On', data: { topic: 'tea' } })
      expect(await inputOf({ data: 1 }, { data: 2 })).toEqual({ data: [1, 2] })
    })
    test('files: words as words, others as they are, addresses as such', async () => {
      const base64 = Buffer.from('Grüße').toString('base64')
      const file = (more: object) => ({ file: { name: 'a', media_type: 'text/plain', ...more } })
      expect(await inputOf({ text: 'Look' }, file({ base64 }))).toEqual({
        text: 'Look',
        files: [{ name: 'a', media_type: 'text/plain', text: 'Grüße' }],
      })
      const broken = Buffer.from([0xff, 0xfe]).toString('base64')
      expect(await inputOf(file({ base64: broken }))).toEqual({
        files: [{ name: 'a', media_type: 'text/plain', base64: broken }],
      })
      const image = { name: null, media_type: 'image/png' }
      expect(await inputOf({ file: { ...image, base64 } }, file({ url: 'https://x' }))).toEqual({
        files: [
          { ...image, base64 },
          { name: 'a', media_type: 'text/plain', url: 'https://x' },
        ],
      })
    })
    test('nothing, where it only names its task', async () => {
      expect(await inputOf({ data: { task_id: 'think' } })).toBe(null)
    })
    test('no more than an input may hold', async () => {
      const base64 = 'A'.repeat(1_100_000)
      const parts = [{ file: { name: 'a', media_type: null, base64 } }]
      expect((await chats.refused(send, saying('', { parts }), { key })).code).toBe(
        'payload_too_large',
      )
    })
  })

  describe('starts', () => {
    const message = { type: 'message', config: {} }
    const outputs = async (as: string | undefined, more: object = {}): Promise<unknown> =>
      (await chats.say('x', { key: as }, more)).output
    const says = (task_id: string, more: object = {}): object => ({
      ...echo,
      task_id,
      name: task_id,
      prompt: task_id,
      ...more,
    })

    test('the first that listens for messages, else the first by its order', async () => {
      await make(says('late', { order: 2 }), says('early', { order: 1 }))
      expect(await outputs(stranger)).toBe('early')
      await world.ask(
        'tasks.create',
        { char_id: 'ada', task: says('listens', { order: 3, public: false, triggers: [message] }) },
        key,
      )
      expect(await outputs(stranger)).toBe('listens')
    })

    test('none that is disabled, or of autonomy manual, for any caller', async () => {
      const stopped = [says('off', { enabled: false }), says('manual', { autonomy: 'manual' })]
      await make(...stopped.map((one) => ({ ...one, triggers: [message] })))
      for (const as of [stranger, key]) {
        const refusal = await chats.refused(send, saying('x'), { key: as })
        expect(refusal.toObject('test')).toMatchObject({
          code: 'task_not_found',
          detail: '"ada" has no task that a message could start.',
          hint: expect.stringContaining('enabled'),
        })
        const named = saying('x', { task_id: 'off' })
        expect((await chats.refused(send, named, { key: as })).code).toBe('task_not_found')
      }
    })

    test('for others none that is not public, is sold, or listens for another sender', async () => {
      await make(
        says('hidden', { public: false }),
        says('sold', { service_enabled: true, price_cents: 100 }),
        says('priced', { service_enabled: true, payment_price_id: 'price_1' }),
        says('theirs', { triggers: [{ ...message, config: { from_agent_id: 'eve' } }] }),
        says('paid-too', { service_enabled: true, price_cents: 100, triggers: [message] }),
        says('free', { service_enabled: true }),
      )
      for (const task_id of ['hidden', 'sold', 'priced', 'theirs', 'paid-too']) {
        const refusal = await chats.refused(send, saying('x', { task_id }), { key: stranger })
        expect(refusal.toObject('test'), task_id).toMatchObject({
          code: 'task_not_found',
          hint: 'These you may: free.',
        })
        expect(await outputs(key, { task_id }), task_id).toBe(task_id)
      }
      expect(await outputs(stranger)).toBe('free')
    })

    test('the one that it names, in a data part or next to the parts', async () => {
      await make(says('one'), says('two'))
      expect(await outputs(stranger, { task_id: 'two' })).toBe('two')
      const parts = [{ text: 'x' }, { data: { task_id: 'two' } }]
      expect(await outputs(stranger, { parts })).toBe('two')
      const unknown = { parts: [{ data: { task_id: 'three' } }] }
      expect((await chats.refused(send, saying('x', unknown), { key: stranger })).code).toBe(
        'task_not_found',
      )
    })

    test('one that listens for the sender alone, where the sender acts as it', async () => {
      await makeTalker(world, stranger, talker('eve', 'private'))
      const { key: acting } = await world.ask<{ key: string }>(
        'api_keys.create',
        { name: 'Eve', scope_char_id: 'eve' },
        stranger,
      )
      const trigger = { ...message, config: { from_agent_id: 'eve' } }
      await make(says('first'), says('for-eve', { order: 1, triggers: [trigger] }))
      expect(await outputs(acting)).toBe('for-eve')
      expect(await outputs(stranger)).toBe('first')
    })
  })

  describe('counts for the account of the agent', () => {
    const bounded = (quota: object) => {
      const unclaimed = { ...noQuotas.unclaimed, ...quota }
      return { quotas: { unclaimed, claimed: { ...noQuotas.claimed, runs_a_day: 1000 } } }
    }
    beforeEach(() => store.close())

    test('among the runs of a day that others may have: beyond them it is refused', async () => {
      await open(bounded({ runs_a_day: 1 }))
      await make(echo)
      const first = await chats.say('x', { key: stranger })
      expect(first.status).toBe('completed')
      const second = await chats.refused(send, saying('x'), { key: stranger })
      expect(second.code).toBe('quota_exceeded')
      const own = await chats.say('x', { key })
      expect(own.status).toBe('completed')
      expect((await chats.refused(send, saying('x'), { key })).code).toBe('quota_exceeded')
    })

    test('among its stored bytes: beyond them it is refused, in words for others', async () => {
      await open(bounded({ stored_bytes: 3000 }))
      await make({ ...echo, description: 'x'.repeat(3000) })
      const refusal = await chats.refused(send, saying('x'), { key: stranger })
      expect(refusal.toObject('test')).toMatchObject({
        code: 'quota_exceeded',
        hint: 'Its owner has to make room; try again later.',
      })
    })
  })

  it('tells strangers what failed only by its code', async () => {
    await make({ ...echo, prompt: '{{inner_secret_name}}' })
    const shown = await chats.say('x', { key: stranger })
    expect(shown).toMatchObject({ status: 'failed', error: { code: 'variable_missing' } })
    expect(JSON.stringify(shown)).not.toContain('inner_secret_name')
    const own = await chats.ask(get, { char_id: 'ada', id: shown.id }, { key })
    expect(own.error?.message).toContain('inner_secret_name')
  })
})
