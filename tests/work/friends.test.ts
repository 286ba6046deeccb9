import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { friendsAtMost, pendingAtMost, pendingOfOneAtMost } from '#src/agents/friends/bounds.ts'
import { edgeId, type Edge } from '#src/agents/friends/edge.ts'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

describe.each(stores())('friendships on $name', (kind) => {
  let store: Store
  let world: World
  let ours: { key: string; id: string }
  let theirs: { key: string; id: string }

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    ours = await world.account()
    theirs = await world.account()
    await agent('ada', ours.key)
    await agent('eve', theirs.key)
  })
  afterEach(() => store.close())

  const agent = (id: string, key: string) =>
    world.ask('characters.create', { character: { id, name: id } }, key)
  const edge = (char_id: string, friend_id: string, more: Partial<Edge> = {}): Edge => ({
    char_id,
    friend_id,
    relationship_type: 'friend',
    permissions: [],
    shared_abilities: [],
    note: null,
    status: 'accepted',
    created_at: '2026-03-01T12:00:00.000Z',
    id: edgeId(char_id, friend_id),
    owner_id: ours.id,
    app_id: null,
    ...more,
  })
  const keep = (edges: Edge[]): Promise<void> =>
    store.commit(edges.map((insert) => ({ in: 'edges', insert }) as const))
  const many = <T>(count: number, make: (i: number) => T): T[] =>
    Array.from({ length: count }, (_, i) => make(i))
  const request = { char_id: 'ada', friend_id: 'eve' }

  it('are so many at most, on either side, also when they are accepted', async () => {
    await world.ask('friends.request', request, ours.key)
    await keep(many(friendsAtMost, (i) => edge('eve', `f${i}`, { owner_id: theirs.id })))
    const accept = { char_id: 'eve', friend_id: 'ada' }
    const refused = await world.refusal('friends.accept', accept, theirs.key)
    expect(refused).toMatchObject({ code: 'quota_exceeded' })
    expect(refused.detail).toContain(`"eve"`)
    await agent('alan', ours.key)
    const another = { char_id: 'alan', friend_id: 'eve' }
    const full = await world.refusal('friends.request', another, ours.key)
    expect(full).toMatchObject({ code: 'quota_exceeded' })
    await world.ask('friends.remove', { char_id: 'eve', friend_id: 'f0' }, theirs.key)
    await world.ask('friends.accept', accept, theirs.key)
  })

  it('wait in a number that no account can fill alone', async () => {
    const waiting = (from: string, owner_id: string): Edge[] => [
      edge(from, 'eve', { owner_id, status: 'pending', requested_by: from }),
      edge('eve', from, { owner_id: theirs.id, status: 'pending', requested_by: from }),
    ]
    const own = many(pendingOfOneAtMost, (i) => waiting(`own${i}`, ours.id)).flat()
    await keep(own)
    const refused = await world.refusal('friends.request', request, ours.key)
    expect(refused).toMatchObject({ code: 'quota_exceeded' })
    expect(refused.hint).toContain('friends.remove')
    const third = await world.account()
    await agent('alan', third.key)
    const another = { char_id: 'alan', friend_id: 'eve' }
    await world.ask('friends.request', another, third.key)
    await world.ask('friends.remove', another, third.key)
    const others = many(pendingAtMost - pendingOfOneAtMost, (i) => waiting(`o${i}`, `acc_${i}`))
    await keep(others.flat())
    expect(await world.refusal('friends.request', another, third.key)).toMatchObject({
      code: 'quota_exceeded',
    })
  })

  it('can wait regardless of how many are accepted or wait elsewhere', async () => {
    await keep([
      ...many(pendingAtMost, (i) => edge('ada', `f${i}`)),
      ...many(pendingAtMost, (i) => edge(`o${i}`, 'alan', { status: 'pending' })),
    ])
    await world.ask('friends.request', request, ours.key)
    expect(await store.edges.count({ char_id: 'ada', status: 'pending' })).toBe(1)
  })

  it('wait in no greater number for those who ask at once', async () => {
    const asking = many(3 * pendingOfOneAtMost, (i) => `own${i}`)
    await Promise.all(asking.map((id) => agent(id, ours.key)))
    const asked = async (char_id: string, isRepeated = false): Promise<string> => {
      try {
        await world.ask('friends.request', { char_id, friend_id: 'eve' }, ours.key)
        return 'asked'
      } catch (cause) {
        // A refusal, whose code says which. Those who had to wait for too many others ask again,
        // and learn then whether what they asked before was done all the same.
        const { code } = cause as { code: string }
        if (code === 'unavailable') return asked(char_id, true)
        return isRepeated && code === 'request_pending' ? 'asked' : code
      }
    }
    const codes = await Promise.all(asking.map((id) => asked(id)))
    expect(codes.filter((code) => code === 'asked')).toHaveLength(pendingOfOneAtMost)
    expect(new Set(codes)).toEqual(new Set(['asked', 'quota_exceeded']))
    expect(await store.edges.count({ char_id: 'eve' })).toBe(pendingOfOneAtMost)
  })

  it('are no more than there is room for when many accept at once', async () => {
    const friends = ['alan', 'grace', 'linus']
    for (const id of friends) {
      await agent(id, ours.key)
      await world.ask('friends.request', { char_id: id, friend_id: 'eve' }, ours.key)
    }
    await keep(many(friendsAtMost - 1, (i) => edge('eve', `f${i}`, { owner_id: theirs.id })))
    const outcomes = await Promise.allSettled(
      friends.map((friend_id) =>
        world.ask('friends.accept', { char_id: 'eve', friend_id }, theirs.key),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await store.edges.count({ char_id: 'eve', status: 'accepted' })).toBe(friendsAtMost)
  })

  it('are asked for once by many who ask at once', async () => {
    const both = [
      ...many(4, () => ['friends.request', request, ours.key] as const),
      ...many(4, () => {
        const back = { char_id: 'eve', friend_id: 'ada' }
        return ['friends.request', back, theirs.key] as const
      }),
    ]
    const outcomes = await Promise.allSettled(both.map((call) => world.ask(...call)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ code: 'request_pending' })
      }
    }
    const edges = await store.edges.find({})
    expect(edges.map(({ id }) => id).toSorted()).toEqual(['ada/eve', 'eve/ada'])
    expect(new Set(edges.map(({ requested_by }) => requested_by)).size).toBe(1)
  })

  it('never hold with an agent that went while they were made', async () => {
    const gone: Store = {
      ...store,
      commit: async (writes) => {
        await world.ask('characters.delete', { char_id: 'eve' }, theirs.key)
        return store.commit(writes)
      },
    }
    const late = openWorld(gone)
    expect(await late.refusal('friends.request', request, ours.key)).toMatchObject({
      code: 'character_not_found',
    })
    expect(await store.edges.count({})).toBe(0)
  })

  it('tell both accounts of their acceptance, and no one of the request', async () => {
    const triggers = [{ type: 'event', config: { event: 'friend.accepted' } }]
    const task = { name: 'Welcome', runtime: 'template', triggers }
    await world.ask('tasks.create', { char_id: 'ada', task }, ours.key)
    await world.ask('tasks.create', { char_id: 'eve', task }, theirs.key)
    const asked = { ...request, permissions: ['message'], grants: [] }
    await world.ask('friends.request', asked, ours.key)
    expect(await store.events.count({})).toBe(0)
    let woken = 0
    world.ports.wake.connect('events', () => void (woken += 1))
    await world.ask('friends.accept', { char_id: 'eve', friend_id: 'ada' }, theirs.key)
    expect(woken).toBe(1)
    const events = await store.events.find({}, { sort: { char_id: 1 } })
    expect(events).toMatchObject([
      {
        type: 'friend.accepted',
        owner_id: ours.id,
        char_id: 'ada',
        data: { char_id: 'ada', friend_id: 'eve', permissions: ['message'] },
      },
      {
        type: 'friend.accepted',
        owner_id: theirs.id,
        char_id: 'eve',
        data: { char_id: 'eve', friend_id: 'ada', permissions: [] },
      },
    ])
  })

  it('that an app has made end like any other', async () => {
    await agent('alan', ours.key)
    await keep([edge('ada', 'alan', { app_id: 'app' }), edge('alan', 'ada', { app_id: 'app' })])
    await world.ask('friends.remove', { char_id: 'alan', friend_id: 'ada' }, ours.key)
    expect(await store.edges.count({})).toBe(0)
  })
})
