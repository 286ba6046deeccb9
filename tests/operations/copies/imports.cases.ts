import { expect } from 'vitest'
import {
  agentCard,
  cardWithBook,
  compressedChunk,
  earlierAgentCard,
  elizaCharacter,
  fileOf,
  firstCard,
  png,
  secondCard,
  textChunk,
  thirdCard,
} from '#tests/agents/imports/samples.ts'
import {
  agent,
  agentRefusals,
  given,
  needsKey,
  nowhere,
  type Case,
  type Stage,
} from '#tests/operations/case.ts'

const op = 'characters.import'
const membersOf = (answer: unknown): Record<string, unknown> => ({ ...(answer as object) })

const imports = (title: string, content: unknown, seen: object, filename?: string): Case =>
  given({
    op,
    title,
    as: 'owner',
    input: () => ({ file: fileOf(content, filename) }),
    answer: async (answer, _, stage) => {
      expect(answer).toMatchObject({ revision: 1, ...seen })
      const { import_report: _report, warnings: _warnings, ...kept } = membersOf(answer)
      expect(await stage.ask('characters.get', { char_id: answer.id })).toEqual(kept)
    },
  })

const refused = (title: string, content: unknown, refusal: Case['refusal'], filename?: string) =>
  given({ op, title, as: 'owner', input: () => ({ file: fileOf(content, filename) }), refusal })

const deep = (levels: number): Buffer =>
  Buffer.from(`{"name":"Deep","in":${'['.repeat(levels)}${']'.repeat(levels)}}`)

const whole = {
  name: 'Ada',
  role: 'Researcher',
  skills: ['reading'],
  brain: { temperature: 0.1, system_prompt_override: 'Read.', 'kept.too': { $set: 1 } },
  heart: {
    timezone: 'Europe/Berlin',
    tasks: [
      {
        task_id: 'daily',
        name: 'Daily',
        prompt: 'Read.',
        triggers: [{ type: 'cron', config: { cron: '0 9 * * *' } }],
      },
    ],
  },
  '7': 'a name like a number',
  favourite: [{ 'a/b': null }],
}

const importing: Case[] = [
  imports('any object with a name is an agent, unknown members too', whole, {
    ...whole,
    heart: { timezone: 'Europe/Berlin', tasks: [{ task_id: 'daily' }] },
    import_report: { format: 'abode', dropped: [], notes: [] },
  }),
  imports(
    'a byte order mark and blanks around the name do no harm',
    Buffer.from('\ufeff{"name":" Ada \u202e"}'),
    {
      name: 'Ada',
      import_report: { notes: [{ pointer: '/name' }] },
    },
  ),
  imports('a card of the second version', secondCard, {
    name: 'Mira Vale',
    bio: 'Mira Vale draws maps of coasts that the user has never seen.',
    skills: ['cartographer', 'sea'],
    personality: { traits: ['patient', 'curious', 'dry'] },
    visibility: { profile_visibility: 'private', public_bio: secondCard.creatorcomment },
    import_report: { format: 'chara_card_v2' },
  }),
  imports('a card of the third version', thirdCard, {
    name: 'Oskar Lindqvist',
    bio: 'Ossi mends clocks.',
    visibility: { public_bio: 'A quiet one.' },
    appearance: { avatar_url: 'https://pictures.example/ossi.png' },
    import_report: { format: 'chara_card_v3' },
  }),
  imports('a card of the first version', firstCard, {
    name: 'Tove',
    extensions: { chara_card_v1: { avatar: 'none', talkativeness: '0.5' } },
    import_report: { format: 'chara_card_v1' },
  }),
  imports('an elizaOS character, without its secrets', elizaCharacter, {
    name: 'Harbour Bot',
    bio: 'Knows every berth.\nSpeaks with sailors.',
    knowledge_domains: ['tides', 'berths'],
    brain: {
      llm_provider: 'anthropic',
      llm_model: 'some-model',
      temperature: 0.3,
      max_tokens: 900,
    },
    import_report: {
      format: 'elizaos',
      dropped: [
        { pointer: '/settings/secrets/DISCORD_API_TOKEN' },
        { pointer: '/settings/secrets/LEVELS' },
      ],
    },
  }),
  imports('an A2A agent card', agentCard, {
    name: 'Ferry desk',
    skills: ['Book a crossing', 'Cancel'],
    knowledge_domains: ['booking', 'ferry'],
    control: { channels: [{ type: 'a2a', config: { url: 'https://ferry.example/a2a' } }, {}] },
    import_report: { format: 'a2a_agent_card' },
  }),
  imports('an A2A agent card of before 1.0', earlierAgentCard, {
    name: 'Old ferry desk',
    control: { channels: [{ name: 'a2a', config: { url: 'https://ferry.example/old' } }] },
    import_report: { format: 'a2a_agent_card' },
  }),
  given({
    op,
    title: 'the picture of a card becomes photo and avatar; the third version wins',
    as: 'owner',
    input: () => ({
      file: fileOf(png(textChunk('chara', secondCard), textChunk('ccv3', thirdCard)), 'card.png'),
    }),
    answer: (answer) => {
      expect(answer).toMatchObject({
        name: 'Oskar Lindqvist',
        import_report: { format: 'chara_card_v3' },
      })
      const { appearance } = answer as unknown as {
        appearance: { avatar_url: string; photos: string[]; photo_meta: { url: string }[] }
      }
      expect(appearance.avatar_url).toContain('/media/')
      expect(appearance.photos).toEqual([appearance.avatar_url])
      expect(appearance.photo_meta).toMatchObject([{ url: appearance.avatar_url }])
    },
  }),
  given({
    op,
    title: 'a book of several megabytes comes along whole',
    as: 'owner',
    input: () => ({ file: fileOf(cardWithBook(4)) }),
    answer: (answer) => {
      const book = { extensions: { chara_card_v2: { data: cardWithBook(4).data.character_book } } }
      const { extensions } = answer as unknown as {
        extensions: { chara_card_v2: { data: { character_book: unknown } } }
      }
      expect(extensions.chara_card_v2.data.character_book).toEqual(
        book.extensions.chara_card_v2.data,
      )
    },
  }),
  given({
    op,
    title: 'an id in use is a conflict',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (id) => ({ file: fileOf({ id, name: 'Ada' }) }),
    refusal: 'character_id_taken',
  }),
  given({
    op,
    title: 'another id is given in place of the one in the file',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (id) => ({ file: fileOf({ id, name: 'Ada' }), new_id: `${id}.2` }),
    answer: (answer, id) => expect(answer.id).toBe(`${id}.2`),
  }),
  given({
    op,
    title: 'ids of an existing app cannot be taken',
    as: 'owner',
    given: async (stage) => {
      const app_id = stage.id('app')
      const manifest = { app_id, name: 'App', agents: [{ local_id: 'a', name: 'A' }] }
      await stage.ask('agent_apps.provision', { manifest })
      return app_id
    },
    input: (app_id) => ({ file: fileOf({ id: `${app_id}--b`, name: 'B' }) }),
    refusal: 'id_reserved',
  }),
  refused('a text that is no JSON', Buffer.from('name: Ada'), 'import_unreadable', 'ada.yaml'),
  refused('JSON that is no object', Buffer.from('["Ada"]'), 'import_unreadable'),
  refused('an object without a name', { bio: 'No name.' }, 'import_unreadable'),
  refused('a name of nothing that is seen', { name: '\u200b\u202e\u0007' }, 'import_unreadable'),
  refused('a ZIP', Buffer.from('PK\x03\x04 card.json'), 'import_unreadable', 'card.charx'),
  refused('a picture without a card', png(), 'import_unreadable', 'card.png'),
  refused(
    'a picture that ends early',
    png(textChunk('chara', secondCard)).subarray(0, 200),
    'import_unreadable',
    'card.png',
  ),
  refused(
    'a picture whose text unfolds to 200 MB',
    png(compressedChunk('chara', Buffer.alloc(200_000_000, 0x41))),
    'payload_too_large',
    'card.png',
  ),
  refused('JSON nested 100,000 deep', deep(100_000), 'too_deep'),
  refused('an empty file', Buffer.alloc(0), 'invalid_input'),
  ...needsKey(op, { file: fileOf({ name: 'Ada' }) }),
]

const secretive = async (stage: Stage): Promise<string> =>
  agent(stage, 'ada', {
    brain: { mcps: [{ name: 'm', env: { API_KEY: 'k9Zq2Lw8Xv4Rt7Yb1Nc6Md3Hf5Jg0Ps' } }] },
    heart: {
      tasks: [
        {
          task_id: 'hook',
          name: 'Hook',
          prompt: 'Take {{input}}.',
          triggers: [{ type: 'webhook', config: { path: 'in', secret: 'marker-of-a-hook' } }],
        },
      ],
    },
  })

const exporting: Case[] = [
  given({
    op: 'characters.export',
    title: 'what is exported can be imported again, and is the same agent',
    as: 'scoped',
    given: async (stage) => {
      const id = stage.id('ada')
      await stage.ask('characters.create', { character: { id, ...whole } })
      await stage.scopeTo(id)
      return id
    },
    input: (char_id) => ({ char_id }),
    answer: async (answer, id, stage) => {
      expect(answer).toMatchObject({ format: 'abode', version: 1, left_out: [] })
      const { character } = answer as unknown as { character: object }
      expect(character).toMatchObject({ id, favourite: [{ 'a/b': null }] })
      for (const name of ['owner_id', 'revision', 'created_at', 'app_id']) {
        expect(character).not.toHaveProperty(name)
      }
      const file = fileOf(answer)
      const again = await stage.ask(op, { file, new_id: `${id}.again` })
      const exported = await stage.ask('characters.export', { char_id: again.id })
      expect(exported).toEqual({ ...membersOf(answer), character: { ...character, id: again.id } })
    },
  }),
  given({
    op: 'characters.export',
    title: 'secrets stay, and what needs them is off',
    as: 'owner',
    given: secretive,
    input: (char_id) => ({ char_id }),
    answer: (answer) => {
      const text = JSON.stringify(answer)
      for (const marker of ['k9Zq2Lw8', 'marker-of', '***']) expect(text).not.toContain(marker)
      expect(answer).toMatchObject({
        character: { heart: { tasks: [{ triggers: [{ enabled: false }] }] } },
        left_out: [
          { pointer: '/heart/tasks/0/triggers/0/config/secret' },
          { pointer: '/brain/mcps/0/env/API_KEY' },
        ],
      })
    },
  }),
  ...agentRefusals('characters.export', (char_id) => ({ char_id })),
]

const open = (more: object = {}) => ({
  visibility: { profile_visibility: 'unlisted', allow_cloning: true, ...more },
})

const cloning: Case[] = [
  given({
    op: 'characters.clone',
    title: 'the owner gets all of it but secrets',
    as: 'owner',
    given: secretive,
    input: (char_id) => ({ char_id, id: `${char_id}.copy`, name: 'Ada the Second' }),
    answer: async (answer, id, stage) => {
      expect(answer).toMatchObject({
        id: `${id}.copy`,
        name: 'Ada the Second',
        revision: 1,
        heart: {
          tasks: [{ task_id: 'hook', char_id: `${id}.copy`, triggers: [{ enabled: false }] }],
        },
      })
      expect(JSON.stringify(answer)).not.toContain('k9Zq2Lw8')
      expect(answer.warnings).toMatchObject([{ code: 'secret_lost' }, { code: 'secret_lost' }])
      const { warnings: _warnings, ...kept } = membersOf(answer)
      expect(await stage.ask('characters.get', { char_id: answer.id })).toEqual(kept)
    },
  }),
  given({
    op: 'characters.clone',
    title: 'others get an agent that allows it: private, and nothing in it starts by itself',
    as: 'stranger',
    given: (stage) => agent(stage, 'ada', { ...whole, ...open() }),
    input: (char_id) => ({ char_id }),
    answer: (answer, id) => {
      expect(answer).toMatchObject({
        name: 'Ada',
        role: 'Researcher',
        visibility: null,
        control: null,
        brain: { system_prompt_override: 'Read.' },
        heart: { tasks: [{ triggers: [{ type: 'cron', enabled: false }] }] },
      })
      expect(answer.id).not.toBe(id)
      expect(answer).not.toHaveProperty('favourite')
      const codes = (answer.warnings as unknown as { code: string }[]).map(({ code }) => code)
      expect(codes).toEqual(['triggers_off', 'left_behind'])
    },
  }),
  ...[
    open({ profile_visibility: 'private' }),
    open({ profile_visibility: 'public', allow_cloning: false }),
    {},
  ].map((more) =>
    given({
      op: 'characters.clone',
      title: `others get nothing of ${JSON.stringify(more)}`,
      as: 'stranger',
      given: (stage) => agent(stage, 'ada', more),
      input: (char_id) => ({ char_id }),
      refusal: 'forbidden',
    }),
  ),
  given({
    op: 'characters.clone',
    title: 'an id in use is a conflict',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, id: char_id }),
    refusal: 'character_id_taken',
  }),
  given({
    op: 'characters.clone',
    title: 'ids of an existing app cannot be taken',
    as: 'owner',
    given: async (stage) => {
      const app_id = stage.id('app')
      const manifest = { app_id, name: 'App', agents: [{ local_id: 'a', name: 'A' }] }
      await stage.ask('agent_apps.provision', { manifest })
      return app_id
    },
    input: (app_id) => ({ char_id: `${app_id}--a`, id: `${app_id}--b` }),
    refusal: 'id_reserved',
  }),
  given({
    op: 'characters.clone',
    title: 'an agent that does not exist is not found',
    as: 'owner',
    input: () => ({ char_id: nowhere }),
    refusal: 'character_not_found',
  }),
  ...needsKey('characters.clone', { char_id: 'ada' }),
]

export const copies: readonly Case[] = [...importing, ...exporting, ...cloning]
