import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import type { Run } from '#src/runs/run.ts'
import { lastingWindow } from '#tests/support/rest/windows.ts'
import { serving, type Serving } from '../serve.ts'

const secret = 'Schlüssel 🔑'
const sign = (bytes: string | Uint8Array): string =>
  createHmac('sha256', secret).update(bytes).digest('hex')

type Headers = Record<string, string>

let server: Serving
let key = ''
let charId: string

beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off', ABODE_QUOTAS: 'off' }, catalog)
  key = (await json<{ api_key: string }>('/api/agent-claim', {})).api_key
  const trigger = (path: string, more: object = {}) => ({
    type: 'webhook',
    config: { path, ...more },
  })
  const task = (task_id: string, triggers: object[]) => ({
    task_id,
    name: task_id,
    runtime: 'template',
    triggers,
  })
  charId = 'ada'
  const tasks = [
    task('guarded', [trigger('guarded', { secret })]),
    task('deep', [trigger('orders/new/éu')]),
    task('slashed', [trigger('/slashed/')]),
    task('open', [trigger('open')]),
    task('slack', [trigger('slack', { verify: 'slack', secret })]),
  ]
  await json('/api/characters/', { id: charId, name: 'Ada', heart: { tasks } })
})
afterAll(() => server[Symbol.asyncDispose]())

async function json<T>(path: string, body: unknown): Promise<T> {
  const headers: Headers = { 'content-type': 'application/json' }
  if (key) headers['authorization'] = `Bearer ${key}`
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  // The test knows what it asks for.
  return (await response.json()) as T
}

/** A call of a hook, with these very bytes. */
async function call(path: string, body?: string | Uint8Array, headers: Headers = {}) {
  const sent = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(`${server.url}/api/hooks/${charId}/${path}`, {
    method: 'POST',
    headers: { ...sent, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : Buffer.from(body) }),
  })
  const answer = (await response.json()) as { runs?: string[]; code?: string }
  return { status: response.status, headers: response.headers, ...answer }
}

async function inputOf(runs: string[] | undefined): Promise<unknown> {
  const response = await fetch(`${server.url}/api/runs/${runs?.[0]}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return ((await response.json()) as Run).input
}

describe('the signature of a hook', () => {
  const bodies: [string, string, unknown][] = [
    ['with spaces and line ends', '{ "a" :\r\n\t1 , "b":[ ] }\n', { a: 1, b: [] }],
    ['with letters of many bytes', '{"city":"Zürich 🏔"}', { city: 'Zürich 🏔' }],
    ['with escapes', '{"city":"Z\\u00fcrich\\/\\n"}', { city: 'Zürich/\n' }],
    ['with members twice and in no order', '{"b":1,"a":2,"b":3}', { b: 3, a: 2 }],
    ['with a number that is written at length', '{"a":1.50e1}', { a: 15 }],
    ['that is no object', '[1,"two",null]', [1, 'two', null]],
    ['that is a text', '"hello"', 'hello'],
    // Kept as every text is, and signed as it was sent.
    ['in another normal form', '"e\u0301"', '\u00e9'],
    ['behind a byte order mark', '\ufeff{"a":1}', { a: 1 }],
  ]
  it.each(bodies)('is over the bytes of a body %s', async (_, body, input) => {
    const signed = await call('guarded', body, { 'X-Service-Signature': sign(body) })
    expect(signed).toMatchObject({ status: 202, runs: [expect.any(String)] })
    expect(await inputOf(signed.runs)).toEqual(input)
  })

  it('is over nothing where there is no body', async () => {
    const signed = await call('guarded', undefined, { 'X-Service-Signature': sign('') })
    expect(signed.status).toBe(202)
    expect(await inputOf(signed.runs)).toBeNull()
  })

  const body = '{"order":17}'
  const wrong: [string, string | undefined][] = [
    ['absent', undefined],
    ['empty', ''],
    ['of the same JSON in other bytes', sign('{"order": 17}')],
    ['in capitals', sign(body).toUpperCase()],
    ['behind the name of its algorithm', `sha256=${sign(body)}`],
    ['with something behind it', `${sign(body)}0`],
    ['cut', sign(body).slice(0, -1)],
    ['in base64', Buffer.from(sign(body), 'hex').toString('base64')],
    ['under another secret', createHmac('sha256', 'other').update(body).digest('hex')],
    ['of the mask', createHmac('sha256', '***').update(body).digest('hex')],
    ['sent twice', `${sign(body)}, ${sign(body)}`],
  ]
  it.each(wrong)('that is %s starts nothing', async (_, signature) => {
    const before = await runsOf('guarded')
    const headers: Headers = signature === undefined ? {} : { 'X-Service-Signature': signature }
    const refused = await call('guarded', body, headers)
    expect(refused).toMatchObject({ status: 401, code: 'signature_invalid' })
    expect(await runsOf('guarded')).toBe(before)
  })

  it('counts in its header alone', async () => {
    expect(await call(`guarded?signature=${sign(body)}`, body)).toMatchObject({ status: 401 })
  })
})

async function runsOf(taskId: string): Promise<number> {
  const response = await fetch(
    `${server.url}/api/characters/${charId}/tasks/${taskId}/runs?limit=100`,
    { headers: { authorization: `Bearer ${key}` } },
  )
  return ((await response.json()) as { items: unknown[] }).items.length
}

describe('the path of a hook', () => {
  it.each([
    'orders/new/%C3%A9u',
    'orders/new/%C3%A9u/',
    'orders%2Fnew%2F%C3%A9u',
    // The same letter in its other form.
    'orders/new/e%CC%81u',
    'slashed',
    '/slashed/',
  ])('may be written as %s', async (path) => {
    expect(await call(path, '{}')).toMatchObject({ status: 202, runs: [expect.any(String)] })
  })

  it.each(['orders', 'orders/new', 'orders/new/éu/more', 'ORDERS/new/éu', 'nothing'])(
    'that is %s belongs to no agent',
    async (path) => {
      expect(await call(path, '{}')).toMatchObject({ status: 404, code: 'hook_not_found' })
    },
  )

  it('is needed', async () => {
    for (const address of ['/api/hooks/ada', '/api/hooks/ada/', '/api/hooks']) {
      const response = await fetch(server.url + address, { method: 'POST' })
      expect(response.status, address).toBe(404)
    }
  })

  it('answers to POST alone', async () => {
    const response = await fetch(`${server.url}/api/hooks/ada/orders/new/x`)
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toContain('POST')
  })

  it('of more than 200 characters is refused', async () => {
    expect(await call('x'.repeat(200), '{}')).toMatchObject({ status: 404 })
    expect(await call('x'.repeat(201), '{}')).toMatchObject({ status: 422 })
  })
})

describe('the body of a hook', () => {
  it('may be text, of any kind', async () => {
    const body = 'Grüße,\r\n  zwei Zeilen \n'
    for (const type of ['text/plain', 'text/plain; charset=utf-8', 'text/csv']) {
      const taken = await call('open', body, { 'content-type': type })
      expect(taken.status).toBe(202)
      expect(await inputOf(taken.runs)).toBe(body.normalize())
    }
  })

  it('that is text is not held to the bounds of JSON', async () => {
    const body = '['.repeat(60_000)
    const taken = await call('open', body, { 'content-type': 'text/plain' })
    expect(taken.status).toBe(202)
  })

  it('that says JSON is JSON', async () => {
    expect(await call('open', '{"a":')).toMatchObject({ status: 400, code: 'bad_json' })
    expect(await call('open', '{"__proto__":1}')).toMatchObject({ status: 400, code: 'bad_json' })
    expect(await call('open', '[1]', { 'content-type': 'application/vnd.x+json' })).toMatchObject({
      status: 202,
    })
  })

  it('is UTF-8', async () => {
    const bytes = Uint8Array.of(0x22, 0xff, 0x22)
    for (const type of ['application/json', 'text/plain']) {
      const refused = await call('open', bytes, { 'content-type': type })
      expect(refused).toMatchObject({ status: 400, code: 'bad_json' })
    }
    const latin = { 'content-type': 'text/plain; charset=iso-8859-1' }
    expect(await call('open', 'x', latin)).toMatchObject({ status: 415 })
  })

  describe('that is a form without files', () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    it.each([
      [
        'token=x&command=%2Fask&text=how+are%20you%3F',
        { token: 'x', command: '/ask', text: 'how are you?' },
      ],
      ['a=1&a=2&b=&c&&=x', { a: ['1', '2'], b: '', c: '', '': 'x' }],
      ['t=%F0%9F%98%80&u=z%C3%BC+z%2B%3D%26', { t: '😀', u: 'zü z+=&' }],
      ['payload=%7B%22a%22%3A1%7D', { payload: '{"a":1}' }],
    ])('is read as its fields: %s', async (body, fields) => {
      const { status, runs } = await call('open', body, form)
      expect(status).toBe(202)
      expect(await inputOf(runs)).toEqual(fields)
    })

    it.each([
      ['a=%FF', 400, 'bad_json'],
      ['a=%', 400, 'bad_json'],
      ['__proto__=x', 400, 'bad_json'],
      ['a=1&'.repeat(1000), 413, 'payload_too_large'],
    ])('is refused where it cannot be: %s', async (body, status, code) => {
      expect(await call('open', body, form)).toMatchObject({ status, code })
    })

    it('of Slack starts its task, signed over the bytes of the form', async () => {
      const body = 'token=x&command=%2Fask&text=now&response_url=https%3A%2F%2Fx.example%2F'
      const time = String(Math.floor(Date.now() / 1000))
      const signed = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')
      const headers = {
        ...form,
        'x-slack-request-timestamp': time,
        'x-slack-signature': `v0=${signed}`,
      }
      const { status, runs } = await call('slack', body, headers)
      expect(status).toBe(202)
      expect(await inputOf(runs)).toMatchObject({ command: '/ask', text: 'now' })
      expect(await call('slack', `${body}x`, headers)).toMatchObject({ status: 401 })
    })
  })

  it('of another type is refused', async () => {
    for (const type of ['application/octet-stream', 'multipart/form-data; boundary=x']) {
      expect(await call('open', 'a=1', { 'content-type': type })).toMatchObject({ status: 415 })
    }
  })

  it('is 1 MB at most where it is signed, and 64 KiB from anybody', async () => {
    const plain = { 'content-type': 'text/plain' }
    const anybodys = 'x'.repeat(2 ** 16)
    expect(await call('open', anybodys, plain)).toMatchObject({ status: 202 })
    expect(await call('open', `${anybodys}x`, plain)).toMatchObject({ status: 413 })
    const whole = 'x'.repeat(2 ** 20)
    const signed = (text: string) => ({ ...plain, 'x-service-signature': sign(Buffer.from(text)) })
    expect(await call('guarded', whole, signed(whole))).toMatchObject({ status: 202 })
    expect(await call('guarded', `${whole}x`, signed(`${whole}x`))).toMatchObject({ status: 413 })
  })

  it('is no larger with a signature that the hook does not ask for', async () => {
    const text = 'x'.repeat(2 ** 16 + 1)
    const headers = { 'content-type': 'text/plain', 'x-service-signature': sign(Buffer.from(text)) }
    expect(await call('open', text, headers)).toMatchObject({
      status: 413,
      code: 'payload_too_large',
    })
  })

  it.each([
    ['is read whole', JSON.stringify({ text: 'ü'.repeat(50_000) }), 202],
    ['is held to the bounds of JSON', `${'['.repeat(60_000)}${' '.repeat(60_000)}`, 400],
  ])('%s where it comes in pieces', async (_, body, wanted) => {
    const bytes = Buffer.from(body)
    const headers = {
      'content-type': 'application/json',
      'x-service-signature': sign(bytes),
      'transfer-encoding': 'chunked',
    }
    const path = `${server.url}/api/hooks/ada/guarded`
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(path, { method: 'POST', headers }, (response) => {
        text(response).then(() => resolve(response.statusCode), reject)
      })
      sending.on('error', reject)
      // Cut in the middle of a letter.
      sending.write(bytes.subarray(0, 1001))
      sending.write(bytes.subarray(1001, 60_000))
      sending.end(bytes.subarray(60_000))
    })
    expect(status).toBe(wanted)
  })

  it('sent again under the same idempotency key starts nothing more', async () => {
    const again = { 'idempotency-key': 'one-order' }
    const first = await call('open', '{"order":1}', again)
    expect(await call('open', '{"order":1}', again)).toMatchObject({
      status: 202,
      runs: first.runs,
    })
    expect(await call('open', '{"order":2}', again)).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    })
  })
})

describe('the doors of agents', () => {
  it('have no hooks', async () => {
    const rpc = async (path: string, method: string, params: object) => {
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      return text(response.body ?? new ReadableStream())
    }
    const input = { char_id: 'ada', path: 'open', body: {} }
    const before = await runsOf('open')
    expect(await rpc('/a2a', 'hooks.receive', input)).toContain('-32601')
    const tool = { name: 'hooks_receive', arguments: input }
    expect(await rpc('/mcp', 'tools/call', tool)).toContain('hooks_receive')
    expect(await rpc('/mcp', 'tools/list', {})).not.toContain('hooks_receive')
    expect(await runsOf('open')).toBe(before)
  })

  it('learn by search that they are of REST alone', async () => {
    const response = await fetch(`${server.url}/api/operations?q=webhook&limit=20`)
    const { items } = (await response.json()) as { items: { name: string; tool: string | null }[] }
    expect(items.find(({ name }) => name === 'hooks.receive')).toMatchObject({ tool: null })
  })
})

describe('calls of hooks', () => {
  it.each([
    ['without a key', {}],
    ['with a key that opens nothing', { authorization: `Bearer ab_${'0'.repeat(38)}` }],
    ['with a signature of nothing', { 'x-service-signature': 'a'.repeat(64) }],
  ])('are counted by address where nothing listens, %s', async (_, headers: Headers) => {
    await using limited = await serving(
      { ABODE_RATE_LIMITS: `writes=3/${lastingWindow()}` },
      catalog,
    )
    const told: [number, boolean][] = []
    for (let i = 0; i < 4; i++) {
      // Another path each time, as a scan for existing hooks would send.
      const at = `${limited.url}/api/hooks/absent-${i}/x`
      const response = await fetch(at, { method: 'POST', body: '{}', headers })
      told.push([response.status, response.headers.has('retry-after')])
    }
    const missed = [404, false]
    expect(told).toEqual([missed, missed, missed, [429, true]])
  })
})

describe('the OpenAPI document', () => {
  it('shows a hook with its header, and with a body of JSON or text', async () => {
    const { text: sent } = await server.ask('/openapi.agent.json')
    // The document is made by a library that the service trusts with its form.
    const { paths } = JSON.parse(sent) as { paths: Record<string, { post: object }> }
    expect(paths['/api/hooks/{char_id}/{path}']?.post).toMatchObject({
      'x-abode-rest-only': true,
      parameters: expect.arrayContaining([
        expect.objectContaining({ in: 'header', name: 'X-Service-Signature' }),
      ]),
      requestBody: { content: { 'application/json': {}, 'text/plain': {} } },
      responses: { 202: {}, 401: {}, 404: {} },
    })
  })
})
