import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { audienceOf, isOpenTo, mayUse, type Viewer } from '#src/agents/visibility/ability-access.ts'
import { Visibility, type Ability } from '#src/agents/visibility/visibility.ts'
import type { Caller } from '#src/core/admission/caller.ts'
import type { Store } from '#src/ports/store.ts'
import { subscription } from '#tests/support/subscriptions.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const profiles = ['public', 'unlisted', 'private'] as const
const abilities = ['feed', 'chat', 'friends', 'memory'] as const
const viewers = [
  'anonymous',
  'stranger',
  'owner',
  'own key',
  "sibling's key",
  "friend's owner",
  "friend's key",
  "key of a friend's sibling",
  "team member's key",
  'subscriber',
  'pending friend',
] as const
type ViewerKind = (typeof viewers)[number]

const own: readonly ViewerKind[] = ['owner', 'own key']

/** Who may use what where the profile is not private, in addition to the agent and its account. */
const table: Readonly<Record<string, Readonly<Record<Ability, readonly ViewerKind[]>>>> = {
  private: { feed: [], chat: [], friends: [], memory: [] },
  members: { feed: [], chat: ["team member's key"], friends: [], memory: [] },
  friends: {
    feed: ["friend's owner", "friend's key"],
    chat: ["friend's owner", "friend's key"],
    friends: ["friend's owner", "friend's key"],
    memory: ["friend's owner", "friend's key"],
  },
  public_paid: {
    feed: ['subscriber'],
    chat: ['subscriber'],
    friends: ['subscriber'],
    memory: ['subscriber'],
  },
  public: { feed: viewers, chat: viewers, friends: viewers, memory: viewers },
  // Unknown levels, among them names that every object has.
  Public: { feed: [], chat: [], friends: [], memory: [] },
  constructor: { feed: [], chat: [], friends: [], memory: [] },
  '': { feed: [], chat: [], friends: [], memory: [] },
}
const levels = Object.keys(table)

function mayBy(
  profile: (typeof profiles)[number],
  level: string,
  ability: Ability,
  viewer: ViewerKind,
): boolean {
  if (own.includes(viewer)) return true
  return profile !== 'private' && table[level]?.[ability].includes(viewer) === true
}

const visibilityOf = (profile_visibility: string, level: string): Visibility =>
  Visibility.parse({
    profile_visibility,
    ability_access: { feed: level, chat: level, friends: level, memory: level },
  })

describe('the rule', () => {
  const none = { isOwn: false, isTeamMember: false, isFriend: false, hasSubscribed: false }
  const facts: Readonly<Record<ViewerKind, Viewer>> = {
    anonymous: none,
    stranger: none,
    owner: { ...none, isOwn: true },
    'own key': { ...none, isOwn: true },
    "sibling's key": none,
    "friend's owner": { ...none, isFriend: true },
    "friend's key": { ...none, isFriend: true },
    "key of a friend's sibling": none,
    "team member's key": { ...none, isTeamMember: true },
    subscriber: { ...none, hasSubscribed: true },
    'pending friend': none,
  }

  const rows = profiles.flatMap((profile) =>
    levels.flatMap((level) => abilities.map((ability) => [profile, level, ability] as const)),
  )
  test.for(rows)('of a %s profile at the level "%s" for %s', ([profile, level, ability]) => {
    const visibility = visibilityOf(profile, level)
    const may = viewers.filter((viewer) => mayUse(visibility, ability, facts[viewer]))
    expect(may).toEqual(viewers.filter((viewer) => mayBy(profile, level, ability, viewer)))
  })

  test.for(rows)('says whether a %s profile at the level "%s" opens %s at all', (row) => {
    const [profile, level, ability] = row
    const isOpen = profile !== 'private' && (table[level]?.[ability].length ?? 0) > 0
    const isClosed = audienceOf(visibilityOf(profile, level), ability) === 'none'
    expect(isClosed).toBe(!isOpen)
  })

  test.for(abilities)('opens %s to no one else by default', (ability) => {
    const open = { ...none, isTeamMember: true, isFriend: true, hasSubscribed: true }
    for (const visibility of [null, Visibility.parse({ profile_visibility: 'public' })]) {
      expect(mayUse(visibility, ability, open)).toBe(false)
      expect(mayUse(visibility, ability, { ...none, isOwn: true })).toBe(true)
    }
  })

  test.for(abilities)('lets a level of another ability open nothing of %s', (ability) => {
    const others = abilities.filter((one) => one !== ability).map((one) => [one, 'public'])
    const ability_access = Object.fromEntries(others) as object
    const visibility = Visibility.parse({ profile_visibility: 'public', ability_access })
    expect(mayUse(visibility, ability, none)).toBe(false)
  })
})

describe.each(oneStore())('what others may use on $name', (kind) => {
  let store: Store
  let world: World
  const keys = new Map<ViewerKind, string | undefined>()
  const callers = new Map<ViewerKind, Pick<Caller, 'accountId' | 'charId'>>()
  const ada = 'house--ada'

  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
    const know = async (viewer: ViewerKind, key: string | undefined): Promise<void> => {
      keys.set(viewer, key)
      callers.set(
        viewer,
        key === undefined ? { accountId: undefined } : await world.core.identify(key),
      )
    }
    const scoped = async (key: string, scope_char_id: string): Promise<string> => {
      const input = { name: 'Scoped', scope_char_id }
      return (await world.ask<{ key: string }>('api_keys.create', input, key)).key
    }
    const agent = (id: string, key: string): Promise<unknown> =>
      world.ask('characters.create', { character: { id, name: id } }, key)
    const owner = await world.account()
    const agents = ['ada', 'tom', 'max'].map((local_id) => ({ local_id, name: local_id }))
    const team = { name: 'Team', member_local_ids: ['ada', 'tom'] }
    const manifest = { app_id: 'house', name: 'House', agents, team }
    await world.ask('agent_apps.provision', { manifest }, owner.key)
    await know('anonymous', undefined)
    await know('stranger', (await world.account()).key)
    await know('owner', owner.key)
    await know('own key', await scoped(owner.key, ada))
    await know("sibling's key", await scoped(owner.key, 'house--max'))
    await know("team member's key", await scoped(owner.key, 'house--tom'))
    const friend = await world.account()
    for (const id of ['eve', 'eva']) await agent(id, friend.key)
    await world.ask('friends.request', { char_id: 'eve', friend_id: ada }, friend.key)
    await world.ask('friends.accept', { char_id: ada, friend_id: 'eve' }, owner.key)
    await know("friend's owner", friend.key)
    await know("friend's key", await scoped(friend.key, 'eve'))
    await know("key of a friend's sibling", await scoped(friend.key, 'eva'))
    const pending = await world.account()
    await agent('pat', pending.key)
    const permissions = ['read_memory', 'read_feed', 'message']
    const asked = { char_id: 'pat', friend_id: ada, permissions }
    await world.ask('friends.request', asked, pending.key)
    await know('pending friend', pending.key)
    const subscriber = await world.account()
    await store.subscriptions.insert(subscription('sub_1', subscriber.id, ada))
    await know('subscriber', subscriber.key)
    const entry = { char_id: ada, namespace: 'n', key: 'k', value: 'kept' }
    await world.ask('memory.put', entry, owner.key)
  })
  afterAll(() => store.close())

  const ask = async (op: string, input: object, viewer: ViewerKind): Promise<boolean> => {
    const operation = world.core.catalog.find(({ name }) => name === op)
    if (!operation) throw new Error(`there is no operation ${op}`)
    const about = { credential: keys.get(viewer), address: '127.0.0.0', requestId: 'test' }
    const { refusal } = await world.core.serve({ operation, input, ...about })
    if (!refusal) return true
    expect(['forbidden', 'unauthenticated', 'character_not_found']).toContain(refusal.code)
    return false
  }
  /** Without a key a feed is read in public alone. */
  const withKey = viewers.filter((viewer) => viewer !== 'anonymous')

  const rows = profiles.flatMap((profile) => levels.map((level) => [profile, level] as const))
  it.each(rows)('of a %s profile at the level "%s"', async (profile, level) => {
    const visibility = visibilityOf(profile, level)
    await world.ask('characters.visibility.update', { char_id: ada, visibility }, keys.get('owner'))
    const character = await store.characters.get(ada)
    for (const viewer of viewers) {
      for (const ability of abilities) {
        const expected = mayBy(profile, level, ability, viewer)
        const caller = callers.get(viewer) ?? {}
        const seen = character && (await isOpenTo(store, character, ability, caller))
        expect(seen, `${ability} for ${viewer}`).toBe(expected)
      }
    }
    for (const viewer of viewers) {
      const mayRemember = mayBy(profile, level, 'memory', viewer)
      const place = { char_id: ada, namespace: 'n' }
      expect(await ask('memory.get', { ...place, key: 'k' }, viewer), viewer).toBe(mayRemember)
      expect(await ask('memory.list', place, viewer), viewer).toBe(mayRemember)
      const mayKnow = mayBy(profile, level, 'friends', viewer)
      expect(await ask('friends.list', { char_id: ada }, viewer), viewer).toBe(mayKnow)
    }
    for (const viewer of withKey) {
      const mayFollow = mayBy(profile, level, 'feed', viewer)
      expect(await ask('posts.list', { char_id: ada }, viewer), viewer).toBe(mayFollow)
    }
    const isPublicFeed = mayBy(profile, level, 'feed', 'anonymous')
    for (const viewer of viewers) {
      expect(await ask('public.feed', { char_id: ada }, viewer), viewer).toBe(isPublicFeed)
    }
  })

  it('counts no one to the team who is of another account or has left', async () => {
    const visibility = visibilityOf('public', 'members')
    const owner = keys.get('owner')
    await world.ask('characters.visibility.update', { char_id: ada, visibility }, owner)
    const character = await store.characters.get(ada)
    const tom = callers.get("team member's key")
    if (!character || !tom) throw new Error('there is an agent and a member of its team')
    const opens = (caller: Pick<Caller, 'accountId' | 'charId'>): Promise<boolean> =>
      isOpenTo(store, character, 'chat', caller)
    expect(await opens(tom)).toBe(true)
    // The id of a deleted member, taken by another account.
    expect(await opens({ ...tom, accountId: callers.get('stranger')?.accountId })).toBe(false)
    // The agent has left its app, the app is being deleted, the app has no team.
    const manifest = { app_id: 'crowd', name: 'Crowd', agents: [{ local_id: 'a', name: 'A' }] }
    await world.ask('agent_apps.provision', { manifest }, owner)
    for (const app_id of [null, 'gone', 'crowd']) {
      expect(await isOpenTo(store, { ...character, app_id }, 'chat', tom), `${app_id}`).toBe(false)
    }
  })

  it('ends with the subscription', async () => {
    const visibility = visibilityOf('unlisted', 'public_paid')
    await world.ask('characters.visibility.update', { char_id: ada, visibility }, keys.get('owner'))
    const place = { char_id: ada, namespace: 'n', key: 'k' }
    expect(await ask('memory.get', place, 'subscriber')).toBe(true)
    await store.subscriptions.update({ id: 'sub_1' }, { $set: { status: 'ended' } })
    expect(await ask('memory.get', place, 'subscriber')).toBe(false)
  })
})
