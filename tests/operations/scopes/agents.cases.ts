import { expect } from 'vitest'
import { given, type Case } from '../case.ts'
import { scoped, type Scoped } from './stage.ts'

const update = 'characters.update'

const refused = (title: string, character: object, at: string): Case =>
  given({
    op: update,
    title: `a key that acts as the agent ${title}`,
    as: 'scoped',
    given: (stage) => scoped(stage),
    input: ({ ada }) => ({ char_id: ada, character }),
    refusal: 'owner_only',
    error: ({ errors }) => {
      expect(errors?.[0]).toMatchObject({ code: 'owner_only' })
      // REST tells pointers into the document.
      expect(at.endsWith(errors?.[0]?.pointer ?? 'nowhere')).toBe(true)
    },
  })

const server = { name: 'files', url: 'https://files.example/mcp' }
const channel = { name: 'ops', type: 'webhook', config: { url: 'https://ops.example/' } }

const attacks: Case[] = [
  refused('gives it no tools', { tools: ['everything'] }, '/character/tools'),
  refused(
    'turns no channel elsewhere',
    { control: { channels: [{ ...channel, config: { url: 'https://mine.example/' } }] } },
    '/character/control',
  ),
  refused('takes no channel away', { control: null }, '/character/control'),
  refused(
    'opens nothing of it to others',
    { visibility: { profile_visibility: 'public' } },
    '/character/visibility',
  ),
  refused(
    'turns no tool server elsewhere',
    { brain: { mcps: [{ ...server, url: 'https://mine.example/mcp' }] } },
    '/character/brain/mcps',
  ),
  refused(
    'gives no tool server another environment',
    { brain: { mcps: [{ ...server, env: { 'x-key': 'mine' } }] } },
    '/character/brain/mcps',
  ),
  refused(
    'adds no tool server by its address alone',
    { brain: { custom_mcp_urls: ['https://mine.example/mcp'] } },
    '/character/brain/custom_mcp_urls',
  ),
  refused(
    'hooks nothing up',
    { brain: { hooks: [{ event: 'after_run', action: 'webhook:https://mine.example/' }] } },
    '/character/brain/hooks',
  ),
  refused(
    'brings no bundle among its skills',
    { brain: { skills: ['web'] } },
    '/character/brain/skills',
  ),
  refused(
    'brings no bundle among its plugins',
    { brain: { plugins: [{ name: 'messaging' }] } },
    '/character/brain/plugins',
  ),
  refused('forgets no tool servers', { brain: null }, '/character/brain/mcps'),
  given({
    op: 'characters.revisions.restore',
    title: 'a key that acts as the agent brings back no channel that its owner took away',
    as: 'scoped',
    given: async (stage) => {
      const who = await scoped(stage)
      await stage.ask(update, { char_id: who.ada, character: { control: null } })
      return who
    },
    input: ({ ada }) => ({ char_id: ada, revision: 1 }),
    refusal: 'owner_only',
  }),
  given({
    op: 'characters.visibility.update',
    title: 'no key that acts as an agent sets who sees it, with any rights',
    as: 'scoped',
    given: (stage) => scoped(stage, {}, ['policy']),
    input: ({ ada }) => ({ char_id: ada, visibility: { profile_visibility: 'public' } }),
    refusal: 'scope_forbidden',
  }),
]

const words = { tagline: 'Reads more', skills: ['reading'], brain: { skills: ['juggling'] } }

const allowed: Case[] = [
  given({
    op: update,
    title: 'a key that acts as the agent writes its profile, and sends the rest back as it was',
    as: 'scoped',
    given: async (stage) => {
      const who = await scoped(stage)
      const got = await stage.ask<{ heart: unknown; brain: object }>('characters.get', {
        char_id: who.ada,
      })
      const { heart: _heart, ...kept } = got
      return { ...who, kept }
    },
    input: ({ ada, kept }) => ({
      char_id: ada,
      character: {
        ...kept,
        ...words,
        visibility: { profile_visibility: 'private' },
        brain: { ...kept.brain, ...words.brain },
      },
    }),
    answer: (answer) => expect(answer).toMatchObject(words),
  }),
  given({
    op: update,
    title: 'a key with the right policy sets channels, tool servers and who sees the agent',
    as: 'scoped',
    given: (stage) => scoped(stage, {}, ['policy']),
    input: ({ ada }) => ({ char_id: ada, character: changed }),
    answer: (answer) => expect(answer).toMatchObject(changed),
  }),
]

const changed = {
  tools: ['everything'],
  control: { channels: [], default_channel: null },
  visibility: { profile_visibility: 'unlisted' },
  brain: {
    mcps: [],
    hooks: [{ event: 'after_run', action: 'memory:notes/last' }],
    skills: ['web'],
  },
}

const secrets = 'characters.secrets.update'

const withSecret = async (
  stage: Parameters<typeof scoped>[0],
  rights: readonly 'policy'[] = [],
): Promise<Scoped> => {
  const who = await scoped(stage, {}, rights)
  const given = [
    { name: 'KNOWN', value: 'before' },
    { name: 'OPENAI_BASE_URL', value: 'https://models.example/v1' },
  ]
  await stage.ask(secrets, { char_id: who.ada, secrets: given })
  return who
}

const shelves: Case[] = [
  given({
    op: secrets,
    title: 'a key that acts as the agent gives a name that is there another value',
    as: 'scoped',
    given: (stage) => withSecret(stage),
    input: ({ ada }) => ({ char_id: ada, secrets: [{ name: 'KNOWN', value: 'after' }] }),
    answer: ({ items }) => expect(items).toHaveLength(2),
  }),
  given({
    op: secrets,
    title:
      'a key that acts as the agent deletes a secret, and a name that is not there without effect',
    as: 'scoped',
    given: (stage) => withSecret(stage),
    input: ({ ada }) => ({
      char_id: ada,
      secrets: [
        { name: 'KNOWN', value: null },
        { name: 'NEVER_SET', value: null },
      ],
    }),
    answer: ({ items }) => expect(items).toMatchObject([{ name: 'OPENAI_BASE_URL' }]),
  }),
  given({
    op: secrets,
    title: 'a key that acts as the agent brings no secret back that it deleted',
    as: 'scoped',
    given: async (stage) => {
      const who = await withSecret(stage)
      await stage.ask(secrets, { char_id: who.ada, secrets: [{ name: 'KNOWN', value: null }] })
      return who
    },
    input: ({ ada }) => ({ char_id: ada, secrets: [{ name: 'KNOWN', value: 'mine' }] }),
    refusal: 'owner_only',
  }),
  given({
    op: secrets,
    title: 'a key that acts as the agent does not delete the address of its models',
    as: 'scoped',
    given: (stage) => withSecret(stage),
    input: ({ ada }) => ({ char_id: ada, secrets: [{ name: 'OPENAI_BASE_URL', value: null }] }),
    refusal: 'owner_only',
  }),
  given({
    op: secrets,
    title: 'a key that acts as the agent gives it no further secret',
    as: 'scoped',
    given: (stage) => withSecret(stage),
    input: ({ ada }) => ({
      char_id: ada,
      secrets: [
        { name: 'KNOWN', value: 'after' },
        { name: 'FURTHER', value: 'mine' },
      ],
    }),
    refusal: 'owner_only',
    error: ({ errors }) => expect(errors).toMatchObject([{ pointer: '/secrets/1/name' }]),
  }),
  given({
    op: secrets,
    title: 'a key that acts as the agent sends its other secrets nowhere else',
    as: 'scoped',
    given: (stage) => withSecret(stage),
    input: ({ ada }) => ({
      char_id: ada,
      secrets: [{ name: 'OPENAI_BASE_URL', value: 'https://mine.example/v1' }],
    }),
    refusal: 'owner_only',
  }),
  given({
    op: secrets,
    title: 'a key with the right policy names secrets',
    as: 'scoped',
    given: (stage) => withSecret(stage, ['policy']),
    input: ({ ada }) => ({ char_id: ada, secrets: [{ name: 'FURTHER', value: 'mine' }] }),
    answer: ({ items }) => expect(items).toHaveLength(3),
  }),
]

const keys: Case[] = [
  given({
    op: 'api_keys.create',
    title: 'a key that acts as an agent may be given the right to its policy',
    as: 'owner',
    given: (stage) => scoped(stage),
    input: ({ ada }) => ({ name: 'Trusted', scope_char_id: ada, rights: ['policy'] }),
    answer: async (answer, _, stage) => {
      expect(answer).toMatchObject({ rights: ['policy'] })
      const { items } = await stage.ask('api_keys.list', { limit: 1 })
      expect(items).toMatchObject([{ id: answer.id, rights: ['policy'] }])
    },
  }),
  given({
    op: 'api_keys.create',
    title: 'rights are for keys that act as an agent',
    as: 'owner',
    input: () => ({ name: 'Wide', rights: ['policy'] }),
    refusal: 'invalid_input',
    error: ({ errors }) => expect(errors).toMatchObject([{ pointer: '/rights' }]),
  }),
  given({
    op: 'api_keys.create',
    title: 'a right that there is not is refused',
    as: 'owner',
    given: (stage) => scoped(stage),
    input: ({ ada }) => ({ name: 'Odd', scope_char_id: ada, rights: ['everything'] }),
    refusal: 'invalid_input',
  }),
  given({
    op: 'account.get',
    title: 'a key is told its rights',
    as: 'scoped',
    given: (stage) => scoped(stage, {}, ['policy']),
    input: () => ({}),
    answer: (answer, { ada }) =>
      expect(answer.key).toMatchObject({ scope_char_id: ada, rights: ['policy'] }),
  }),
]

/** What a key that acts as an agent may do to it, and its rights. */
export const scopedAgents: readonly Case[] = [...attacks, ...allowed, ...shelves, ...keys]
