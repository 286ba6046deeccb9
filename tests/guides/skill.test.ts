import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { sending, serving, type Serving } from '#tests/adapters/serve.ts'
import { blocksOf, type Block } from '#tests/support/guides/blocks.ts'
import { played } from '#tests/support/guides/play.ts'

let server: Serving
beforeEach(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'writes=7/90,keyed_reads=off' }, catalog)
})
afterEach(() => server[Symbol.asyncDispose]())

interface Sent {
  /** The name of what was called, as it is written there. */
  called: string
  answer: Answer
}

/** Members of answers that later calls need. */
interface Answer {
  id?: string
  api_key?: string
  token?: string
  /** Of `account.get` it is no key, but what is told of one. */
  key?: string | object
  lease_token?: string | null
  code?: string
  status?: string
  output?: unknown
  items?: { output?: unknown }[]
}

/** What stands for capital words, as far as answers have told it. */
type Words = Record<string, string>

function filled(text: string, words: Words): string {
  const all = { RANDOM_UUID: crypto.randomUUID(), ...words }
  return Object.entries(all).reduce((done, [word, value]) => done.replaceAll(word, value), text)
}

async function sentAsHttp(text: string): Promise<Sent> {
  const [head = '', body] = text.trimEnd().split('\n\n')
  const [line = '', ...fields] = head.split('\n')
  const [method = '', address = ''] = line.split(' ')
  const headers = Object.fromEntries(
    fields.map((field) => [field.split(': ')[0] ?? '', field.split(': ')[1] ?? '']),
  )
  const response = await fetch(address, { method, headers, ...(body !== undefined && { body }) })
  // What comes is checked by the test; answers of the Commons stand in an envelope.
  const { data, ...answer } = (await response.json()) as Answer & { data?: Answer }
  return { called: `${method} ${new URL(address).pathname}`, answer: data ?? answer }
}

async function sentToDoor(path: string, text: string, key: string): Promise<Sent> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: text,
  })
  const got = await response.text()
  const [, event = got] = /^data: (\{.*\})$/m.exec(got) ?? []
  // What comes is checked by the test.
  const { result, error } = JSON.parse(event) as {
    result?: Answer & { structuredContent?: Answer; isError?: boolean; content?: object }
    error?: { data: Answer }
  }
  const { params, method } = JSON.parse(text) as { params: { name?: string }; method: string }
  const called = method === 'tools/call' ? (params.name ?? '') : method
  if (result?.isError) throw new Error(`${called} was refused: ${JSON.stringify(result.content)}`)
  return { called, answer: error?.data ?? result?.structuredContent ?? result ?? {} }
}

const ways = ['http', 'mcp', 'a2a'] as const

/** Whether a block is a call at this door. */
function isFor({ info: [language, door] }: Block, way: (typeof ways)[number]): boolean {
  return way === 'http' ? language === 'http' : language === 'json' && door === way
}

function learned(answer: Answer, words: Words): void {
  const { id = '', api_key, token, key, lease_token } = answer
  if (api_key !== undefined) words['YOUR_KEY'] = api_key.slice('ab_'.length)
  if (token !== undefined) words['YOUR_TOKEN'] = token
  if (typeof key === 'string') words['YOUR_AGENT_KEY'] = key.slice('ab_'.length)
  if (id.startsWith('run_')) words['RUN_ID'] = id
  if (lease_token) words['LEASE_TOKEN'] = lease_token
}

async function play(
  page: string,
  way: (typeof ways)[number],
  before: (text: string, key: string) => Promise<unknown> = async () => undefined,
): Promise<Sent[]> {
  const words: Words = { YOUR_NAME: 'A reader', AGENT_ID: 'ada', APP_ID: 'desk', UNIQUE_WORD: way }
  const all: Sent[] = []
  for (const block of blocksOf(page).filter((one) => isFor(one, way))) {
    const text = filled(block.text, words)
    expect(text.replaceAll(/"[^"]*"/g, '')).not.toMatch(/[A-Z]+_[A-Z]+/)
    const posts = /commons\.threads\.create|commons_threads_create/.test(text)
    const key = posts ? words['YOUR_AGENT_KEY'] : words['YOUR_KEY']
    await before(text, `ab_${words['YOUR_KEY']}`)
    const sent =
      way === 'http'
        ? await sentAsHttp(text)
        : await sentToDoor(`/${way}`, text, key === undefined ? '' : `ab_${key}`)
    expect([sent.called, sent.answer.code, sent.answer]).toEqual([
      sent.called,
      undefined,
      sent.answer,
    ])
    learned(sent.answer, words)
    all.push(sent)
  }
  return all
}

describe.each(ways)('the skill page, by the calls for %s', (way) => {
  it('leads from nothing to a key, an agent, a run, an app, its brain and the Commons', async () => {
    const roomy = await serving({}, catalog)
    try {
      const { text } = await roomy.ask('/skill.md')
      const before = server
      server = roomy
      const all = await play(text, way)
      server = before
      expect(all.length).toBe(15)
      const outputs = all.map(({ answer }) => answer.output)
      expect(outputs).toContain('Good day, Grace. It is raining.')
      expect(outputs).toContain('High water is at seven.')
      expect(all.filter(({ answer }) => answer.status === 'completed').length).toBe(3)
    } finally {
      await roomy[Symbol.asyncDispose]()
    }
  })

  it('and the page of keys, give one, give it back, and make one for an agent', async () => {
    const { text } = await server.ask('/auth.md')
    const [claim, again] = blocksOf(text).filter((block) => isFor(block, way))
    expect(claim && again).toBeDefined()
    // The page speaks of an agent that the reader has.
    const all = await play(text, way, async (call, key) => {
      if (!call.includes('scope_char_id')) return
      const authorization = `Bearer ${key}`
      const agent = sending('POST', { id: 'ada', name: 'Ada' }, { authorization })
      expect((await server.ask('/api/characters/', agent)).status).toBe(201)
    })
    expect(all.length).toBe(3)
    expect(all[1]?.answer).toMatchObject({ status: 'active', api_key: all[0]?.answer.api_key })
    expect(all[2]?.answer.key).toMatch(/^ab_/)
  })
})

describe('the skill page', () => {
  it('begins as skills do, and shows the limits in force', async () => {
    const { text, headers } = await server.ask('/skill.md')
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(text).toMatch(/^---\nname: abode\ndescription: [^\n]{20,1024}\n---\n\n# Abode\n/)
    expect(text).toContain('| `writes` | everything else, by account | 7 in 90 s |')
    expect(text).not.toContain('| `keyed_reads` |')
    expect(text.length).toBeLessThan(30_000)
    expect(text).not.toMatch(/undefined|NaN|\[object|\{base_url\}/)
  })

  it('names every operation', async () => {
    const { text } = await server.ask('/skill.md')
    for (const { name } of catalog) expect(text).toContain(`\`${name}\``)
  })

  it('has commands for the other doors that work', async () => {
    const { text } = await server.ask('/skill.md')
    const claim = await server.ask('/api/agent-claim', { method: 'POST' })
    // The answer has a key.
    const { api_key: key } = JSON.parse(claim.text) as { api_key: string }
    const commands = blocksOf(text).filter(({ info }) => info[0] === 'sh')
    const page = commands.map((block) => `\`\`\`sh\n${block.text}\`\`\`\n`).join('')
    const shown = await played(page, { ab_YOUR_KEY: key })
    expect(shown.match(/"plan":"free"/g)).toHaveLength(2)
  })
})
