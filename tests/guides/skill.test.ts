import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { withSignUp } from '#src/core/admission/sign-up.ts'
import { platformSkill } from '#src/documents/guides/platform-skill.ts'
import { sending, serving, type Serving } from '#tests/adapters/serve.ts'
import { blocksOf, type Block } from '#tests/support/guides/blocks.ts'
import { linesOf, sendingOf, ways, type Line, type Way } from '#tests/support/guides/lines.ts'
import { played } from '#tests/support/guides/play.ts'

let server: Serving
beforeEach(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'writes=7/90,keyed_reads=off' }, catalog)
})
afterEach(() => server[Symbol.asyncDispose]())

/** Members of answers that later calls need. */
interface Answer {
  id?: string
  api_key?: string
  token?: string
  /** Of `account.get` it is no key, but what is told of one. */
  key?: string | object
  lease_token?: string | null
  run?: { id: string } | null
  code?: string
  status?: string
  output?: unknown
  links?: { a2a: string; card: string }
  items?: { output?: unknown }[]
}

/** What stands for capital words, as far as answers have told it. */
type Words = Record<string, string>

function filled(text: string, words: Words): string {
  return Object.entries({ RANDOM_UUID: crypto.randomUUID(), ...words }).reduce(
    (done, [word, value]) => done.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), () => value),
    text,
  )
}

function learned(answer: Answer, words: Words): void {
  const { id = '', api_key, token, lease_token, run } = answer
  if (api_key !== undefined) words['KEY'] = api_key
  if (token !== undefined) words['YOUR_TOKEN'] = token
  if (run) words['RUN_ID'] = run.id
  if (id.startsWith('thr_')) words['THREAD_ID'] = id
  if (lease_token) words['LEASE_TOKEN'] = lease_token
}

interface Taken {
  /** What was called, as it is written there. */
  called: string
  answer: Answer
}

/** Sends one call. @throws Error where it is refused */
async function taken(line: Line, words: Words, base: string): Promise<Taken> {
  const [called, input] = [filled(line.called, words), filled(line.input, words)]
  expect(`${called} ${input}`.replaceAll(/"[^"]*"/g, '')).not.toMatch(/\b[A-Z]{2,}_[A-Z]+\b/)
  const { url, init } = sendingOf({ ...line, called, input }, base, words['KEY'])
  const response = await fetch(url, init)
  const text = await response.text()
  const [, event = text] = /^data: (\{.*\})$/m.exec(text) ?? []
  const answer = answerIn(event === '' ? {} : (JSON.parse(event) as object))
  expect([called, response.ok, answer.code]).toEqual([called, true, undefined])
  return { called, answer }
}

/** The answer of an operation, taken out of what doors and the Commons lay around it. */
function answerIn(body: object): Answer {
  const { result, error, data } = body as {
    result?: Answer & { structuredContent?: Answer; isError?: boolean; content?: unknown }
    error?: { data?: Answer } | null
    data?: Answer
  }
  if (result?.isError) throw new Error(JSON.stringify(result.content))
  return error?.data ?? data ?? result?.structuredContent ?? result ?? body
}

/** A server whose limits are the usual ones. */
async function roomy<T>(use: (at: Serving) => Promise<T>): Promise<T> {
  const at = await serving({}, catalog)
  try {
    return await use(at)
  } finally {
    await at[Symbol.asyncDispose]()
  }
}

const namesOf = (way: Way): Words => ({
  YOUR_NAME: 'A reader',
  APP_ID: 'desk',
  UNIQUE_WORD: `${way} tides`,
})

describe.each(ways)('the skill page, by its lines for %s', (way) => {
  it('leads from nothing to the result of a chain, the Commons, an open agent and back', async () => {
    await roomy(async (at) => {
      const { url } = at
      const { text } = await at.ask('/skill.md')
      const words = namesOf(way)
      const all: Taken[] = []
      for (const line of linesOf(text, way)) {
        const one = await taken(line, words, url)
        learned(one.answer, words)
        all.push(one)
        const { links } = one.answer
        if (links === undefined) continue
        // The door that this call has opened is told there, with its card.
        expect(links.a2a).toBe(`${url}/a2a/desk--writer/`)
        expect((await fetch(links.card)).status).toBe(200)
        expect(await spokenTo(links.a2a)).toContain('NEWS: tides')
      }
      expect(all).toHaveLength(10)
      const chain = all.flatMap(({ answer: { items = [] } }) => items.map(({ output }) => output))
      expect(chain).toContain('Front page. NEWS: High water is at seven.')
      const left = await at.ask('/api/characters/', {
        headers: { authorization: `Bearer ${words['KEY']}` },
      })
      expect(left.text).toContain('"items":[]')
    })
  })

  it('and the page of keys, give one, give it back, make another for its token, and one for an agent', async () => {
    const { text } = await server.ask('/auth.md')
    const door = way === 'rest' ? 'http' : way
    const calls = blocksOf(text).filter((block) => isFor(block, door))
    expect(calls).toHaveLength(4)
    const words: Words = { YOUR_NAME: 'A reader', AGENT_ID: 'ada' }
    const answers: Answer[] = []
    for (const block of calls) {
      // The page speaks of an agent that the reader has.
      if (block.text.includes('scope_char_id')) await ada(words['KEY'] ?? '')
      const { answer } = await taken(lineIn(block, way), words, server.url)
      learned(answer, words)
      answers.push(answer)
    }
    expect(answers[1]).toMatchObject({ status: 'active', api_key: answers[0]?.api_key })
    expect(answers[2]?.api_key).toMatch(/^ab_/)
    expect(answers[2]?.api_key).not.toBe(answers[0]?.api_key)
    expect(answers[3]?.key).toMatch(/^ab_/)
  })
})

async function spokenTo(address: string): Promise<string> {
  const parts = [{ text: 'tides' }]
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts }
  const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }
  return (await fetch(address, sending('POST', body, { 'a2a-version': '1.0' }))).text()
}

async function ada(key: string): Promise<void> {
  const authorization = `Bearer ${key}`
  const agent = sending('POST', { id: 'ada', name: 'Ada' }, { authorization })
  expect((await server.ask('/api/characters/', agent)).status).toBe(201)
}

/** Whether a block is a call at this door. */
function isFor({ info: [language, door] }: Block, way: string): boolean {
  return way === 'http' ? language === 'http' : language === 'json' && door === way
}

/** The params of a call of a tool. */
interface Tool {
  name?: string
  arguments?: object
}

/** A call that a page shows in the form of its door. */
function lineIn({ text }: Block, way: Way): Line {
  if (way === 'rest') {
    const [head = '', body = ''] = text.trimEnd().split('\n\n')
    const [method, address = ''] = (head.split('\n')[0] ?? '').split(' ')
    const { pathname, search } = new URL(address)
    return { way, called: `${method} ${pathname}${search}`, input: body }
  }
  const { method, params } = JSON.parse(text) as { method: string; params: Tool }
  const { name = method, arguments: given = params }: Tool = way === 'mcp' ? params : {}
  return { way, called: name, input: JSON.stringify(given) }
}

describe('the skill page', () => {
  it('begins as skills do, and is read at once', async () => {
    const { text, headers } = await server.ask('/skill.md')
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(text).toMatch(/^---\nname: abode\ndescription: [^\n]{20,1024}\n---\n\n# Abode\n/)
    expect(text).not.toMatch(/undefined|NaN|\[object|\{base_url\}/)
  })

  it.each(['open', 'invited', 'closed'] as const)('is short where sign-up is %s', (mode) => {
    const contact = 'the people at agents@somewhere.example.org'
    const publicUrl = 'https://agents.somewhere.example.org'
    const operations = withSignUp(catalog, { mode, contact })
    const sizeFor = (way?: Way) => Buffer.byteLength(platformSkill(operations, { publicUrl }, way))
    expect(sizeFor()).toBeLessThan(10_000)
    for (const way of ways) expect(sizeFor(way)).toBeLessThan(7_000)
  })

  it('is given for one door, with the calls of no other', async () => {
    const { text } = await server.ask('/skill.md')
    for (const way of ways) {
      const one = await server.ask(`/skill.md?door=${way}`)
      expect(one.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      const given = ways.map((other) => linesOf(one.text, other))
      expect(given).toEqual(ways.map((other) => (other === way ? linesOf(text, way) : [])))
      expect(one.text).toContain(`${server.url}/skill.md `)
    }
    // What names no door, or several, names all.
    for (const query of ['door=gopher', 'door=', 'door=rest&door=mcp', 'door=__proto__', 'x=1']) {
      expect((await server.ask(`/skill.md?${query}`)).text).toBe(text)
    }
  })

  it('is the guide that the MCP door gives', async () => {
    const accept = {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    }
    for (const query of ['', '?door=mcp']) {
      const params = { uri: `abode://skill${query}` }
      const body = { jsonrpc: '2.0', id: 1, method: 'resources/read', params }
      const { text } = await server.ask('/mcp', sending('POST', body, accept))
      const [, event = text] = /^data: (\{.*\})$/m.exec(text) ?? []
      const page = (await server.ask(`/skill.md${query}`)).text
      expect(JSON.parse(event)).toMatchObject({ result: { contents: [{ text: page }] } })
    }
  })

  it('names operations that there are', async () => {
    const { text } = await server.ask('/skill.md')
    const names = new Set<string>(catalog.map(({ name }) => name))
    const groups = new Set([...names].map((name) => name.split('.')[0]))
    const named = [...text.matchAll(/`([a-z_]+)\.([a-z_.]+)`/g)].filter(([, group]) =>
      groups.has(group ?? ''),
    )
    expect(named.length).toBeGreaterThan(5)
    for (const [, group, rest] of named) {
      if (group !== 'run') expect(names).toContain(`${group}.${rest}`)
    }
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

describe('the page of keys', () => {
  it('has the common codes, and the limits and quotas in force', async () => {
    const { text } = await server.ask('/auth.md')
    expect(text).toContain('| `writes` | everything else, by account | 7 in 90 s |')
    expect(text).not.toContain('| `keyed_reads` |')
    expect(text).toContain('| `idempotency_conflict` | 409 |')
    expect(text).toContain('| `agents` |')
    expect(Buffer.byteLength(text)).toBeLessThan(9_000)
  })
})
