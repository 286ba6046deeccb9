import { expect } from 'vitest'
import {
  agent,
  agentRefusals,
  given,
  needsKey,
  staleRevision,
  type Case,
  type Made,
  type Stage,
} from '#tests/operations/case.ts'

const unset = {
  profile_visibility: 'private',
  public_sections: [],
  public_bio: null,
  show_in_directory: false,
  allow_cloning: false,
  show_owner_profile: true,
  ability_access: null,
}
/** The agent's own door. */
const links = {
  a2a: expect.stringMatching(/^http.*\/a2a\/[^/]+\/$/),
  card: expect.stringMatching(/^http.*\/a2a\/[^/]+\/\.well-known\/agent-card\.json$/),
}
const closed = { feed: 'private', chat: 'private', friends: 'private', memory: 'private' }

const visible = async (stage: Stage, visibility: object): Promise<string> =>
  agent(stage, 'ada', { visibility })

const codesAt = ({ warnings }: Made): string[] => {
  const shown = warnings as unknown as { code: string; pointer: string }[]
  return shown.map(({ code, pointer }) => `${code} ${pointer}`)
}

const reads: Case[] = [
  given({
    op: 'characters.visibility.get',
    title: 'an agent of which nothing was said is private, with every default',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id }),
    answer: (answer) => expect(answer).toEqual({ ...unset, links }),
  }),
  given({
    op: 'characters.visibility.get',
    title: 'what was set is read back, unknown members and levels too',
    as: 'scoped',
    given: async (stage) => {
      const id = await visible(stage, { ability_access: { feed: 'guild' }, x_note: { a: [1] } })
      await stage.scopeTo(id)
      return id
    },
    input: (char_id) => ({ char_id }),
    answer: (answer) =>
      expect(answer).toEqual({
        ...unset,
        links,
        ability_access: { ...closed, feed: 'guild' },
        x_note: { a: [1] },
      }),
  }),
  given({
    op: 'characters.visibility.get',
    title: 'a key that acts as a sibling may not read it',
    as: 'scoped',
    given: async (stage) => {
      const id = await agent(stage)
      await stage.scopeTo(await agent(stage, 'grace'))
      return id
    },
    input: (char_id) => ({ char_id }),
    refusal: 'forbidden',
  }),
  given({
    op: 'characters.visibility.get',
    title: 'a public agent shows how it is set to its own account alone',
    as: 'stranger',
    given: (stage) => visible(stage, { profile_visibility: 'public' }),
    input: (char_id) => ({ char_id }),
    refusal: 'forbidden',
  }),
  ...agentRefusals('characters.visibility.get', (char_id) => ({ char_id })),
  ...needsKey('characters.visibility.get', { char_id: 'ada' }),
]

const writes: Case[] = [
  given({
    op: 'characters.visibility.update',
    title: 'what is sent is merged into the defaults, and counts as a change of the agent',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({
      char_id,
      visibility: { profile_visibility: 'public', ability_access: { feed: 'public' } },
    }),
    answer: async (answer, char_id, stage) => {
      const whole = {
        ...unset,
        profile_visibility: 'public',
        ability_access: { ...closed, feed: 'public' },
      }
      const warnings = [{ code: 'chat_closed', pointer: '/ability_access/chat' }]
      expect(answer).toMatchObject({ ...whole, links, warnings })
      expect(await stage.ask('characters.get', { char_id })).toMatchObject({
        revision: 2,
        visibility: whole,
      })
    },
  }),
  given({
    op: 'characters.visibility.update',
    title: 'what is not sent stays, down to each level',
    as: 'owner',
    given: (stage) =>
      visible(stage, {
        profile_visibility: 'unlisted',
        public_sections: ['role'],
        ability_access: { feed: 'public', memory: 'friends' },
        x_note: 1,
      }),
    input: (char_id) => ({
      char_id,
      visibility: { public_bio: 'Hello', ability_access: { feed: 'friends' } },
    }),
    answer: (answer) =>
      expect(answer).toEqual({
        ...unset,
        links,
        profile_visibility: 'unlisted',
        public_sections: ['role'],
        public_bio: 'Hello',
        ability_access: { ...closed, feed: 'friends', memory: 'friends' },
        x_note: 1,
      }),
  }),
  given({
    op: 'characters.visibility.update',
    title: 'an answer that is sent back changes nothing, and its links are not kept',
    as: 'owner',
    given: (stage) => visible(stage, { public_bio: 'Hello' }),
    input: (char_id) => ({
      char_id,
      visibility: { ...unset, public_bio: 'Hello', links: { a2a: 'https://elsewhere.example/' } },
    }),
    answer: async (answer, char_id, stage) => {
      expect(answer).toEqual({ ...unset, public_bio: 'Hello', links })
      const kept = await stage.ask('characters.get', { char_id })
      expect(kept).not.toHaveProperty('visibility.links')
    },
  }),
  given({
    op: 'characters.visibility.update',
    title: 'null takes back what may be null',
    as: 'owner',
    given: (stage) => visible(stage, { public_bio: 'Hello', ability_access: { feed: 'public' } }),
    input: (char_id) => ({ char_id, visibility: { public_bio: null, ability_access: null } }),
    answer: (answer) => expect(answer).toEqual({ ...unset, links }),
  }),
  given({
    op: 'characters.visibility.update',
    title: 'nothing sent fills the defaults in',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, visibility: {} }),
    answer: (answer) => expect(answer).toEqual({ ...unset, links }),
  }),
  given({
    op: 'characters.visibility.update',
    title: 'unknown levels and sections are kept, with a warning each',
    as: 'owner',
    given: (stage) => agent(stage, 'ada', { brain: { skills: ['unknown-bundle'] } }),
    input: (char_id) => ({
      char_id,
      visibility: {
        public_sections: ['role', 'secrets'],
        ability_access: { feed: 'freinds', memory: 'members', chat: 'members' },
      },
    }),
    answer: (answer) => {
      expect(answer).toMatchObject({
        public_sections: ['role', 'secrets'],
        ability_access: { feed: 'freinds', memory: 'members', chat: 'members' },
      })
      expect(codesAt(answer)).toEqual([
        'unknown_value /public_sections/1',
        'unknown_value /ability_access/feed',
        'level_reduced /ability_access/memory',
      ])
    },
  }),
  ...(
    [
      ['another profile_visibility than the three', { profile_visibility: 'secret' }],
      ['no profile_visibility', { profile_visibility: null }],
      ['a level that is no text', { ability_access: { feed: true } }],
      ['sections that are no list', { public_sections: 'role' }],
    ] as const
  ).map(([title, visibility]) =>
    given({
      op: 'characters.visibility.update',
      title: `${title} is refused, and nothing is changed`,
      as: 'owner',
      given: (stage) => agent(stage),
      input: (char_id) => ({ char_id, visibility }),
      refusal: 'invalid_input',
      error: (error) => {
        const [fault] = error.errors ?? []
        expect(fault?.pointer).toMatch(
          /(^|\/)(profile_visibility|public_sections|ability_access\/feed)$/,
        )
      },
    }),
  ),
  given({
    op: 'characters.visibility.update',
    title: 'members that it does not have are refused, with the nearest',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({
      char_id,
      visibility: {
        visibility: 'public',
        profile_visibilty: 'public',
        ability_access: { fed: 'public' },
      },
    }),
    refusal: 'invalid_input',
    error: ({ errors = [], hint }) => {
      expect(hint).toMatch(/^Send .* For example: `characters\.visibility\.update /)
      // On REST the document is the body.
      const within = errors.map(({ pointer, ...fault }) => ({
        ...fault,
        pointer: pointer.replace(/^\/visibility(?=\/)/, ''),
      }))
      expect(within).toMatchObject([
        { pointer: '/visibility', code: 'unknown_member', suggestion: 'profile_visibility' },
        { pointer: '/profile_visibilty', suggestion: 'profile_visibility' },
        { pointer: '/ability_access/fed', suggestion: 'feed' },
      ])
    },
  }),
  given({
    op: 'characters.visibility.update',
    title: 'what it was before is kept as a revision, which brings it back',
    as: 'owner',
    given: async (stage) => {
      const id = await visible(stage, { profile_visibility: 'public', public_bio: 'Before' })
      return id
    },
    input: (char_id) => ({ char_id, visibility: { public_bio: 'After' } }),
    answer: async (_, char_id, stage) => {
      const { items } = await stage.ask('characters.revisions.list', { char_id })
      expect(items).toMatchObject([{ revision: 1, changed: ['visibility'] }])
      await stage.ask('characters.revisions.restore', { char_id, revision: 1 })
      const back = await stage.ask('characters.visibility.get', { char_id })
      expect(back).toMatchObject({ public_bio: 'Before' })
    },
  }),
  given({
    op: 'characters.visibility.update',
    title: 'tasks and their secrets stay as they are',
    as: 'owner',
    given: async (stage) => {
      const id = await agent(stage)
      const config = { path: `p-${id}`, secret: 'wh-0123456789abcdef' }
      const task = { task_id: 't', name: 'T', triggers: [{ type: 'webhook', config }] }
      await stage.ask('tasks.create', { char_id: id, task })
      const { tasks } = (await stage.ask('characters.get', { char_id: id })).heart
      return { id, tasks }
    },
    input: ({ id }) => ({ char_id: id, visibility: { profile_visibility: 'public' } }),
    answer: async (_, { id, tasks }, stage) => {
      expect((await stage.ask('characters.get', { char_id: id })).heart.tasks).toEqual(tasks)
    },
  }),
  given({
    op: 'characters.visibility.update',
    title: 'the revision that is expected is changed',
    as: 'owner',
    given: (stage) => agent(stage),
    expected: 1,
    input: (char_id) => ({ char_id, visibility: { allow_cloning: true } }),
    answer: (answer) => expect(answer).toMatchObject({ allow_cloning: true }),
    not: { mcp: 'no If-Match there', a2a: 'no If-Match there' },
  }),
  staleRevision(
    'characters.visibility.update',
    async (stage) => ({ char_id: await agent(stage) }),
    { visibility: { allow_cloning: true } },
  ),
  given({
    op: 'characters.visibility.update',
    title: 'a key that acts as an agent may not change it',
    as: 'scoped',
    given: async (stage) => {
      const id = await agent(stage)
      await stage.scopeTo(await agent(stage, 'grace'))
      return id
    },
    input: (char_id) => ({ char_id, visibility: { profile_visibility: 'public' } }),
    refusal: 'scope_forbidden',
  }),
  ...agentRefusals('characters.visibility.update', (char_id) => ({ char_id, visibility: {} })),
  ...needsKey('characters.visibility.update', { char_id: 'ada', visibility: {} }),
]

export const visibility: readonly Case[] = [...reads, ...writes]
