import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { injections } from '#tests/support/injections.ts'
import { callTool, mcpClients, type McpClient } from '#tests/support/mcp-clients.ts'
import { solved } from '#tests/support/members.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { voices, type Voice } from './commons-voices.ts'

let server: ServerProcess
let author: Voice
let handle: string
let token: string
/** By the marker of each text: the thread, the reply and the message that hold it. */
const planted = new Map<string, { thread_id: string; reply_id: string }>()

const [, byFetch] = voices[0] ?? []
if (!byFetch) throw new Error('there is no voice')
const speak = byFetch

async function joined(wanted: string): Promise<{ handle: string; token: string }> {
  const reader = await speak(server.url)
  const { challenge, bits } = await reader.call<{ challenge: string; bits: number }>(
    'commons.challenge.get',
  )
  return reader.call('commons.identities.create', {
    challenge,
    counter: solved(challenge, bits),
    handle: wanted,
  })
}

beforeAll(async () => {
  server = await startServer({
    env: {
      ABODE_POW_BITS: '4',
      ABODE_RATE_LIMITS: 'off',
      ABODE_COMMONS_TRUST: 'commons.replies.verify=0',
    },
  })
  ;({ handle, token } = await joined('planter-of-texts'))
  author = await speak(server.url, token)
  const other = await speak(server.url, (await joined('reader-of-texts')).token)
  await author.call('commons.messages.send', { to: 'reader-of-texts', body: 'May I?' })
  await other.call('commons.messages.accept', { handle })
  for (const { text, marker } of injections) {
    const { id: thread_id } = await author.call<{ id: string }>('commons.threads.create', {
      board: 'general',
      title: oneLine(text),
      body: text,
    })
    const { id: reply_id } = await author.call<{ id: string }>('commons.replies.create', {
      thread_id,
      body: `Also: ${text}`,
    })
    await author.call('commons.messages.send', { to: 'reader-of-texts', body: text })
    await other.call('commons.replies.verify', { reply_id, result: 'fails', notes: text })
    planted.set(marker, { thread_id, reply_id })
  }
})
afterAll(() => server.dispose())

/** As a title or headline may be: on one line. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim().slice(0, 300)
}

/** A handle has one headline, so that each text is put there when its turn has come. */
async function putInHeadline(text: string): Promise<void> {
  const headline = oneLine(text).slice(0, 200)
  await author.call('commons.status.set', { state: 'busy', headline })
}

/** Whether every object that holds the marker says that it is not to be trusted. */
function isMarked(value: unknown, marker: string): boolean {
  if (Array.isArray(value)) return value.every((one) => isMarked(one, marker))
  if (typeof value !== 'object' || value === null) return true
  const members = Object.entries(value)
  const texts = members.flatMap(([, one]): unknown[] => (Array.isArray(one) ? one : [one]))
  const holds = texts.some((one) => typeof one === 'string' && one.includes(marker))
  const isUntrusted = (value as { untrusted?: unknown }).untrusted === true
  return (!holds || isUntrusted) && members.every(([, one]) => isMarked(one, marker))
}

type Reads = readonly (readonly [operation: string, params: object])[]

/** What gives one text back, with the headline, of which there is one at a time. */
const readsOf = (marker: string): Reads => {
  const { thread_id = '' } = planted.get(marker) ?? {}
  return [
    ['commons.threads.get', { thread_id }],
    ['commons.replies.list', { thread_id }],
    ['commons.search.query', { q: marker }],
    ['commons.consult.ask', { question: marker }],
    ['commons.identities.get', { handle }],
    ['commons.status.list', {}],
    ['commons.me.get', {}],
  ]
}

/** What gives all of them back at once. */
const readsOfAll: Reads = [
  ['commons.threads.list', { board: 'general', limit: 100 }],
  ['commons.messages.conversation', { handle: 'reader-of-texts', limit: 100 }],
  ['commons.notifications.list', { limit: 100 }],
]

describe.each(voices)('texts that want to be obeyed, by %s', (_, speak) => {
  let voice: Voice
  beforeAll(async () => {
    voice = await speak(server.url, token)
  })
  afterAll(() => voice.close())

  test.each(injections)('$name', async ({ text, marker }) => {
    await putInHeadline(text)
    const { reply_id = '' } = planted.get(marker) ?? {}
    for (const [operation, params] of readsOf(marker)) {
      const answer = await voice.call(operation, params)
      expect(JSON.stringify(answer), operation).toContain(marker)
      expect(isMarked(answer, marker), operation).toBe(true)
      if (operation !== 'commons.threads.get') continue
      expect(answer).toMatchObject({ body: text, title: oneLine(text), untrusted: true })
    }
    // What is refused tells nothing of it either.
    const refused = voice.call('commons.replies.edit', { reply_id, body: '' })
    const cause = await refused.then(() => undefined, String)
    expect(cause).toContain('invalid_input')
    expect(cause).not.toContain(marker)
  })

  test.each(readsOfAll)('each of them is marked in %s', async (operation, params) => {
    const answer = await voice.call(operation, params)
    const text = JSON.stringify(answer)
    for (const { marker } of injections) {
      expect(text).toContain(marker)
      expect(isMarked(answer, marker), marker).toBe(true)
    }
  })
})

/** What stands between the marks of an answer of a tool, whose names are drawn for each. */
async function betweenMarks(client: McpClient, [operation, params]: Reads[number]) {
  const name = operation.replaceAll('.', '_')
  const { content, isError } = await callTool(client, name, { ...params })
  const text = content[0]?.text ?? ''
  expect(isError ?? false, `${operation}: ${text}`).toBe(false)
  const [, before = '', mark = '', inside = ''] =
    /^(.*)\n<(untrusted-[\w-]+)>\n(.*)\n<\/\2>$/s.exec(text) ?? []
  expect(mark, operation).not.toBe('')
  expect(inside, operation).not.toContain(mark)
  return { before, mark, inside }
}

describe.each(mcpClients)('in what models read, by %s', (_, connect) => {
  let client: McpClient
  const marks = new Set<string>()
  beforeAll(async () => {
    client = await connect(`${server.url}/api/commons/mcp`, { key: token })
  })
  afterAll(() => client.close())

  async function expectBetween(read: Reads[number], markers: readonly string[]): Promise<void> {
    const { before, mark, inside } = await betweenMarks(client, read)
    for (const marker of markers) {
      expect(inside, read[0]).toContain(marker)
      expect(before, read[0]).not.toContain(marker)
    }
    // Drawn for each answer, so that no text can contain its own.
    expect(marks).not.toContain(mark)
    marks.add(mark)
  }

  test.each(injections)('$name stands inside the marks', async ({ text, marker }) => {
    await putInHeadline(text)
    for (const read of readsOf(marker)) await expectBetween(read, [marker])
  })

  test.each(readsOfAll)('each of them stands inside the marks of %s', async (...read) => {
    await expectBetween(
      read,
      injections.map(({ marker }) => marker),
    )
  })
})

test('no list, card, document or page holds any of them', async () => {
  const there = [
    '/.well-known/agent-card.json',
    '/a2a/.well-known/agent-card.json',
    '/commons/skill.md',
    '/commons/errors.md',
    '/openapi.agent.json',
    '/api/commons/boards',
    '/api/operations',
  ]
  const nowhere = ['/api/commons/threads/thr_nowhere', `/api/commons/identities/${handle}x`]
  const pages = [...there, ...nowhere]
  const texts = await Promise.all(
    pages.map(async (page) => {
      const response = await fetch(server.url + page)
      expect(response.status, page).toBe(there.includes(page) ? 200 : 404)
      return response.text()
    }),
  )
  const [, connect] = mcpClients[0] ?? []
  if (!connect) throw new Error('there is no client')
  const client = await connect(`${server.url}/api/commons/mcp`)
  texts.push(JSON.stringify(await client.listTools()))
  texts.push(JSON.stringify(await client.listPrompts()))
  texts.push(JSON.stringify(await client.listResources()))
  await client.close()
  for (const { marker } of injections) {
    for (const text of texts) expect(text).not.toContain(marker)
  }
})
