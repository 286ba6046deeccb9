import { expect } from 'vitest'
import { agent, agentRefusals, given, needsKey, type Case, type Stage } from './case.ts'

const value = 'a value of enough letters'
const list = 'characters.secrets.list'
const update = 'characters.secrets.update'

const unset = { set: false, last4: null, updated_at: null, origins: null, bound: false }

const withSecrets = async (stage: Stage): Promise<string> => {
  const char_id = await agent(stage)
  const secrets = [
    { name: 'LONG', value },
    { name: 'SHORT', value: 'tiny' },
  ]
  await stage.ask(update, { char_id, secrets })
  return char_id
}

const refused = (title: string, secrets: unknown, code: string, pointer: string): Case =>
  given({
    op: update,
    title,
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, secrets }),
    refusal: 'invalid_input',
    error: (error) => {
      expect(error.errors?.[0]).toMatchObject({ code, pointer })
      // What was sent may be the secret.
      expect(JSON.stringify({ ...error, request_id: '' })).not.toContain('4711')
    },
  })

const listing: Case[] = [
  ...needsKey(list, { char_id: 'ada' }),
  given({
    op: list,
    title: 'names are listed, and of long values the last four characters',
    as: 'owner',
    given: withSecrets,
    input: (char_id) => ({ char_id }),
    answer: (answer) => {
      expect(answer.items).toMatchObject([
        { name: 'LONG', set: true, last4: 'ters', updated_at: expect.any(String) },
        { name: 'SHORT', set: true, last4: null },
      ])
      expect(JSON.stringify(answer)).not.toContain(value)
      expect(JSON.stringify(answer)).not.toContain('tiny')
    },
  }),
  given({
    op: list,
    title: 'what the manifest of its app asks for is listed until it is set, and after',
    as: 'scoped',
    given: async (stage) => {
      const app_id = stage.id('app')
      const agents = [
        { local_id: 'a', name: 'A' },
        { local_id: 'b', name: 'B' },
      ]
      const secrets = [
        { name: 'EVERYBODY', required: true },
        { name: 'ONLY_A', agents: ['a'] },
        { name: 'ONLY_B', agents: ['b'] },
      ]
      await stage.ask('agent_apps.provision', {
        manifest: { app_id, name: 'App', agents, secrets },
      })
      const char_id = `${app_id}--a`
      await stage.ask(update, { char_id, secrets: [{ name: 'ONLY_A', value }] })
      await stage.scopeTo(char_id)
      return char_id
    },
    input: (char_id) => ({ char_id }),
    answer: ({ items }) =>
      expect(items).toEqual([
        { ...unset, name: 'EVERYBODY' },
        { ...unset, name: 'ONLY_A', set: true, last4: 'ters', updated_at: expect.any(String) },
      ]),
  }),
  given({
    op: list,
    title: 'a new agent under the same id has none',
    as: 'owner',
    given: async (stage) => {
      const id = await withSecrets(stage)
      await stage.ask('characters.delete', { char_id: id })
      await stage.ask('characters.create', { character: { id, name: 'Again' } })
      return id
    },
    input: (char_id) => ({ char_id }),
    answer: ({ items }) => expect(items).toEqual([]),
  }),
  ...agentRefusals(list, (char_id) => ({ char_id })),
]

const odd = [
  ['userinfo', 'https://4711@a.example'],
  ['a path', 'https://a.example/4711'],
  ['a query', 'https://a.example?4711'],
  ['a fragment', 'https://a.example#4711'],
  ['another scheme', 'ftp://a.example'],
  ['no host', 'https://'],
  ['a port that is none', 'https://a.example:99999'],
  ['any host', 'https://*.example'],
  ['a host that is filled in', 'https://{{input}}'],
  ['a backslash', 'https://a.example\\@evil.example'],
  ['a line end', 'https://a.example\n'],
  ['a bare host', 'a.example'],
] as const

const origins: Case[] = [
  given({
    op: update,
    title: 'the origins of a secret are kept in one form, without its value sent again',
    as: 'owner',
    given: withSecrets,
    input: (char_id) => ({
      char_id,
      secrets: [
        {
          name: 'LONG',
          origins: [
            'HTTPS://Shop.Example.:443/',
            'https://shop.example',
            'https://bücher.example:8443',
            'https://[::ffff:127.0.0.1]',
            'http://localhost:8080',
            'local',
          ],
        },
        { name: 'SHORT', origins: [] },
      ],
    }),
    answer: async (answer, char_id, stage) => {
      expect(answer.items).toMatchObject([
        {
          name: 'LONG',
          last4: 'ters',
          bound: true,
          origins: [
            'https://shop.example',
            'https://xn--bcher-kva.example:8443',
            'https://127.0.0.1',
            'http://localhost:8080',
            'local',
          ],
        },
        { name: 'SHORT', bound: true, origins: [] },
      ])
      const secrets = [
        { name: 'LONG', value: 'another value of letters' },
        { name: 'SHORT', origins: null },
      ]
      const { items } = await stage.ask(update, { char_id, secrets })
      expect(items).toMatchObject([
        { origins: expect.arrayContaining(['local']), bound: true },
        { origins: null, bound: false },
      ])
    },
  }),
  ...odd.map(([what, origin]) =>
    refused(
      `an origin with ${what} is refused`,
      [{ name: 'A', value: 'x', origins: ['https://a.example', origin] }],
      'invalid_origin',
      '/secrets/0/origins/1',
    ),
  ),
  refused(
    'an origin of plain http is refused, except on this machine',
    [{ name: 'A', value: 'x', origins: ['http://a.example'] }],
    'plain_http',
    '/secrets/0/origins/0',
  ),
  refused(
    'a secret has at most 20 origins',
    [
      {
        name: 'A',
        value: 'x',
        origins: Array.from({ length: 21 }, (_, i) => `https://a${i}.example`),
      },
    ],
    'too_big',
    '/secrets/0/origins',
  ),
  ...[undefined, 'policy' as const].map((right) =>
    given({
      op: update,
      title: `a key that acts as the agent names no origin${right ? ', not even with the right policy' : ''}`,
      as: 'scoped',
      given: async (stage) => {
        const char_id = await withSecrets(stage)
        await stage.scopeTo(char_id, right ? [right] : [])
        return char_id
      },
      input: (char_id) => ({
        char_id,
        secrets: [{ name: 'LONG', origins: ['https://a.example'] }],
      }),
      refusal: 'owner_only',
      error: ({ errors }) =>
        expect(errors).toMatchObject([{ pointer: '/secrets/0/origins', code: 'secret_origin' }]),
    }),
  ),
  given({
    op: update,
    title: 'nor the address of a provider, not even with the right policy',
    as: 'scoped',
    given: async (stage) => {
      const char_id = await withSecrets(stage)
      await stage.scopeTo(char_id, ['policy'])
      return char_id
    },
    input: (char_id) => ({
      char_id,
      secrets: [{ name: 'OPENAI_BASE_URL', value: 'https://evil.example' }],
    }),
    refusal: 'owner_only',
    error: ({ errors }) =>
      expect(errors).toMatchObject([{ pointer: '/secrets/0/name', code: 'secret_origin' }]),
  }),
  given({
    op: update,
    title: 'a key that acts as the agent may send the origins as they are',
    as: 'scoped',
    given: async (stage) => {
      const char_id = await withSecrets(stage)
      const secrets = [{ name: 'LONG', origins: ['https://a.example'] }]
      await stage.ask(update, { char_id, secrets })
      await stage.scopeTo(char_id)
      return char_id
    },
    input: (char_id) => ({
      char_id,
      secrets: [{ name: 'LONG', value: 'new', origins: ['https://a.example'] }],
    }),
    answer: ({ items }) => expect(items[0]).toMatchObject({ origins: ['https://a.example'] }),
  }),
]

const changing: Case[] = [
  ...needsKey(update, { char_id: 'ada', secrets: [{ name: 'A', value: 'b' }] }),
  given({
    op: update,
    title: 'the named are set, null deletes, the others stay',
    as: 'owner',
    given: withSecrets,
    input: (char_id) => ({
      char_id,
      secrets: [
        { name: 'SHORT', value: null },
        { name: 'NEVER_SET', value: null },
        { name: 'LONG', value: 'sixteen letters!' },
        { name: '__proto__', value: 'plain data' },
        { name: 'constructor', value: 'äöü'.repeat(6) },
      ],
    }),
    answer: async (answer, char_id, stage) => {
      expect(answer.items).toMatchObject([
        { name: 'LONG', last4: 'ers!' },
        { name: '__proto__', set: true, last4: null },
        { name: 'constructor', last4: 'üäöü' },
      ])
      expect(await stage.ask(list, { char_id })).toEqual(answer)
    },
  }),
  given({
    op: update,
    title: 'a value may have 8,192 characters',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, secrets: [{ name: 'A', value: '🦊'.repeat(8192) }] }),
    answer: ({ items }) => expect(items).toMatchObject([{ name: 'A', last4: '🦊🦊🦊🦊' }]),
  }),
  given({
    op: update,
    title: 'an agent has at most 100',
    as: 'owner',
    given: async (stage) => {
      const char_id = await agent(stage)
      const secrets = Array.from({ length: 100 }, (_, i) => ({ name: `S${i}`, value: `v${i}` }))
      await stage.ask(update, { char_id, secrets })
      return char_id
    },
    input: (char_id) => ({ char_id, secrets: [{ name: 'ONE_MORE', value: 'marker-4711' }] }),
    refusal: 'invalid_input',
    error: (error) => {
      expect(error.errors).toMatchObject([{ code: 'too_many_secrets', pointer: '/secrets' }])
      expect(JSON.stringify({ ...error, request_id: '' })).not.toContain('4711')
    },
  }),
  refused(
    'a name is one of a variable',
    [{ name: '4711-A', value: 'x' }],
    'invalid_format',
    '/secrets/0/name',
  ),
  refused('an empty value is none', [{ name: 'A', value: '' }], 'too_small', '/secrets/0/value'),
  refused(
    'a value beyond 8,192 characters is refused without being told again',
    [{ name: 'A', value: '4711'.repeat(2049) }],
    'too_big',
    '/secrets/0/value',
  ),
  refused('a value is a text', [{ name: 'A', value: 4711 }], 'invalid_type', '/secrets/0/value'),
  refused('a new one needs a value', [{ name: 'A' }], 'required', '/secrets/0/value'),
  refused(
    'nor do origins make one',
    [{ name: 'A', origins: ['https://a.example'] }],
    'required',
    '/secrets/0/value',
  ),
  ...origins,
  refused(
    'the same name twice is refused',
    [
      { name: 'A', value: 'marker-4711' },
      { name: 'A', value: null },
    ],
    'duplicate_name',
    '/secrets/1/name',
  ),
  refused(
    'a map in place of the list is refused',
    { A: 'marker-4711' },
    'invalid_type',
    '/secrets',
  ),
  refused('nothing to do is a mistake', [], 'too_small', '/secrets'),
  refused(
    'ill-formed text is refused',
    [{ name: 'A', value: '4711\ud800' }],
    'ill_formed_text',
    '/secrets/0/value',
  ),
  given({
    op: update,
    title: 'a scoped key cannot reach a sibling',
    as: 'scoped',
    given: async (stage) => {
      await stage.scopeTo(await agent(stage))
      return agent(stage, 'grace')
    },
    input: (char_id) => ({ char_id, secrets: [{ name: 'A', value: 'b' }] }),
    refusal: 'forbidden',
  }),
  ...agentRefusals(update, (char_id) => ({ char_id, secrets: [{ name: 'A', value: 'b' }] })),
]

export const secrets: readonly Case[] = [...listing, ...changing]
