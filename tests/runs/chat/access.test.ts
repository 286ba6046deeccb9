import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { chatOperations } from '#src/catalog/chat.ts'
import type { Face } from '#src/operations/chat/face.ts'
import type { Store } from '#src/ports/store.ts'
import { memberOf } from '#tests/support/members.ts'
import { oneStore } from '#tests/support/stores.ts'
import { subscription } from '#tests/support/subscriptions.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { chatsOf, echo, makeTalker, saying, talker, type As, type Chats } from './chats.ts'

const { send, face } = chatOperations
const profiles = ['public', 'unlisted', 'private'] as const
const callers = [
  'an anonymous caller',
  'a Commons handle',
  'a stranger',
  'the owner',
  "the agent's own key",
  "a sibling's key",
  "a team member's key",
  "the friend's owner",
  "the friend's key",
  "the key of a friend's sibling",
  'who has asked to be a friend',
  'a subscriber',
] as const
type Caller = (typeof callers)[number]

const own: readonly Caller[] = ['the owner', "the agent's own key"]
/** To whom each level opens an agent whose profile is not private, besides its own callers. */
const opens: Readonly<Record<string, readonly Caller[]>> = {
  private: [],
  members: ["a team member's key"],
  friends: ["the friend's owner", "the friend's key"],
  public_paid: ['a subscriber'],
  public: callers,
  'no such level': [],
}
const ada = 'house--ada'

describe.each(oneStore())('who may speak to an agent, on $name', (kind) => {
  let store: Store
  let world: World
  let chats: Chats
  const as = new Map<Caller, As>()

  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
    chats = chatsOf(world.core)
    const scoped = async (key: string, scope_char_id: string): Promise<As> => {
      const input = { name: 'Scoped', scope_char_id }
      return { key: (await world.ask<{ key: string }>('api_keys.create', input, key)).key }
    }
    const owner = await world.account()
    const member = (local_id: string) => ({ local_id, name: local_id, heart: { tasks: [echo] } })
    const team = { name: 'Team', member_local_ids: ['ada', 'tom'] }
    const agents = ['ada', 'tom', 'max'].map(member)
    const manifest = { app_id: 'house', name: 'House', agents, team }
    await world.ask('agent_apps.provision', { manifest }, owner.key)
    const friend = await world.account()
    for (const id of ['eve', 'eva']) await makeTalker(world, friend.key, talker(id, 'private'))
    await world.ask('friends.request', { char_id: 'eve', friend_id: ada }, friend.key)
    await world.ask('friends.accept', { char_id: ada, friend_id: 'eve' }, owner.key)
    const pending = await world.account()
    await makeTalker(world, pending.key, talker('pat', 'private'))
    await world.ask('friends.request', { char_id: 'pat', friend_id: ada }, pending.key)
    const subscriber = await world.account()
    await store.subscriptions.insert(subscription('sub_1', subscriber.id, ada))
    as.set('an anonymous caller', {})
    as.set('a Commons handle', { key: (await memberOf(world)).token })
    as.set('a stranger', { key: (await world.account()).key })
    as.set('the owner', { key: owner.key })
    as.set("the agent's own key", await scoped(owner.key, ada))
    as.set("a sibling's key", await scoped(owner.key, 'house--max'))
    as.set("a team member's key", await scoped(owner.key, 'house--tom'))
    as.set("the friend's owner", { key: friend.key })
    as.set("the friend's key", await scoped(friend.key, 'eve'))
    as.set("the key of a friend's sibling", await scoped(friend.key, 'eva'))
    as.set('who has asked to be a friend', { key: pending.key })
    as.set('a subscriber', { key: subscriber.key })
  })
  afterAll(() => store.close())

  const show = (profile_visibility: string, chat: string): Promise<unknown> =>
    world.ask(
      'characters.visibility.update',
      { char_id: ada, visibility: { profile_visibility, ability_access: { chat } } },
      as.get('the owner')?.key,
    )
  const outcome = async (caller: Caller): Promise<string> => {
    const input = saying('Hello', { char_id: ada })
    const sent = await chats.ask(send, input, as.get(caller)).catch((cause: unknown) => cause)
    if (sent instanceof Error) return 'code' in sent ? String(sent.code) : String(sent)
    expect(sent).toMatchObject({ status: 'completed', output: 'Heard: Hello' })
    return 'answered'
  }

  function expected(profile: string, level: string, caller: Caller): string {
    if (own.includes(caller)) return 'answered'
    if (profile === 'private') return 'character_not_found'
    if (opens[level]?.includes(caller)) return 'answered'
    // A key would help, though not every key.
    const mayBeOpened = (opens[level]?.length ?? 0) > 0
    return caller === 'an anonymous caller' && mayBeOpened ? 'unauthenticated' : 'forbidden'
  }

  const rows = profiles.flatMap((profile) => Object.keys(opens).map((level) => [profile, level]))
  it.each(rows as [string, string][])(
    'with a profile that is %s, at the level "%s"',
    async (profile, level) => {
      await show(profile, level)
      for (const caller of callers) {
        expect(await outcome(caller), caller).toBe(expected(profile, level, caller))
        const faceOf = (whole: boolean) =>
          chats.ask<Face>(face, { char_id: ada, whole }, as.get(caller)).then(
            () => 'answered',
            ({ code }: { code: string }) => code,
          )
        const isKnown = profile !== 'private' || own.includes(caller)
        expect(await faceOf(false), caller).toBe(isKnown ? 'answered' : 'character_not_found')
        expect(await faceOf(true), caller).toBe(expected(profile, level, caller))
      }
    },
  )

  it('tells the same of an agent that is private and of one that is not there', async () => {
    await show('private', 'public')
    const told = async (char_id: string): Promise<object> => {
      const refusal = await chats.refused(send, saying('Hello', { char_id }))
      return { ...refusal.toObject('test'), detail: refusal.message.replace(char_id, '…') }
    }
    expect(await told(ada)).toEqual(await told('absent'))
  })

  it('tells others nothing of an agent without visibility settings', async () => {
    const { key } = await world.account()
    await makeTalker(world, key, { id: 'plain', name: 'Plain', heart: { tasks: [echo] } })
    const input = saying('Hello', { char_id: 'plain' })
    for (const caller of ['an anonymous caller', 'a stranger'] as const) {
      expect(await chats.refused(send, input, as.get(caller))).toMatchObject({
        code: 'character_not_found',
      })
    }
    expect(await chats.ask(send, input, { key })).toMatchObject({ output: 'Heard: Hello' })
  })

  it('says how to get a key where one could help', async () => {
    await show('public', 'friends')
    const refusal = await chats.refused(send, saying('Hello', { char_id: ada }))
    expect(refusal.toObject('test')).toMatchObject({
      code: 'unauthenticated',
      hint: expect.stringContaining('agent_claim.create'),
    })
  })
})

describe.each(oneStore())('what an agent shows of itself, on $name', (kind) => {
  let store: Store
  let world: World
  let chats: Chats
  let key: string

  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
    chats = chatsOf(world.core)
    key = (await world.account()).key
    await makeTalker(world, key, {
      ...talker('ada', 'public', [
        { ...echo, description: 'Says it again', tags: ['echo', 'e\u202echo'] },
        { ...echo, task_id: 'hidden', name: 'Hidden', public: false },
        { ...echo, task_id: 'sold', name: 'Sold', service_enabled: true, price_cents: 500 },
        { ...echo, task_id: 'off', name: 'Off', enabled: false },
        { ...echo, task_id: 'by-hand', name: 'By hand', autonomy: 'manual' },
        {
          ...echo,
          task_id: 'listens',
          name: 'Listens',
          public: false,
          triggers: [{ type: 'message', config: {} }],
        },
      ]),
      name: 'Ada <script>',
      tagline: 'Reads \u202eevery\u0007thing',
      bio: 'A secret <b>bio</b>',
      visibility: {
        profile_visibility: 'public',
        public_sections: ['tagline'],
        public_bio: 'Known to all',
        ability_access: { chat: 'public' },
      },
    })
  })
  afterAll(() => store.close())

  const shown = (whole: boolean, as?: As): Promise<Face> =>
    chats.ask<Face>(face, { char_id: 'ada', whole }, as)
  const ids = ({ tasks }: Face): string[] => tasks.map(({ task_id }) => task_id)

  test('to everybody: what is public, in harmless words', async () => {
    const found = await shown(false)
    expect(ids(found)).toEqual(['echo'])
    expect(found).toMatchObject({
      name: 'Ada ‹script›',
      description: 'Reads everything\n\nKnown to all',
      is_private: false,
      is_open: true,
      tasks: [{ name: 'Echo', description: 'Says it again', tags: ['task', 'echo'] }],
    })
  })

  test('to callers who may speak to it: what they may start', async () => {
    const found = await shown(true, { key: (await world.account()).key })
    expect(ids(found)).toEqual(['echo', 'listens'])
    expect(found.description).not.toContain('secret')
  })

  test('to its account: all of it', async () => {
    const found = await shown(true, { key })
    expect(ids(found).sort()).toEqual(['by-hand', 'echo', 'hidden', 'listens', 'off', 'sold'])
    expect(found.description).toBe('Reads everything\n\nKnown to all\n\nA secret ‹b›bio‹/b›')
  })
})
