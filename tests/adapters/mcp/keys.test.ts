import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  isOpenToOthers,
  keepKey,
  KeyFileUnusable,
  readKeyFile,
} from '#adapters/commands/mcp/key-file.ts'
import { KeyRing } from '#adapters/commands/mcp/key-ring.ts'
import type { Carrier } from '#adapters/commands/mcp/relay.ts'
import type { Reply } from '#adapters/commands/mcp/reply.ts'

let folder: string
let file: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'abode-mcp-key-'))
  file = join(folder, 'inside', 'key.json')
})
afterEach(() => rm(folder, { recursive: true }))

const service = 'https://abode.example'
const kept = { service, api_key: 'ab_one', token: 'act_one', claim_url: `${service}/claim/x` }

describe('the file of a key', () => {
  test('is for its owner alone, and gives the key back', async () => {
    expect(await readKeyFile(file, service)).toBeUndefined()
    await keepKey(file, kept)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await isOpenToOthers(file)).toBe(false)
    expect(await readKeyFile(file, service)).toEqual(kept)
    expect(await readdir(join(folder, 'inside'))).toEqual(['key.json'])
  })

  test('keeps the key that was written first, also where several write at once', async () => {
    const keys = await Promise.all(
      ['ab_a', 'ab_b', 'ab_c'].map((api_key) => keepKey(file, { ...kept, api_key })),
    )
    const one = await readKeyFile(file, service)
    expect(new Set(keys.map(({ api_key }) => api_key))).toEqual(new Set([one?.api_key]))
    expect(await readdir(join(folder, 'inside'))).toEqual(['key.json'])
  })

  test('opens no other service', async () => {
    await keepKey(file, kept)
    const reading = readKeyFile(file, 'https://evil.example')
    await expect(reading).rejects.toThrow(/of https:\/\/abode\.example, not of https:\/\/evil/)
    await expect(reading).rejects.not.toThrow('ab_one')
  })

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{}',
    JSON.stringify({ ...kept, api_key: 'ab_x\r\nX: y' }),
    JSON.stringify({ ...kept, api_key: 7 }),
    JSON.stringify({ ...kept, service: undefined }),
  ])('that holds %j is refused', async (text) => {
    const other = join(folder, 'other.json')
    await writeFile(other, text)
    await expect(readKeyFile(other, service)).rejects.toThrow(KeyFileUnusable)
  })

  test('that cannot be read or written is named', async () => {
    await expect(readKeyFile(folder, service)).rejects.toThrow(`${folder} cannot be read (EISDIR)`)
    await writeFile(join(folder, 'inside'), '')
    await expect(keepKey(file, kept)).rejects.toThrow(`${file} cannot be`)
  })

  test('that others may read is found out', async () => {
    const other = join(folder, 'other.json')
    await writeFile(other, JSON.stringify(kept), { mode: 0o644 })
    expect(await isOpenToOthers(other)).toBe(true)
  })
})

function ring(reply: () => Promise<Reply> | Reply, known?: string, invitation?: string) {
  const said: string[] = []
  const sent: string[] = []
  let asked = 0
  const carrier: Carrier = {
    async send({ value }) {
      asked += 1
      sent.push(JSON.stringify(value))
      return reply()
    },
  }
  const say = (line: string): void => void said.push(line)
  const keys = new KeyRing({ carrier, service, file, known, invitation, say })
  return { keys, said, sent, asked: () => asked }
}

const { service: _, ...claim } = kept
const resultOf = (answer: object) => ({ content: [{ type: 'text', text: JSON.stringify(answer) }] })
const given = (answer: object): Reply => ({
  status: 200,
  contentType: 'text/event-stream',
  body: `data: ${JSON.stringify({ jsonrpc: '2.0', id: 'key', result: resultOf(answer) })}\n\n`,
})

describe('a key', () => {
  test('is not asked for where it could not be kept', async () => {
    await writeFile(join(folder, 'inside'), '')
    const { keys, asked } = ring(() => given(claim))
    await expect(keys.key(true)).rejects.toThrow(`${file} cannot be written (ENOTDIR)`)
    expect(asked()).toBe(0)
  })

  test.runIf(process.platform === 'linux')(
    'is refused a place where the system makes no folders',
    async () => {
      await expect(keepKey('/proc/none/inside/key.json', kept)).rejects.toThrow(KeyFileUnusable)
    },
  )

  test('is got when it is first needed, once, and kept', async () => {
    const { keys, said, asked } = ring(() => given(claim))
    expect(await keys.key(false)).toBeUndefined()
    expect(asked()).toBe(0)
    expect(await Promise.all([keys.key(true), keys.key(true)])).toEqual(['ab_one', 'ab_one'])
    expect(await keys.key(false)).toBe('ab_one')
    expect(asked()).toBe(1)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(kept)
    expect(said).toHaveLength(1)
    expect(said[0]).toContain(file)
    expect(said[0]).not.toMatch(/ab_one|act_one|claim\/x/)
  })

  test('that is known is asked for nowhere', async () => {
    const { keys, asked } = ring(() => given(claim), 'ab_own')
    expect(await keys.key(true)).toBe('ab_own')
    expect(asked()).toBe(0)
  })

  const refusal = { detail: 'Too many\nregistrations.', code: 'rate_limited' }
  test.each([
    [
      'a refusal',
      {
        status: 200,
        contentType: 'application/json',
        body: JSON.stringify({
          result: { isError: true, content: [{ text: JSON.stringify(refusal) }] },
        }),
      },
      'Too many registrations.',
    ],
    ['a page', { status: 404, contentType: 'text/html', body: '<html>' }, 'HTTP status 404'],
    ['half a claim', given({ api_key: 'ab_one' }), 'HTTP status 200'],
    ['what is no key', given({ ...claim, api_key: 'ab_\r\nX: y' }), 'HTTP status 200'],
  ])('is not had from %s, and is asked for again', async (_, reply, said) => {
    let answer: Reply = reply
    const { keys } = ring(() => answer)
    await expect(keys.key(true)).rejects.toThrow(said)
    answer = given(claim)
    expect(await keys.key(true)).toBe('ab_one')
  })

  test('is obtained with an invitation code, and without one the error asks for it', async () => {
    const closed = {
      detail: 'By invitation only.',
      code: 'sign_up_closed',
      hint: 'Ask the operator of this server (ops@example.org).',
    }
    const result = { isError: true, content: [{ text: JSON.stringify(closed) }] }
    const body = JSON.stringify({ result })
    const { keys } = ring(() => ({ status: 200, contentType: 'application/json', body }))
    await expect(keys.key(true)).rejects.toThrow(
      `No key could be obtained from ${service}: By invitation only. Ask the operator of this server (ops@example.org). Set ABODE_INVITATION to an invitation code. Set ABODE_KEY to use your own key.`,
    )
    const invited = ring(() => given(claim), undefined, 'inv_code')
    expect(await invited.keys.key(true)).toBe('ab_one')
    expect(invited.sent.join()).toContain('"invitation":"inv_code"')
  })
})
