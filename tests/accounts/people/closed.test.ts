import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chatOperations } from '#src/catalog/chat.ts'
import { closeAccounts } from '#src/departures/account.ts'
import { Unavailable, type Store, type Write } from '#src/ports/store.ts'
import { startWork } from '#src/work/work.ts'
import { chatsOf, saying, type Chats } from '#tests/runs/chat/chats.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { order, payAndTell, settleAll, topUp, walletOf } from '#tests/support/orders.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { signedInPerson, type SignedInPerson } from './persons.ts'

const { send, get, face } = chatOperations

/** A task that anyone may start, whose runs wait for a worker that does not exist. */
const open = { public: true, runtime: 'prompt', prompt: 'Do {{input}}' }

describe.each(stores())('an account that was rejected, on $name', (kind) => {
  let store: Store
  let world: World
  let chats: Chats
  let ada: SignedInPerson
  let closed: { id: string; key: string; claim_code: string | undefined }
  let other: { id: string; key: string }

  beforeEach(async () => {
    const opened = await kind.open()
    store = opened
    world = openWorld(opened)
    chats = chatsOf(world.core)
    ada = await signedInPerson(world.ports)
    const made = await world.ask<{ claim_url: string; api_key: string }>('agent_claim.create', {})
    const { id } = await world.ask<{ id: string }>('account.get', {}, made.api_key)
    closed = { id, key: made.api_key, claim_code: made.claim_url.split('/').at(-1) }
    other = await world.account()
  })
  afterEach(() => store.close())

  const reject = () =>
    world.ask('agent_claim.reject', { claim_code: closed.claim_code }, { token: ada.token })
  const closeNow = () => closeAccounts(world.ports, world.ports.clock.now())
  const agent = (id: string, key: string, tasks: object[], more: object = {}) => {
    const visibility = { profile_visibility: 'public', ability_access: { chat: 'public' } }
    const character = { id, name: id, visibility, heart: { tasks }, ...more }
    return world.ask('characters.create', { character }, key)
  }
  /** An agent of the other account and `scout`. */
  const befriended = async (friend_id: string, permissions: string[]): Promise<void> => {
    const asked = { char_id: friend_id, friend_id: 'scout', permissions }
    await world.ask('friends.request', asked, other.key)
    await world.ask('friends.accept', { char_id: 'scout', friend_id }, closed.key)
  }

  it('gives back what was paid for work that it does no more', async () => {
    const sold = { service_enabled: true, price_cents: 200 }
    await agent('shop', closed.key, [{ task_id: 'portrait', name: 'P', ...open, ...sold }])
    const service = { char_id: 'shop', task_id: 'portrait' }
    await topUp(world, other)
    const byWallet = await order(world, { service }, { key: other.key, form: {} })
    expect(byWallet.order.status).toBe('in_progress')
    const byCard = await order(world, { service })
    await payAndTell(world, byCard.order.checkout?.id ?? '')
    const late = await order(world, { service })
    await reject()
    await closeNow()
    await payAndTell(world, late.order.checkout?.id ?? '')
    await settleAll(world)
    const stands = async ({ order: { id, token } }: typeof late) =>
      (await world.ask<{ status: string }>('orders.get', { order_id: id, token })).status
    expect([await stands(byWallet), await stands(byCard), await stands(late)]).toEqual([
      'refunded',
      'refunded',
      'refunded',
    ])
    expect(await walletOf(world, other.id)).toEqual({ available: 500, held: 0 })
    expect((await order(world, { service })).error).toMatchObject({ code: 'service_closed' })
    await expectBooksBalanced(store)
  })

  it('takes nothing more from friends or from anyone who writes to it', async () => {
    const triggers = [{ type: 'action', config: { name: 'act' } }, { type: 'message' }]
    await agent('scout', closed.key, [{ task_id: 'all', name: 'All', ...open, triggers }])
    await agent('friend', other.key, [])
    await befriended('friend', ['message', 'run_task'])
    const action = { char_id: 'scout', name: 'act' }
    const begun = await world.ask<{ runs: string[] }>('actions.invoke', action, other.key)
    const { id } = await chats.say('Hello', { key: other.key }, { char_id: 'scout' })
    await reject()
    await closeNow()
    for (const run of [id, ...begun.runs]) {
      expect(await store.runs.get(run)).toMatchObject({
        status: 'cancelled',
        reason: 'account_closed',
      })
    }
    const chat = await chats.ask(get, { char_id: 'scout', id }, { key: other.key })
    expect(chat).toMatchObject({ status: 'cancelled' })
    expect(await chats.ask(face, { char_id: 'scout' })).toMatchObject({ tasks: [] })
    expect(await chats.refused(send, saying('Again', { char_id: 'scout' }))).toMatchObject({
      code: 'task_not_found',
    })
    expect(await world.refusal('actions.invoke', action, other.key)).toMatchObject({
      code: 'action_not_found',
    })
    const message = { char_id: 'friend', to: 'scout', body: 'Go', task_id: 'all' }
    const { runs } = await world.ask<{ runs: string[] }>('messages.send', message, other.key)
    expect(await store.runs.get(runs[0] ?? '')).toMatchObject({
      status: 'skipped',
      reason: 'task_disabled',
    })
  })

  it('asks no one any more, not even an approver of another account', async () => {
    await agent('scout', closed.key, [])
    await agent('judge', other.key, [])
    await befriended('judge', ['approve'])
    const approval_gate = { requires_approval: true, approvers: ['judge'] }
    const task = { task_id: 'ask', name: 'Ask', ...open, approval_gate }
    await world.ask('tasks.create', { char_id: 'scout', task }, closed.key)
    const run = { char_id: 'scout', task_id: 'ask' }
    await world.ask('tasks.run', run, closed.key)
    const work = startWork(world.ports, ['runner'], 1)
    const pending = async (): Promise<string[]> => {
      const asked = { state: 'pending' }
      const { items } = await world.ask<{ items: { id: string }[] }>(
        'approvals.list',
        asked,
        other.key,
      )
      return items.map((one) => one.id)
    }
    await until(async () => (await pending()).length === 1)
    const [approval_id] = await pending()
    await reject()
    await closeNow()
    await work.stop()
    expect(await pending()).toEqual([])
    const vote = { approval_id, decision: 'approve', as_char_id: 'judge' }
    expect(await world.refusal('approvals.decide', vote, other.key)).toMatchObject({
      code: 'approval_decided',
    })
    expect(await store.runs.count({ owner_id: closed.id })).toBe(1)
  })

  it('reads nothing more, also of what waits to be read', async () => {
    await agent('reader', closed.key, [])
    const items = await Promise.all(
      ['a', 'b', 'c'].map((path) => {
        const url = `https://example.org/${path}`
        const body = { char_id: 'reader', url, type: 'feed' }
        return world.ask<{ id: string }>('knowledge.sources.add', body, closed.key)
      }),
    )
    // One of them is being read.
    const taken = { status: 'fetching', claim: 'wrk_somebody' } as const
    await store.knowledge_items.update({ id: items[0]?.id ?? '' }, { $set: taken })
    await reject()
    await closeNow()
    for (const { id } of items) {
      expect(await store.knowledge_items.get(id)).toMatchObject({
        status: 'failed',
        error: { code: 'account_closed' },
        queue: null,
        claim: null,
      })
    }
  })

  it('is closed to the end where the process dies in the middle, wherever that is', async () => {
    const { ports } = world
    const tasks = ['one', 'two', 'three'].map((task_id) => ({ task_id, name: task_id, ...open }))
    await agent('scout', closed.key, tasks)
    const waits = { char_id: 'scout', task_id: 'one' }
    for (let i = 0; i < 3; i++) await world.ask('tasks.run', waits, closed.key)
    await reject()
    // Each time it gets as far as one commit more, and no further.
    let died = 0
    for (;;) {
      let last: Promise<void> | undefined
      const store = new Proxy(ports.store, {
        get(target, name: keyof Store) {
          if (name !== 'commit') return target[name]
          return (writes: readonly Write[]) =>
            last ? Promise.reject(new Unavailable('It died.')) : (last = target.commit(writes))
        },
      })
      const closing = closeAccounts({ ...ports, store }, ports.clock.now())
      const isDone = await closing.then(
        () => true,
        () => false,
      )
      await last
      if (isDone) break
      died += 1
      expect((await store.accounts.get(closed.id))?.closing_due_at).toBeDefined()
    }
    expect(died).toBeGreaterThan(1)
    expect(await store.tasks.count({ char_id: 'scout', enabled: true })).toBe(0)
    expect(await store.runs.count({ owner_id: closed.id, status: 'cancelled' })).toBe(3)
    expect(await store.api_keys.count({ account_id: closed.id, revoked_at: null })).toBe(0)
  })

  it('has its runs end although its tasks cannot be disabled, nor what has expired be swept', async () => {
    await agent('scout', closed.key, [{ task_id: 'one', name: 'One', ...open }])
    const waits = { char_id: 'scout', task_id: 'one' }
    const { id } = await world.ask<{ id: string }>('tasks.run', waits, closed.key)
    await reject()
    const away = (): Promise<never> => Promise.reject(new Error('Nothing can be done.'))
    const tasks = { ...store.tasks, pick: away }
    const broken = new Proxy(store, {
      get: (target, name: keyof Store) => (name === 'tasks' ? tasks : target[name]),
    })
    const quotas = { ...world.ports.quotas, settle: away }
    const work = startWork({ ...world.ports, store: broken, quotas }, ['upkeep'], 1)
    await until(async () => (await store.runs.get(id))?.status === 'cancelled')
    await work.stop().catch(() => undefined)
  })
})
