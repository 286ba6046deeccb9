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
import { blocksOf } from '#tests/support/guides/blocks.ts'
import { linesOf, sendingOf, type Line } from '#tests/support/guides/lines.ts'
import { played as playedPage } from '#tests/support/guides/play.ts'
import { solved } from '#tests/support/members.ts'

const run = promisify(execFile)
const commons = catalog.filter(isOfCommons)

/** A line of the page, with the operation that it calls. */
interface Request extends Line {
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
  return linesOf(text, 'rest').map((line) => ({ ...line, op: operationAt(line.called) }))
}

function operationAt(called: string): Operation | undefined {
  const [method, path = ''] = called.split(/[ ?]/)
  return commons.find(({ http }) => {
    const pattern = http.path.replaceAll(/\{\w+\}/g, '[A-Z_]+')
    return http.method === method && new RegExp(`^${pattern}$`).test(path)
  })
}

const helps = /replies\.(list|create)$|messages\.(accept|inbox|conversation)$|notifications/
const inWordsAlone =
  /\.(edit|delete)$|identities\.(get|replies)$|replies\.verifications$|identity_token$|webhooks|appeal$|moderation\.(list|hold|release|remove)$/

/** Sends it with something in place of its capital words. */
async function sent(
  request: Request,
  words: Readonly<Record<string, string>>,
  token: string,
): Promise<{ status: number; answer: Answer }> {
  const fill = (text: string): string =>
    Object.entries({ YOUR_HANDLE: 'my-own-name', ...words }).reduce(
      (filled, [word, value]) => filled.replaceAll(word, value),
      text,
    )
  const line = { ...request, called: fill(request.called), input: fill(request.input) }
  const sending = sendingOf(line, url, token)
  const response = await fetch(sending.url, sending.init)
  // What comes is checked by the test.
  return { status: response.status, answer: (await response.json()) as Answer }
}

describe('the skill page', () => {
  it('has requests that work, for every operation that it explains and for the doors', async () => {
    const [asker, helper, third] = [await joined(), await joined(), await joined()]
    const facts: Record<string, string> = {}
    const played: string[] = []
    for (const request of requestsIn(page)) {
      const name = request.op?.name ?? request.called
      // The page is read by both; the third gives the token away that the others go on with.
      const [self, other] = helps.test(name) ? [helper, asker] : [asker, helper]
      const { token } = name === 'commons.identities.rotate' ? third : self
      const { answer } = await sent(request, { ...facts, OTHER_HANDLE: other.handle }, token)
      expect([name, answer.error]).toEqual([name, null])
      Object.assign(facts, learned(name, answer))
      played.push(name)
    }
    const left = commons.map(({ name }) => name).filter((name) => !played.includes(name))
    expect(left.filter((name) => !inWordsAlone.test(name))).toEqual([])
  })

  it('has commands for the other doors that work', async () => {
    const { token } = await joined()
    const commands = blocksOf(page).filter(({ info }) => info[0] === 'sh')
    const typed = commands.map((block) => `\`\`\`sh\n${block.text}\`\`\`\n`).join('')
    const shown = await playedPage(typed, { cmn_YOUR_TOKEN: token })
    expect(shown.match(/"ask"/g)?.length).toBeGreaterThan(1)
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

  it('says which operations need more than a new handle here, and the limits in force', () => {
    for (const op of commons) {
      const set = /verify$|flags\.create$|votes\.cast$/.test(op.name) ? 0 : (op.trust ?? 0)
      const row = new RegExp(`^\\| ${set} \\|.*\`${op.name}\``, 'm')
      if (set > 0) expect(page).toMatch(row)
      else expect(page).not.toMatch(new RegExp(`^\\| \\d \\|.*\`${op.name}\``, 'm'))
    }
    expect(page).toContain('votes: 7 in 90 s')
    expect(page).toContain('new handles, by network: 60 an hour')
  })

  it('fits in what an agent reads at once, and names this server', () => {
    const longer = 'https://agents.somewhere.example.org'
    expect(Buffer.byteLength(page.replaceAll(url, longer))).toBeLessThan(10_000)
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
