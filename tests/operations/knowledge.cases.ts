import { expect } from 'vitest'
import { settled } from '#tests/knowledge/settled.ts'
import { agent, agentRefusals, given, needsKey, type Case, type Stage } from './case.ts'
import { knowledgeReads } from './knowledge/reads.cases.ts'

/** A host that does not exist: nothing leaves the machine. */
const page = 'https://handbook.invalid/tides'
const text = { title: 'Opening hours', content: '# Hours\n\nThe harbour office opens at nine.' }
const base64 = (bytes: string): string => Buffer.from(bytes).toString('base64')
const file = (name: string, content: string) => ({ filename: name, data: base64(content) })

const scoped = async (stage: Stage): Promise<string> => {
  const char_id = await agent(stage)
  await stage.scopeTo(char_id)
  return char_id
}

/** Ways to write an address that leads inside. */
const inward = [
  'http://127.0.0.1/',
  'http://localhost:8080/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://0.0.0.0/',
  'https://ada:secret@example.com/',
]
const unusable = ['ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'no address']

const refusedAddress = (op: string, url: string, code: string): Case =>
  given({
    op,
    title: `an address that may not be called is refused: ${url}`,
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, url }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors).toMatchObject([{ pointer: '/url', code }]),
  })

const learns: Case[] = [
  given({
    op: 'knowledge.learn',
    title: 'an address waits to be read',
    as: 'scoped',
    given: scoped,
    input: (char_id) => ({ char_id, url: `${page}#spring` }),
    answer: (answer, char_id) =>
      expect(answer).toMatchObject({
        id: expect.stringMatching(/^kno_/),
        char_id,
        kind: 'url',
        source_type: 'web',
        url: page,
        title: page,
        status: 'queued',
        error: null,
        chunks: 0,
        refresh: 'none',
        sha256: null,
        fetched_at: null,
      }),
  }),
  given({
    op: 'knowledge.learn',
    title: 'an address that the agent has already is read again, and is no second item',
    as: 'owner',
    given: async (stage) => {
      const char_id = await agent(stage)
      const { id } = await stage.ask('knowledge.learn', { char_id, url: page })
      return { char_id, id }
    },
    input: ({ char_id }) => ({ char_id, url: page }),
    answer: async (answer, { char_id, id }, stage) => {
      expect(answer).toMatchObject({ id, status: 'queued' })
      expect((await stage.ask('knowledge.list', { char_id })).items).toHaveLength(1)
    },
  }),
  given({
    op: 'knowledge.learn',
    title: 'an unknown source_type is kept, with a warning',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, url: page, source_type: 'webb' }),
    answer: (answer) =>
      expect(answer).toMatchObject({
        source_type: 'webb',
        warnings: [{ code: 'unknown_value', pointer: '/source_type', suggestion: 'web' }],
      }),
  }),
  ...inward.map((url) => refusedAddress('knowledge.learn', url, 'address_refused')),
  ...unusable.map((url) => refusedAddress('knowledge.learn', url, 'address_invalid')),
  ...agentRefusals('knowledge.learn', (char_id) => ({ char_id, url: page })),
  ...needsKey('knowledge.learn', { char_id: 'ada', url: page }),
]

const bulk: Case[] = [
  given({
    op: 'knowledge.learn_bulk',
    title: 'each address gets its item or its error, in order',
    as: 'scoped',
    given: scoped,
    input: (char_id) => ({ char_id, urls: [page, 'http://10.0.0.1/', `${page}/2`, page, 'x'] }),
    answer: async (answer, char_id, stage) => {
      expect(answer.items).toMatchObject([
        { url: page, item: { url: page, status: 'queued' } },
        { url: 'http://10.0.0.1/', error: { code: 'address_refused' } },
        { url: `${page}/2`, item: { url: `${page}/2` } },
        { url: page, item: { url: page } },
        { url: 'x', error: { code: 'address_invalid' } },
      ])
      expect((await stage.ask('knowledge.list', { char_id })).items).toHaveLength(2)
    },
  }),
  given({
    op: 'knowledge.learn_bulk',
    title: 'only addresses that may not be called are answered all the same',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, urls: ['http://[::1]/'], source_type: 'rss' }),
    answer: (answer) =>
      expect(answer).toMatchObject({
        items: [{ error: { code: 'address_refused' } }],
        warnings: [{ pointer: '/source_type' }],
      }),
  }),
  ...[[], Array.from({ length: 101 }, (_, n) => `${page}/${n}`)].map((urls) =>
    given({
      op: 'knowledge.learn_bulk',
      title: `${urls.length} addresses are not from 1 to 100`,
      as: 'owner',
      given: (stage) => agent(stage),
      input: (char_id) => ({ char_id, urls }),
      refusal: 'invalid_input',
      error: (error) => expect(error.errors?.[0]?.pointer).toBe('/urls'),
    }),
  ),
  ...agentRefusals('knowledge.learn_bulk', (char_id) => ({ char_id, urls: [page] })),
]

const sources: Case[] = [
  ...(
    [
      ['feed', 'daily'],
      ['sitemap', 'weekly'],
      ['web', 'weekly'],
    ] as const
  ).map(([type, refresh]) =>
    given({
      op: 'knowledge.sources.add',
      title: `a source of the type ${type} is read ${refresh}`,
      as: 'scoped',
      given: scoped,
      input: (char_id) => ({ char_id, url: page, type, name: 'Tides' }),
      answer: (answer) =>
        expect(answer).toMatchObject({
          kind: 'source',
          source_type: type,
          refresh,
          title: 'Tides',
          status: 'queued',
        }),
    }),
  ),
  given({
    op: 'knowledge.sources.add',
    title: 'an address that was learned becomes a source, and is no second item',
    as: 'owner',
    given: async (stage) => {
      const char_id = await agent(stage)
      const { id } = await stage.ask('knowledge.learn', { char_id, url: page })
      return { char_id, id }
    },
    input: ({ char_id }) => ({ char_id, url: page, type: 'feed' }),
    answer: (answer, { id }) =>
      expect(answer).toMatchObject({ id, kind: 'source', source_type: 'feed', refresh: 'daily' }),
  }),
  refusedAddress('knowledge.sources.add', 'http://192.168.1.1/feed', 'address_refused'),
  ...agentRefusals('knowledge.sources.add', (char_id) => ({ char_id, url: page })),
]

const texts: Case[] = [
  given({
    op: 'knowledge.texts.add',
    title: 'a text is kept, read and found',
    as: 'scoped',
    given: scoped,
    input: (char_id) => ({ char_id, ...text }),
    answer: async (answer, char_id, stage) => {
      expect(answer).toMatchObject({ kind: 'text', title: 'Opening hours', url: null })
      const [item] = await settled(stage.world.ports, [answer.id])
      expect(item).toMatchObject({ status: 'indexed', chunks: 1, upload: false, error: null })
      const hits = await stage.ask('knowledge.search', { char_id, q: 'when does the harbour open' })
      expect(hits.items).toMatchObject([{ item_id: answer.id, title: 'Opening hours' }])
    },
  }),
  given({
    op: 'knowledge.texts.add',
    title: 'more than 1 MB is too much',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, ...text, content: '\u20ac'.repeat(349_526) }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors?.[0]).toMatchObject({ code: 'too_big' }),
  }),
  given({
    op: 'knowledge.texts.add',
    title: 'a title shows all of itself',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, ...text, title: 'a\u202eb' }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors?.[0]?.pointer).toBe('/title'),
  }),
  ...agentRefusals('knowledge.texts.add', (char_id) => ({ char_id, ...text })),
]

const files: Case[] = [
  given({
    op: 'knowledge.files.add',
    title: 'files are kept, read and found',
    as: 'scoped',
    given: scoped,
    input: (char_id) => ({
      char_id,
      files: [
        file('hours.md', '# Hours\n\nThe harbour opens at nine.'),
        file('notes.txt', 'The lighthouse keeper sleeps until noon.'),
      ],
    }),
    answer: async (answer, char_id, stage) => {
      const items = await settled(
        stage.world.ports,
        answer.items.map(({ id }) => id),
      )
      expect(items.map(({ status }) => status)).toEqual(['indexed', 'indexed'])
      const { items: hits } = await stage.ask('knowledge.search', { char_id, q: 'lighthouse' })
      expect(hits).toMatchObject([{ title: 'notes.txt' }])
    },
  }),
  ...[[], Array.from({ length: 11 }, (_, n) => file(`${n}.txt`, 'x'))].map((some) =>
    given({
      op: 'knowledge.files.add',
      title: `${some.length} files are not from 1 to 10`,
      as: 'owner',
      given: (stage) => agent(stage),
      input: (char_id) => ({ char_id, files: some }),
      refusal: 'invalid_input',
      error: (error) => expect(error.errors?.[0]?.pointer).toBe('/files'),
    }),
  ),
  ...agentRefusals('knowledge.files.add', (char_id) => ({ char_id, files: [file('a.txt', 'x')] })),
]

export const knowledge: readonly Case[] = [
  ...learns,
  ...bulk,
  ...sources,
  ...texts,
  ...files,
  ...knowledgeReads,
]
