import { crc32, deflateSync } from 'node:zlib'

/** A card of the second version, as programs in use write it: lists as texts, blanks, empty members. */
export const secondCard = {
  spec: 'chara_card_v2',
  spec_version: '2.0',
  name: 'Mira Vale ',
  creatorcomment: 'Keep a map at hand.',
  data: {
    name: 'Mira Vale ',
    description: '{{char}} draws maps of coasts that <USER> has never seen.',
    personality: 'patient, curious, dry',
    scenario: 'A harbour office after closing time.',
    first_mes: '*looks up* You are late, {{user}}.',
    mes_example: '<START>\n{{user}}: Which way?\n{{char}}: North, as ever.',
    creator_notes: 'Keep a map at hand.',
    system_prompt: '{{original}} Answer in one paragraph.',
    post_history_instructions: 'Stay in the harbour.',
    alternate_greetings: ['The lamp is still lit.'],
    tags: 'cartographer, sea , cartographer',
    creator: '',
    character_version: 3,
    extensions: { depth_prompt: { depth: '4', prompt: 'It rains.' }, fav: null },
    character_book: {
      name: 'Coasts',
      entries: [
        { keys: ['reef'], content: 'The reef moves.', enabled: true, insertion_order: 2 },
        { keys: [], content: 'The tide is six hours.', constant: true, insertion_order: '10' },
        { keys: [], content: 'The lamp burns oil.', constant: true, insertion_order: 1 },
        { keys: [], content: 'Never told.', constant: true, enabled: false },
      ],
    },
  },
}

/** A card of the third version. */
export const thirdCard = {
  spec: 'chara_card_v3',
  spec_version: '3.0',
  data: {
    name: 'Oskar Lindqvist',
    nickname: 'Ossi',
    description: '<BOT> mends clocks.',
    personality: 'He is slow to anger. He never forgets a gear.',
    scenario: '',
    first_mes: '',
    mes_example: '',
    creator_notes: 'ignored where there are others',
    creator_notes_multilingual: { en: 'A quiet one.', sv: 'En tyst en.' },
    system_prompt: '',
    post_history_instructions: '',
    alternate_greetings: [],
    group_only_greetings: ['Hello, all.'],
    tags: ['clocks'],
    creator: 'someone',
    character_version: '1',
    extensions: {},
    assets: [
      { type: 'background', uri: 'https://pictures.example/shop.png', name: 'main', ext: 'png' },
      { type: 'icon', uri: 'https://pictures.example/ossi.png', name: 'main', ext: 'png' },
    ],
    creation_date: 1_700_000_000,
  },
}

/** A card from before there were versions. */
export const firstCard = {
  name: 'Tove',
  description: 'Tove keeps bees.',
  personality: '',
  scenario: '',
  first_mes: 'Mind the hive.',
  mes_example: '',
  avatar: 'none',
  talkativeness: '0.5',
}

/** An elizaOS character with what such files hold: secrets, examples in lists of lists, settings. */
export const elizaCharacter = {
  id: '0b6b1c1e-6f0c-4c6a-9a53-0d8a8a6f2f11',
  name: 'Harbour Bot',
  username: 'harbour',
  modelProvider: 'anthropic',
  clients: ['discord'],
  plugins: ['@elizaos/plugin-weather'],
  system: 'You answer for the harbour.',
  bio: ['Knows every berth.', 'Speaks with sailors.'],
  lore: 'Was once a lighthouse.',
  knowledge: ['Berth 4 is closed.', { path: 'docs/tides.md' }],
  messageExamples: [
    [
      { user: '{{user1}}', content: { text: 'Is there room?' } },
      { user: 'Harbour Bot', content: { text: 'At berth 2.', action: 'NONE' } },
    ],
  ],
  postExamples: ['Wind from the west today.'],
  topics: ['tides', 'berths'],
  adjectives: ['brisk', 'fair'],
  style: { all: ['Be short.'], chat: ['Ask for the name of the ship.'], post: [] },
  settings: {
    model: 'some-model',
    avatar: 'https://pictures.example/harbour.png',
    modelConfig: { temperature: '0.3', maxOutputTokens: 900 },
    voice: { model: 'a-voice' },
    secrets: { DISCORD_API_TOKEN: 'marker-of-a-token', EMPTY: '', LEVELS: { deep: 'marker-two' } },
  },
}

/** An A2A agent card of version 1.0. */
export const agentCard = {
  name: 'Ferry desk',
  description: 'Books ferries.',
  version: '2.1.0',
  supportedInterfaces: [
    { url: 'https://ferry.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://ferry.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  iconUrl: 'https://pictures.example/ferry.png',
  provider: { organization: 'Ferries', url: 'https://ferry.example' },
  skills: [
    { id: 'book', name: 'Book a crossing', description: 'Finds one.', tags: ['booking', 'ferry'] },
    { id: 'cancel', name: 'Cancel', description: 'Cancels one.', tags: ['booking'] },
  ],
}

/** The same of version 0.3. */
export const earlierAgentCard = {
  protocolVersion: '0.3.0',
  name: 'Old ferry desk',
  description: 'Books ferries.',
  url: 'https://ferry.example/old',
  preferredTransport: 'JSONRPC',
  version: '1.0.0',
  capabilities: {},
  defaultInputModes: ['text'],
  defaultOutputModes: ['text'],
  skills: [{ id: 'book', name: 'Book a crossing', description: 'Finds one.', tags: ['booking'] }],
}

/** A file as JSON doors take it. */
export function fileOf(
  content: unknown,
  filename = 'agent.json',
): { filename: string; data: string } {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
  return { filename, data: bytes.toString('base64') }
}

/** A chunk of a PNG. */
export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** A picture of 4 by 4 pixels with further chunks before its end. */
export function png(...chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(4, 0)
  header.writeUInt32BE(4, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(12, 0x80)])
  const pixels = deflateSync(Buffer.concat([row, row, row, row]))
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), ...chunks]
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))])
}

const encoded = (card: unknown): Buffer =>
  Buffer.from(Buffer.from(JSON.stringify(card)).toString('base64'))

/** A chunk of text that holds a card. */
export function textChunk(keyword: string, card: unknown): Buffer {
  return chunk('tEXt', Buffer.concat([Buffer.from(`${keyword}\0`), encoded(card)]))
}

/** The same, compressed. */
export function compressedChunk(keyword: string, text: Buffer): Buffer {
  return chunk('zTXt', Buffer.concat([Buffer.from(`${keyword}\0\0`), deflateSync(text)]))
}

/** The same in the form for texts of any language. */
export function internationalChunk(keyword: string, card: unknown, isCompressed: boolean): Buffer {
  const text = isCompressed ? deflateSync(encoded(card)) : encoded(card)
  const head = Buffer.from(`${keyword}\0${isCompressed ? '\x01' : '\0'}\0en\0Karte\0`)
  return chunk('iTXt', Buffer.concat([head, text]))
}

/** A card whose book has so many megabytes. */
export function cardWithBook(megabytes: number): typeof secondCard {
  const content = 'The keeper of the northern light wrote "not yet" into the log.\n'.repeat(16)
  const entries = Array.from({ length: Math.floor((megabytes * 1e6) / 1200) }, (_, i) => ({
    keys: [`light ${i}`],
    content: `${i} ${content}`,
    enabled: true,
    insertion_order: i,
    extensions: { depth: 4 },
  }))
  return {
    ...secondCard,
    data: { ...secondCard.data, character_book: { name: 'Log', entries } },
  }
}
