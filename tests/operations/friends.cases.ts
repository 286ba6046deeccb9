import { expect } from 'vitest'
import { agent, agentRefusals, given, needsKey, nowhere, type Case, type Stage } from './case.ts'

interface Two {
  /** The owner's. */
  ada: string
  /** The stranger's. */
  eve: string
}

const two = async (stage: Stage): Promise<Two> => {
  const eve = stage.id('eve')
  await stage.ask('characters.create', { character: { id: eve, name: 'Eve' } }, 'stranger')
  return { ada: await agent(stage), eve }
}

/** The stranger's agent has asked the owner's. */
const asked = async (stage: Stage, more: object = {}): Promise<Two> => {
  const both = await two(stage)
  const terms = { permissions: ['message', 'run_task'], grants: ['message'], ...more }
  const request = { char_id: both.eve, friend_id: both.ada, ...terms }
  await stage.ask('friends.request', request, 'stranger')
  return both
}

const friends = async (stage: Stage): Promise<Two> => {
  const both = await asked(stage)
  await stage.ask('friends.accept', { char_id: both.ada, friend_id: both.eve })
  return both
}

const edgesOf = async (stage: Stage, char_id: string, as: 'owner' | 'stranger' = 'owner') =>
  (await stage.ask('friends.list', { char_id }, as)).items

/** Friends of which the stranger's has gone; its id is an agent of a third account by now. */
const taken = async (stage: Stage): Promise<Two & { key: string }> => {
  const both = await friends(stage)
  await stage.ask('characters.delete', { char_id: both.eve }, 'stranger')
  const { api_key } = await stage.ask('agent_claim.create', {}, 'anonymous')
  const character = { id: both.eve, name: 'Another' }
  await stage.world.ask('characters.create', { character }, api_key)
  return { ...both, key: api_key }
}

const requests: Case[] = [
  given({
    op: 'friends.request',
    title: 'another account is asked, and both sides see it wait',
    as: 'owner',
    given: two,
    input: ({ ada, eve }) => ({
      char_id: ada,
      friend_id: eve,
      relationship_type: 'colleague',
      permissions: ['message', 'run_task'],
      grants: ['message'],
      note: 'We met at the harbour.',
    }),
    answer: async (answer, { ada, eve }, stage) => {
      const shared = { relationship_type: 'colleague', status: 'pending', requested_by: ada }
      expect(answer).toMatchObject({
        ...shared,
        char_id: ada,
        permissions: ['message', 'run_task'],
      })
      expect(answer).not.toHaveProperty('warnings')
      expect(answer).not.toHaveProperty('untrusted')
      expect(await edgesOf(stage, ada)).toEqual([answer])
      const source = expect.objectContaining({ kind: 'friend', char_id: ada }) as unknown
      const back = {
        char_id: eve,
        friend_id: ada,
        permissions: ['message'],
        untrusted: true,
        source,
      }
      expect(await edgesOf(stage, eve, 'stranger')).toEqual([
        expect.objectContaining({ ...shared, ...back, asks: ['message', 'run_task'] }),
      ])
      // Nothing is allowed before it is accepted.
      const message = { char_id: ada, to: eve, body: 'hello' }
      await expect(stage.ask('messages.send', message)).rejects.toMatchObject({
        code: 'recipient_unreachable',
      })
    },
  }),
  given({
    op: 'friends.request',
    title: 'agents of one account are friends at once, and the way back has the same permissions',
    as: 'owner',
    given: async (stage) => ({ ada: await agent(stage), grace: await agent(stage, 'grace') }),
    input: ({ ada, grace }) => ({ char_id: ada, friend_id: grace, permissions: ['read_memory'] }),
    answer: async (answer, { ada, grace }, stage) => {
      const shared = { status: 'accepted', permissions: ['read_memory'] }
      expect(answer).toMatchObject({ ...shared, char_id: ada })
      expect(answer).not.toHaveProperty('requested_by')
      expect(await edgesOf(stage, grace)).toMatchObject([
        { ...shared, char_id: grace, friend_id: ada },
      ])
    },
  }),
  given({
    op: 'friends.request',
    title: 'a key that acts as the agent may ask for it',
    as: 'scoped',
    given: async (stage) => {
      const both = await two(stage)
      await stage.scopeTo(both.ada)
      return both
    },
    input: ({ ada, eve }) => ({ char_id: ada, friend_id: eve }),
    answer: (answer) => expect(answer.status).toBe('pending'),
  }),
  given({
    op: 'friends.request',
    title: 'permissions that mean nothing are kept with a warning',
    as: 'owner',
    given: two,
    input: ({ ada, eve }) => ({ char_id: ada, friend_id: eve, permissions: ['message', 'mesage'] }),
    answer: (answer) => {
      expect(answer).toMatchObject({ permissions: ['message', 'mesage'] })
      expect(answer.warnings).toMatchObject([
        { code: 'unknown_value', pointer: '/permissions/1', suggestion: 'message' },
      ])
    },
  }),
  given({
    op: 'friends.request',
    title: 'an agent cannot befriend itself',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (id) => ({ char_id: id, friend_id: id }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors).toMatchObject([{ pointer: '/friend_id', code: 'self' }]),
  }),
  given({
    op: 'friends.request',
    title: 'an agent that does not exist cannot be asked',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (id) => ({ char_id: id, friend_id: nowhere }),
    refusal: 'character_not_found',
  }),
  given({
    op: 'friends.request',
    title: 'friends are not asked again',
    as: 'owner',
    given: friends,
    input: ({ ada, eve }) => ({ char_id: ada, friend_id: eve }),
    refusal: 'already_friends',
  }),
  given({
    op: 'friends.request',
    title: 'an agent cannot be asked twice',
    as: 'stranger',
    given: asked,
    input: ({ ada, eve }) => ({ char_id: eve, friend_id: ada }),
    refusal: 'request_pending',
    error: (error) => expect(error.hint).toContain('friends.remove'),
  }),
  given({
    op: 'friends.request',
    title: 'an agent that was asked is told to accept instead',
    as: 'owner',
    given: asked,
    input: ({ ada, eve }) => ({ char_id: ada, friend_id: eve }),
    refusal: 'request_pending',
    error: (error) => expect(error.hint).toContain('friends.accept'),
  }),
  ...agentRefusals('friends.request', (char_id) => ({ char_id, friend_id: 'grace' })),
  ...needsKey('friends.request', { char_id: 'ada', friend_id: 'grace' }),
]

const answers: Case[] = [
  given({
    op: 'friends.accept',
    title: 'each side may then do at the other what was asked for and offered',
    as: 'owner',
    given: asked,
    input: ({ ada, eve }) => ({ char_id: ada, friend_id: eve }),
    answer: async (answer, { ada, eve }, stage) => {
      expect(answer).toMatchObject({ char_id: ada, status: 'accepted', permissions: ['message'] })
      expect(answer).not.toHaveProperty('asks')
      expect(answer).toMatchObject({ untrusted: true, source: { kind: 'friend', char_id: eve } })
      expect(await edgesOf(stage, ada)).toEqual([answer])
      const there = await edgesOf(stage, eve, 'stranger')
      expect(there).toMatchObject([
        { friend_id: ada, status: 'accepted', permissions: ['message', 'run_task'] },
      ])
      expect(there[0]).not.toHaveProperty('untrusted')
      await stage.ask('messages.send', { char_id: ada, to: eve, body: 'hello' })
      await stage.ask('messages.send', { char_id: eve, to: ada, body: 'hello' }, 'stranger')
    },
  }),
  given({
    op: 'friends.accept',
    title: 'it may allow less than was asked for',
    as: 'owner',
    given: asked,
    input: ({ ada, eve }) => ({ char_id: ada, friend_id: eve, permissions: ['run_task'] }),
    answer: async (_, { ada, eve }, stage) => {
      expect(await edgesOf(stage, eve, 'stranger')).toMatchObject([{ permissions: ['run_task'] }])
      const message = { char_id: eve, to: ada, body: 'hello' }
      await expect(stage.ask('messages.send', message, 'stranger')).rejects.toMatchObject({
        code: 'recipient_unreachable',
      })
    },
  }),
  given({
    op: 'friends.accept',
    title: 'it cannot allow what was not asked for',
    as: 'owner',
    given: asked,
    input: ({ ada, eve }) => ({
      char_id: ada,
      friend_id: eve,
      permissions: ['message', 'approve'],
    }),
    refusal: 'invalid_input',
    error: (error) =>
      expect(error.errors).toMatchObject([{ pointer: '/permissions/1', code: 'not_asked' }]),
  }),
  given({
    op: 'friends.accept',
    title: 'the asker cannot accept its own request',
    as: 'stranger',
    given: asked,
    input: ({ ada, eve }) => ({ char_id: eve, friend_id: ada }),
    refusal: 'forbidden',
  }),
  given({
    op: 'friends.accept',
    title: 'without a request there is nothing to accept',
    as: 'owner',
    given: two,
    input: ({ ada, eve }) => ({ char_id: ada, friend_id: eve }),
    refusal: 'friend_not_found',
  }),
  given({
    op: 'friends.accept',
    title: 'a request that was withdrawn is gone',
    as: 'owner',
    given: async (stage) => {
      const both = await asked(stage)
      await stage.ask('friends.remove', { char_id: both.eve, friend_id: both.ada }, 'stranger')
      return both
    },
    input: ({ ada, eve }) => ({ char_id: ada, friend_id: eve }),
    refusal: 'friend_not_found',
  }),
  given({
    op: 'friends.accept',
    title: 'it is accepted once',
    as: 'owner',
    given: friends,
    input: ({ ada, eve }) => ({ char_id: ada, friend_id: eve }),
    refusal: 'already_friends',
  }),
  ...agentRefusals('friends.accept', (char_id) => ({ char_id, friend_id: nowhere })),
  given({
    op: 'friends.remove',
    title: 'both directions end at once',
    as: 'owner',
    given: friends,
    input: ({ ada, eve }) => ({ char_id: ada, friend_id: eve }),
    answer: async (answer, { ada, eve }, stage) => {
      expect(answer).toEqual({ id: eve, deleted: true })
      expect(await edgesOf(stage, ada)).toEqual([])
      expect(await edgesOf(stage, eve, 'stranger')).toEqual([])
    },
  }),
  given({
    op: 'friends.remove',
    title: 'a request is declined, and may be made again',
    as: 'owner',
    given: asked,
    input: ({ ada, eve }) => ({ char_id: ada, friend_id: eve }),
    answer: async (_, { ada, eve }, stage) => {
      expect(await edgesOf(stage, eve, 'stranger')).toEqual([])
      await stage.ask('friends.request', { char_id: eve, friend_id: ada }, 'stranger')
    },
  }),
  given({
    op: 'friends.remove',
    title: 'who is no friend cannot be removed',
    as: 'owner',
    given: two,
    input: ({ ada, eve }) => ({ char_id: ada, friend_id: eve }),
    refusal: 'friend_not_found',
  }),
  ...agentRefusals('friends.remove', (char_id) => ({ char_id, friend_id: nowhere })),
]

const ends: Case[] = [
  given({
    op: 'friends.list',
    title: 'a deleted agent has no friends any more, nor has a new one with its id',
    as: 'owner',
    given: taken,
    input: ({ ada }) => ({ char_id: ada }),
    answer: async ({ items }, { ada, eve, key }, stage) => {
      expect(items).toEqual([])
      const theirs = await stage.world.ask('friends.list', { char_id: eve }, key)
      expect(theirs).toMatchObject({ items: [] })
      const message = { char_id: eve, to: ada, body: 'hello' }
      await expect(stage.world.ask('messages.send', message, key)).rejects.toMatchObject({
        code: 'recipient_unreachable',
      })
    },
  }),
  given({
    op: 'messages.send',
    title: 'what a friend allowed ends with it: a new agent with its id gets nothing',
    as: 'owner',
    given: taken,
    input: ({ ada, eve }) => ({ char_id: ada, to: eve, body: 'hello' }),
    refusal: 'recipient_unreachable',
  }),
]

/** Friends, of which the owner's is public and lets these use what has to do with friends. */
const openFriends = async (stage: Stage, friends: string, profile = 'public'): Promise<Two> => {
  const both = await asked(stage, { note: 'for your eyes' })
  await stage.ask('friends.accept', { char_id: both.ada, friend_id: both.eve })
  const visibility = { profile_visibility: profile, ability_access: { friends } }
  await stage.ask('characters.visibility.update', { char_id: both.ada, visibility })
  const grace = await agent(stage, 'grace')
  await stage.ask('friends.request', { char_id: both.ada, friend_id: grace })
  return both
}

/** An agent of the owner's with this visibility, and one of the stranger's. */
const seen = async (stage: Stage, visibility: object | null): Promise<Two> => {
  const both = await two(stage)
  await stage.ask('characters.update', { char_id: both.ada, character: { visibility } })
  return both
}

const lists: Case[] = [
  ...(['stranger', 'anonymous'] as const).map((as) =>
    given({
      op: 'friends.list',
      title: `whose friends are public is read by everybody, as ${as}, without terms and notes`,
      as,
      given: (stage) => openFriends(stage, 'public'),
      input: ({ ada }) => ({ char_id: ada }),
      answer: ({ items }, { ada, eve }) => {
        const friend = { char_id: ada, relationship_type: 'friend', status: 'accepted' }
        const marks = { untrusted: true, source: { kind: 'friend', char_id: ada } }
        const any = { created_at: expect.any(String), friend_id: expect.any(String) }
        const shown = { ...friend, ...any, ...marks }
        expect(items).toEqual([shown, shown])
        expect(items).toContainEqual({ ...shown, friend_id: eve })
      },
    }),
  ),
  given({
    op: 'friends.list',
    title: 'friends read the list that is open to friends',
    as: 'stranger',
    given: (stage) => openFriends(stage, 'friends', 'unlisted'),
    input: ({ ada }) => ({ char_id: ada }),
    answer: ({ items }) => expect(items).toHaveLength(2),
  }),
  given({
    op: 'friends.list',
    title: 'what is pending is shown to no one else',
    as: 'anonymous',
    given: async (stage) => {
      const both = await asked(stage)
      const visibility = { profile_visibility: 'public', ability_access: { friends: 'public' } }
      await stage.ask('characters.visibility.update', { char_id: both.ada, visibility })
      return both
    },
    input: ({ ada }) => ({ char_id: ada }),
    answer: ({ items }) => expect(items).toEqual([]),
  }),
  ...['private', 'members', 'public_paid', 'guild'].map((level) =>
    given({
      op: 'friends.list',
      title: `the level ${level} shows it to no stranger`,
      as: 'stranger',
      given: (stage) => openFriends(stage, level),
      input: ({ ada }) => ({ char_id: ada }),
      refusal: 'forbidden',
    }),
  ),
  given({
    op: 'friends.list',
    title: 'a private profile closes a public list',
    as: 'anonymous',
    given: (stage) => openFriends(stage, 'public', 'private'),
    input: ({ ada }) => ({ char_id: ada }),
    refusal: 'unauthenticated',
  }),
  ...['private', 'members', 'friends', 'public_paid'].map((level) =>
    given({
      op: 'friends.request',
      title: `an agent that sets its friends to ${level} is not asked by a stranger`,
      as: 'stranger',
      given: (stage) =>
        seen(stage, { profile_visibility: 'public', ability_access: { friends: level } }),
      input: ({ ada, eve }) => ({ char_id: eve, friend_id: ada }),
      refusal: 'forbidden',
      error: ({ hint }) => expect(hint).toContain('ability_access.friends'),
    }),
  ),
  ...[null, { ability_access: { feed: 'public' } }, { profile_visibility: 'public' }].map(
    (visibility) =>
      given({
        op: 'friends.request',
        title: `everybody may ask where no level is set: ${JSON.stringify(visibility)}`,
        as: 'stranger',
        given: (stage) => seen(stage, visibility),
        input: ({ ada, eve }) => ({ char_id: eve, friend_id: ada }),
        answer: (answer) => expect(answer.status).toBe('pending'),
      }),
  ),
  given({
    op: 'friends.request',
    title: 'everybody may ask where the level is public',
    as: 'stranger',
    given: (stage) =>
      seen(stage, { profile_visibility: 'public', ability_access: { friends: 'public' } }),
    input: ({ ada, eve }) => ({ char_id: eve, friend_id: ada }),
    answer: (answer) => expect(answer.status).toBe('pending'),
  }),
  given({
    op: 'friends.request',
    title: 'agents of one account are not kept apart by a level',
    as: 'owner',
    given: async (stage) => ({
      ada: await agent(stage, 'ada', { visibility: { ability_access: { friends: 'private' } } }),
      grace: await agent(stage, 'grace'),
    }),
    input: ({ ada, grace }) => ({ char_id: grace, friend_id: ada }),
    answer: (answer) => expect(answer.status).toBe('accepted'),
  }),
]

export const friendships: readonly Case[] = [...requests, ...answers, ...ends, ...lists]
