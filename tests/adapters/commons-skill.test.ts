import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compose, type Abode } from '#adapters/compose/compose.ts'
import { readConfig } from '#adapters/config/read.ts'
import { catalog } from '#src/catalog.ts'
import { isOfCommons } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { commonsSkill } from '#src/documents/commons-skill.ts'
import { solved } from '#tests/support/members.ts'

const run = promisify(execFile)
const commons = catalog.filter(isOfCommons)

/** One block of HTTP of the page. */
interface Request {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
  op: Operation | undefined
}

let abode: Abode
let url: string
let page: string
const folder = mkdtempSync(join(tmpdir(), 'abode-skill-'))
beforeAll(async () => {
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    ABODE_LOG_LEVEL: 'silent',
    ABODE_POW_BITS: '8',
    ABODE_RATE_LIMITS: 'votes=7/90,writes=off',
    // Time and the votes of others are not to be had in a test.
    ABODE_COMMONS_TRUST: 'commons.replies.verify=0,commons.flags.create=0,commons.votes.cast=0',
  })
  abode = await compose(config)
  ;({ url } = await abode.listen())
  page = await (await fetch(`${url}/commons/skill.md`)).text()
})
afterAll(async () => {
  await abode.close()
  rmSync(folder, { recursive: true, force: true })
})

function requestsIn(text: string): Request[] {
  return [...text.matchAll(/^```http\n(.+?)\n```$/gms)].map(([, block = '']) => {
    const [head = '', body] = block.split('\n\n')
    const [line = '', ...fields] = head.split('\n')
    const [method = '', address = ''] = line.split(' ')
    const headers = Object.fromEntries(
      fields.map((field) => [field.split(': ')[0] ?? '', field.split(': ')[1] ?? '']),
    )
    return {
      method,
      url: address,
      headers,
      body,
      op: operationAt(method, new URL(address).pathname),
    }
  })
}

function operationAt(method: string, path: string): Operation | undefined {
  return commons.find(({ http }) => {
    const pattern = http.path.replaceAll(/\{\w+\}/g, '[A-Z_]+')
    return http.method === method && new RegExp(`^${pattern}$`).test(path)
  })
}

const helps = /replies\.(list|create)$|messages\.(accept|inbox|conversation)$|notifications/
const missing = '/api/commons/thread'
const inWordsAlone = /\.(edit|delete)$|identities\.get$|webhooks/

/** Sends it with something in place of its capital words. */
async function sent(
  { method, url: address, headers, body }: Request,
  words: Readonly<Record<string, string>>,
): Promise<{ status: number; answer: Answer }> {
  const known = { YOUR_HANDLE: 'my-own-name', RANDOM_UUID: crypto.randomUUID(), ...words }
  const fill = (text: string): string =>
    Object.entries(known).reduce((filled, [word, value]) => filled.replaceAll(word, value), text)
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(value)])
  const response = await fetch(fill(address), {
    method,
    headers: Object.fromEntries(filled),
    ...(body !== undefined && { body: fill(body) }),
  })
  const text = await response.text()
  const [, event] = /^data: (\{.*\})$/m.exec(text) ?? []
  // What comes is checked by the test.
  return { status: response.status, answer: JSON.parse(event ?? text) as Answer }
}

describe('the skill page', () => {
  it('has requests that work, for every operation that it explains and for the doors', async () => {
    const [asker, helper, third] = [await joined(), await joined(), await joined()]
    const facts: Record<string, string> = {}
    const played: string[] = []
    for (const request of requestsIn(page)) {
      const name = request.op?.name ?? new URL(request.url).pathname
      // The page is read by both; the third gives the token away that the others go on with.
      const [self, other] = helps.test(name) ? [helper, asker] : [asker, helper]
      const { token } = name === 'commons.identities.rotate' ? third : self
      const words = { ...facts, YOUR_TOKEN: token.slice('cmn_'.length), OTHER_HANDLE: other.handle }
      const { status, answer } = await sent(request, words)
      const fault = answer.error ?? (answer.result?.isError ? answer.result : null)
      if (name === missing) expect([status, fault]).toMatchObject([404, { code: 'not_found' }])
      else expect([name, fault]).toEqual([name, null])
      if (request.body?.includes('SendMessage')) {
        expect(JSON.stringify(answer)).toContain('TASK_STATE_COMPLETED')
      }
      Object.assign(facts, learned(name, answer))
      played.push(name)
    }
    const left = commons.map(({ name }) => name).filter((name) => !played.includes(name))
    expect(left.filter((name) => !inWordsAlone.test(name))).toEqual([])
    const doors = played.filter((name) => /\/(mcp|a2a)$/.test(name))
    expect(doors.map((path) => path.slice(-3))).toEqual(['mcp', 'mcp', 'mcp', 'a2a', 'a2a'])
  })

  it('holds programs that join', async () => {
    const [, js = ''] = /^```js\n(.+?)\n```$/ms.exec(page) ?? []
    const [, python = ''] = /^```python\n(.+?)\n```$/ms.exec(page) ?? []
    const made = /^[a-z0-9][a-z0-9-]{2,31} cmn_\w+\n$/
    writeFileSync(join(folder, 'join.mjs'), js)
    expect((await run(process.execPath, [join(folder, 'join.mjs')])).stdout).toMatch(made)
    writeFileSync(join(folder, 'join.py'), python)
    if (spawnSync('python3', ['--version']).error) return
    expect((await run('python3', [join(folder, 'join.py')])).stdout).toMatch(made)
  })

  it('says what each operation needs here, and the limits in force', () => {
    for (const op of commons) {
      const set = /verify$|flags\.create$|votes\.cast$/.test(op.name) ? 0 : (op.trust ?? 0)
      const needs = op.auth === 'none' ? 'no credential' : `level ${set}`
      const start = `| \`${op.name}\` | \`${op.http.method} ${op.http.path}\` | ${needs} |`
      expect(page).toContain(start)
    }
    expect(page).toContain('| `votes` | votes | 7 in 90 s |')
    expect(page).toContain(
      '| `identities` | new handles and agents that join, by network | 60 an hour |',
    )
    expect(page).not.toContain('other writes')
  })

  it('fits in what an agent reads at once, and names this server', () => {
    expect(page.length).toBeLessThan(30_000)
    expect(page).toContain(`${url}/commons/errors.md`)
    expect(page).not.toMatch(/undefined|NaN|\[object/)
  })

  it('is the guide that the MCP door of the Commons gives', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'abode://skill' },
    }
    const response = await fetch(`${url}/api/commons/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    const [, event = text] = /^data: (\{.*\})$/m.exec(text) ?? []
    expect(JSON.parse(event)).toMatchObject({ result: { contents: [{ text: page }] } })
  })

  it('is made of the operations that there are', () => {
    const facts = { publicUrl: url, limits: {}, proofOfWork: { bits: undefined, ttlSeconds: 30 } }
    const few = commonsSkill(
      commons.filter(({ name }) => /challenge|identities|boards/.test(name)),
      facts,
    )
    expect(few).toContain('commons.boards.list')
    expect(few).toContain('30 seconds')
    expect(few).toContain('None are set on this server.')
    expect(few).not.toMatch(/## (Messages|Answer)\n/)
    expect(few).not.toContain('THREAD_ID')
  })
})

interface Answer {
  error?: object | null
  result?: { isError?: boolean }
  data?: {
    id?: string
    challenge?: string
    bits?: number
    items?: { id: string }[]
  }
}

/** What later requests need of an answer, by the word that stands for it. */
function learned(name: string, { data }: Answer): Record<string, string> {
  const { id = '', challenge = '', bits = 0, items } = data ?? {}
  if (name === 'commons.threads.create') return { THREAD_ID: id }
  if (name === 'commons.replies.create') return { REPLY_ID: id }
  if (name === 'commons.notifications.list') return { NOTIFICATION_ID: items?.[0]?.id ?? '' }
  if (name !== 'commons.challenge.get') return {}
  return { CHALLENGE: challenge, COUNTER: solved(challenge, bits) }
}

async function joined(): Promise<{ handle: string; token: string }> {
  const given = await asked<{ challenge: string; bits: number }>('/api/commons/challenge')
  const counter = solved(given.challenge, given.bits)
  return asked('/api/commons/identities', { challenge: given.challenge, counter })
}

async function asked<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(url + path, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  // Only the members that are used are named.
  return ((await response.json()) as { data: T }).data
}
