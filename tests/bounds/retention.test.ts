import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defaultRetention, retention } from '#adapters/config/retention.ts'
import { newRun } from '#src/runs/new-run.ts'
import type { Write } from '#src/ports/store.ts'
import { runEvent } from '#src/runs/events.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { letterOf } from '#src/commons/letters/send.ts'
import { closeAccounts } from '#src/departures/account.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { auditBytes } from './graves.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { walked } from './walked.ts'

const days = 86_400_000
const template = { task_id: 'says', name: 'Says', runtime: 'template', prompt: 'Said: {{input}}' }

describe.each(stores())('what is kept on $name', (kind) => {
  let world: World
  let clock: FakeClock
  let owner: { key: string; id: string }

  beforeEach(async () => {
    // Ids tell the time in which they are made.
    clock = fakeClock(Date.now())
    world = openWorld(await kind.open(), {
      clock,
      retention: retention('runs_unclaimed=3/7,runs_claimed=5/90,messages=20,events=10'),
    })
    owner = await world.account()
    const task = { ...template, post_to_feed: false }
    const heart = { tasks: [task, { task_id: 'thinks', name: 'Thinks', prompt: 'Think' }] }
    await world.ask(
      'characters.create',
      { character: { id: 'ada', name: 'Ada', heart } },
      owner.key,
    )
  })
  afterEach(() => world.ports.store.close())

  const claim = () =>
    world.ports.store.accounts.update({ id: owner.id }, { $set: { holder_id: 'usr_1' } })
  const own = async () =>
    (await world.ports.quotas.usage({ accountId: owner.id, claimed: false })).stored_bytes -
    (await auditBytes(world.ports.store, owner.id))
  const ran = async (task_id = 'says', input = 'x'): Promise<string> =>
    (await world.ask<{ id: string }>('tasks.run', { char_id: 'ada', task_id, input }, owner.key)).id
  const runs = async () => {
    const found = await world.ports.store.runs.find({ owner_id: owner.id }, { sort: { id: 1 } })
    return found.map(({ id }) => id)
  }
  const walk = () => walked(world)
  const later = (by: number) => clock.set(clock.now().getTime() + by * days)

  test('of an unclaimed account: the newest runs that are young, and all that have not ended', async () => {
    const before = await own()
    const waiting = await ran('thinks')
    const cost = await own()
    const all: string[] = []
    for (let n = 0; n < 5; n++) all.push(await ran('says', 'x'.repeat(1000)))
    expect(await walk()).toBe(2)
    expect(await runs()).toEqual([waiting, ...all.slice(2)])
    later(8)
    expect(await walk()).toBe(3)
    expect(await runs()).toEqual([waiting])
    expect(await own()).toBe(cost)
    await world.ask('runs.cancel', { run_id: waiting }, owner.key)
    // It has ended only now.
    expect(await walk()).toBe(0)
    later(8)
    expect(await walk()).toBe(1)
    expect(await own()).toBe(before)
  })

  test('of a claimed account: the newest runs, and older ones while they are young', async () => {
    await claim()
    const all: string[] = []
    for (let n = 0; n < 8; n++) all.push(await ran())
    later(89)
    expect(await walk()).toBe(0)
    later(2)
    expect(await walk()).toBe(3)
    expect(await runs()).toEqual(all.slice(3))
    later(1000)
    expect(await walk()).toBe(0)
  })

  test('of the first run of a chain, until all of it has ended', async () => {
    const sharing = { enabled: true, target_agent_id: 'ada', target_task_id: 'thinks' }
    await world.ask(
      'tasks.update',
      { char_id: 'ada', task_id: 'says', task: { output_sharing: sharing } },
      owner.key,
    )
    const first = await ran()
    later(8)
    expect(await walk()).toBe(0)
    const [, second] = await runs()
    await world.ask('runs.cancel', { run_id: second }, owner.key)
    expect(await walk()).toBe(1)
    expect(await runs()).not.toContain(first)
  })

  test('in batches that hold up no other work, however many go', async () => {
    const { store } = world.ports
    const before = await own()
    const task = await store.tasks.get('ada/says')
    if (!task) throw new Error('there is no task')
    const now = clock.now()
    for (let n = 0; n < 30; n++) {
      const writes = Array.from({ length: 20 }, (): Write => {
        const trigger = { type: 'manual', at: now.toISOString() }
        const run = newRun(task, { trigger, input: 'x'.repeat(50_000), skipped: 'quota' }, now)
        return { in: 'runs', insert: run }
      })
      await store.commit(writes)
    }
    later(8)
    const deletes = vi.spyOn(store.runs, 'delete')
    // The most that are deleted in one turn of the event loop.
    let most = 0
    let seen = 0
    let isOver = false
    const look = (): void => {
      const { length } = deletes.mock.calls
      most = Math.max(most, length - seen)
      seen = length
      if (!isOver) setImmediate(look)
    }
    look()
    expect(await walk()).toBe(600)
    isOver = true
    expect([await runs(), await own()]).toEqual([[], before])
    expect(deletes).toHaveBeenCalledTimes(600)
    // Of 50 kB each: a megabyte.
    expect(most).toBeLessThanOrEqual(20)
    deletes.mockRestore()
  })

  test('of messages and of what happened to a run, for so many days', async () => {
    const before = await own()
    await world.ask('characters.create', { character: { id: 'eve', name: 'Eve' } }, owner.key)
    const made = await own()
    await world.ask('messages.send', { char_id: 'ada', to: 'eve', body: 'hello' }, owner.key)
    const run = await ran('thinks')
    await world.ports.store.run_events.insert(runEvent(run, 'note', new Date(), {}))
    const withAll = await own()
    expect(withAll).toBeGreaterThan(made)
    expect(made).toBeGreaterThan(before)
    later(11)
    expect(await walk()).toBe(1)
    expect(await world.ports.store.run_events.count({})).toBe(0)
    expect(await world.ports.store.messages.count({})).toBe(1)
    later(10)
    expect(await walk()).toBe(1)
    expect(await world.ports.store.messages.count({})).toBe(0)
    expect(await own()).toBeLessThan(withAll)
  })

  test('of an agent the newest revisions, also where there were more before', async () => {
    const changed = async (bio: string) =>
      world.ask('characters.update', { char_id: 'ada', character: { bio } }, owner.key)
    const kept = async () => {
      const input = { char_id: 'ada', limit: 100 }
      const list = await world.ask<{ items: { revision: number }[] }>(
        'characters.revisions.list',
        input,
        owner.key,
      )
      return list.items.map(({ revision }) => revision)
    }
    for (let n = 0; n < 5; n++) await changed(`bio ${n}`)
    expect(await kept()).toHaveLength(5)
    const before = await own()
    world.ports.settings.retention = retention('revisions=2')
    await changed('bio 6')
    expect(await kept()).toHaveLength(3)
    await changed('bio 7')
    expect(await kept()).toEqual([7, 6])
    expect(await own()).toBeLessThan(before)
    await world.ask('characters.delete', { char_id: 'ada' }, owner.key)
    const graves = await world.ports.store.tombstones.find({})
    expect(graves).toMatchObject([{ id: 'characters/ada', counts_for: owner.id }])
    expect(await own()).toBe(graves[0]?.bytes)
    later(31)
    await upkeep(world.ports, clock.now())
    expect(await own()).toBe(0)
  })

  test('a true count of agents and apps, once a day', async () => {
    const { usage } = world.ports.store
    const wrong = { $set: { agents: 7, apps: -1 } }
    await usage.update({ id: owner.id }, wrong)
    await walk()
    expect(await usage.get(owner.id)).toMatchObject({ agents: 1, apps: 0 })
    // A change since it was read is counted itself.
    await usage.update({ id: owner.id }, wrong)
    const { characters } = world.ports.store
    vi.spyOn(characters, 'count').mockImplementationOnce(async () => {
      const found = await characters.find({ owner_id: owner.id })
      await usage.update({ id: owner.id }, { $inc: { agents: 1 } })
      return found.length
    })
    await walk()
    expect(await usage.get(owner.id)).toMatchObject({ agents: 8, apps: 0 })
  })

  test('of an id that comes and goes one mark, counted once', async () => {
    await world.ask('characters.delete', { char_id: 'ada' }, owner.key)
    const once = await own()
    for (let n = 0; n < 3; n++) {
      await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, owner.key)
      await world.ask('characters.delete', { char_id: 'ada' }, owner.key)
    }
    expect(await own()).toBe(once)
    later(31)
    await upkeep(world.ports, clock.now())
    expect(await own()).toBe(0)
  })

  test('messages of the Commons as long as those between agents', async () => {
    const { commons_letters } = world.ports.store
    const letter = (id: string) => letterOf('ada', 'bob', id, clock.now())
    for (const body of ['one', 'two']) {
      await commons_letters.insert({ ...letter(body), conversation: 'ada bob' })
    }
    later(19)
    expect([await walk(), await commons_letters.count({})]).toEqual([0, 2])
    later(2)
    expect([await walk(), await commons_letters.count({})]).toEqual([2, 0])
  })

  describe('of unclaimed accounts that are not used', () => {
    const isClosed = async () =>
      (await world.ports.store.accounts.get(owner.id))?.closed_at !== undefined
    const calls = (at: Date) =>
      world.ports.store.api_keys.update(
        { account_id: owner.id },
        { $set: { last_used_at: at.toISOString() } },
      )

    test('nothing after ninety days: they are closed', async () => {
      await calls(clock.now())
      later(89)
      await walk()
      expect(await isClosed()).toBe(false)
      later(2)
      await walk()
      expect(await isClosed()).toBe(true)
      await closeAccounts(world.ports, clock.now())
      const refusal = await world.refusal('account.get', {}, owner.key)
      expect(refusal.code).toBe('invalid_credential')
    })

    test('and their keys open nothing, also where one was looked up a moment ago', async () => {
      later(91)
      await world.ask('account.get', {}, owner.key)
      // As if what notes the use of the key came too late.
      await calls(new Date(clock.now().getTime() - 91 * days))
      await walk()
      expect(await isClosed()).toBe(true)
      const refusal = await world.refusal('account.get', {}, owner.key)
      expect(refusal.code).toBe('invalid_credential')
    })

    test('ninety days later nothing is left of them', async () => {
      const { store } = world.ports
      await ran()
      await calls(clock.now())
      later(91)
      await walk()
      while (await closeAccounts(world.ports, clock.now())) later(0.01)
      later(89)
      await walk()
      expect(await world.ports.store.characters.get('ada')).toBeDefined()
      later(2)
      await walk()
      await world.ports.quotas.settle()
      for (const name of ['characters', 'tasks', 'runs', 'api_keys', 'claims', 'usage'] as const) {
        expect(await store[name].count({}), name).toBe(0)
      }
      expect(await store.accounts.get(owner.id)).toBeUndefined()
      // The id is free again.
      const next = await world.account()
      await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, next.key)
    })

    test('all where a key was used, a run has completed, or a person holds it', async () => {
      later(80)
      await ran()
      await calls(new Date(0))
      later(20)
      await walk()
      // The run itself is not kept for so long.
      expect([await runs(), await isClosed()]).toEqual([[], false])
      later(60)
      await calls(clock.now())
      later(60)
      await walk()
      expect(await isClosed()).toBe(false)
      await claim()
      later(400)
      await walk()
      expect(await isClosed()).toBe(false)
    })

    test('revoked keys for a while, and others for good', async () => {
      const { id: key_id } = await world.ask<{ id: string }>(
        'api_keys.create',
        { name: 'Spare' },
        owner.key,
      )
      await world.ask('api_keys.revoke', { key_id }, owner.key)
      const { store } = world.ports
      const known = () => store.api_keys.count({ account_id: owner.id })
      const before = await known()
      later(89)
      await upkeep(world.ports, clock.now())
      expect(await known()).toBe(before)
      later(2)
      await upkeep(world.ports, clock.now())
      expect([await known(), await store.api_keys.get(key_id)]).toEqual([before - 1, undefined])
    })

    test('a claim for a while after it was decided, and before that for good', async () => {
      const { store } = world.ports
      later(300)
      await upkeep(world.ports, clock.now())
      expect(await store.claims.count({ account_id: owner.id })).toBe(1)
      const decided_at = clock.now().toISOString()
      const $set = { status: 'claimed', decided_at } as const
      await store.claims.update({ account_id: owner.id }, { $set })
      later(89)
      await upkeep(world.ports, clock.now())
      expect(await store.claims.count({})).toBe(1)
      later(2)
      await upkeep(world.ports, clock.now())
      expect(await store.claims.count({})).toBe(0)
    })

    test('all where there is money in the wallet', async () => {
      const wallet = { id: owner.id, currency: 'usd', available_cents: 5 }
      await world.ports.store.wallets.insert({
        ...wallet,
        pending_cents: 0,
        held_cents: 0,
      } as never)
      later(500)
      await walk()
      expect(await isClosed()).toBe(false)
    })
  })
})

test('what is kept is a setting', () => {
  expect(retention('default')).toEqual(defaultRetention)
  expect(retention('messages=30,runs_claimed=off,runs_unclaimed=off/3')).toEqual({
    ...defaultRetention,
    messages: 30,
    runs_claimed: { count: Infinity, days: Infinity },
    runs_unclaimed: { count: Infinity, days: 3 },
  })
  expect(retention('off').events).toBe(Infinity)
  for (const wrong of [
    'runs=1/2',
    'messages=1/2',
    'runs_claimed=5',
    'events=0',
    'events=1,events=2',
  ]) {
    expect(() => retention(wrong), wrong).toThrow()
  }
})
