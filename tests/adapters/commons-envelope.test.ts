import * as fc from 'fast-check'
import { METHODS, request as httpRequest, type IncomingMessage } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import * as z from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { standingNotice } from '#src/core/commons/notice.ts'
import { answer } from '#src/core/answer.ts'
import { refuse } from '#src/core/errors.ts'
import { isOfCommons } from '#src/core/operation-facts.ts'
import { operation, type Operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf } from '#src/core/page.ts'
import { memberOf } from '#tests/support/members.ts'
import { askerOf } from '#tests/support/world.ts'
import { lastingWindow } from '#tests/support/rest/windows.ts'
import { sending, serving, type Serving } from './serve.ts'
import { wrongToken } from '#tests/support/doors/challenge.ts'

/** What comes back under `/api/commons`; its form is what these tests are about. */
interface Envelope {
  ok: boolean
  data: Record<string, unknown> | null
  error: {
    code: string
    message: string
    details: { errors?: { pointer: string; code: string }[]; left?: number } | null
    retry_after_s: number | null
    hint: string | null
    docs_url: string
    request_id: string
  } | null
  notice: string
  meta?: { request_id: string; next_cursor?: string | null }
}

const successMembers = ['ok', 'data', 'error', 'notice', 'meta']
const refusalMembers = ['ok', 'data', 'error', 'notice']
const errorMembers = [
  'code',
  'message',
  'details',
  'retry_after_s',
  'hint',
  'docs_url',
  'request_id',
]

/** Parses it, and holds it against what is always so. */
function enveloped(sent: string, headers: (name: string) => string | null, url: string): Envelope {
  expect(headers('content-type')).toBe('application/json; charset=utf-8')
  // Its form is checked right here.
  const envelope = JSON.parse(sent) as Envelope
  expect(envelope.notice.length).toBeGreaterThan(0)
  expect(Object.keys(envelope)).toEqual(envelope.ok ? successMembers : refusalMembers)
  const { error, data, meta } = envelope
  if (envelope.ok) {
    expect(error).toBe(null)
    expect(data).not.toBe(null)
    expect(meta?.request_id).toBe(headers('x-request-id'))
    return envelope
  }
  expect(data).toBe(null)
  expect(Object.keys(error ?? {})).toEqual(errorMembers)
  expect(error?.message).toBeTruthy()
  expect(error?.hint).toBeTruthy()
  expect(error?.docs_url).toBe(`${url}/commons/errors.md#${error?.code}`)
  expect(error?.request_id).toBe(headers('x-request-id'))
  const waits = headers('retry-after')
  expect(error?.retry_after_s).toBe(waits === null ? null : Number(waits))
  return envelope
}

const open = { auth: 'none', toolsets: [], refuses: [], limits: [], example: {} } as const
const sly = ',"next_cursor":"c2x5"}'
const items = [{ id: 'a', body: `${sly}${'All work and no play. '.repeat(100)}` }]

function get(name: string, more: Partial<Operation> = {}): Operation {
  return operation({
    ...open,
    name: `commons.${name}`,
    summary: 'Answer in some way.',
    http: { method: 'GET', path: `/api/commons/${name}` },
    input: z.strictObject({}),
    output: z.looseObject({}),
    run: () => ({ id: 'a' }),
    ...more,
  })
}

/** Operations that answer and fail in each way that one can. */
const echoes: readonly Operation[] = [
  get('pages', {
    input: z.strictObject(pageInput),
    output: pageOf(z.looseObject({})),
    run: (input) => pageAnswer([JSON.stringify(items[0])], input['cursor'] ? null : 'bmV4dA'),
  }),
  get('found', {
    output: z.object({ items: z.array(z.looseObject({})), next_cursor: z.null(), meant: z.any() }),
    run: () => answer({ items, next_cursor: null, meant: [sly] }),
  }),
  get('whole', { run: () => answer({ body: sly, next_cursor: 'its own' }) }),
  get('told', {
    http: { method: 'POST', path: '/api/commons/told', status: 201 },
    run: (_, { commit }) => commit({ id: 'a' }, [], { notice: 'A moderator "holds" it.' }),
  }),
  get('secret', { secret: true, run: () => ({ token: 'a'.repeat(5000) }) }),
  get('limited', {
    http: { method: 'POST', path: '/api/commons/limited' },
    limits: ['votes'],
  }),
  get('broken', {
    run: () => {
      throw new Error('a detail of the inside')
    },
  }),
  get('away', { run: () => refuse('unavailable', 'Away.', { retryAfterSeconds: 3.2 }) }),
  get('gone', { run: () => refuse('unavailable', 'Away.') }),
  get('room', { run: () => refuse('consent_required', 'Wait.', { members: { left: 0 } }) }),
]

let server: Serving
let token: string
beforeAll(async () => {
  const env = {
    ABODE_POW_BITS: '2',
    ABODE_RATE_LIMITS: `votes=1/${lastingWindow()},identities=off`,
  }
  server = await serving(env, [...catalog, ...echoes])
  token = (await memberOf(askerOf(server.abode.core))).token
})
afterAll(() => server[Symbol.asyncDispose]())

async function ask(path: string, init?: RequestInit) {
  const response = await fetch(`${server.url}${path}`, init)
  const header = (name: string): string | null => response.headers.get(name)
  const envelope = enveloped(await response.text(), header, server.url)
  return { status: response.status, header, ...envelope }
}

async function refused(path: string, init?: RequestInit) {
  const { status, error, header } = await ask(path, init)
  if (!error) throw new Error(`${path} was not refused`)
  return { status, header, ...error }
}

describe('an answer of the Commons', () => {
  it('is the resource, with a notice and the id of the request', async () => {
    const { status, data, notice } = await ask('/api/commons/challenge')
    expect([status, data?.['bits'], notice]).toEqual([200, 2, standingNotice])
  })

  it('of a list has the cursor in meta, and the items unchanged', async () => {
    const first = await ask('/api/commons/pages')
    expect(first.data).toEqual({ items })
    expect(first.meta?.next_cursor).toBe('bmV4dA')
    const last = await ask(`/api/commons/pages?cursor=${first.meta?.next_cursor}`)
    expect(last.data).toEqual({ items })
    expect(last.meta?.next_cursor).toBe(null)
  })

  it('of a list may have more than items', async () => {
    const { data, meta } = await ask('/api/commons/found')
    expect(data).toEqual({ items, meant: [sly] })
    expect(meta?.next_cursor).toBe(null)
  })

  it('that is no list keeps what it has', async () => {
    const { data, meta } = await ask('/api/commons/whole')
    expect(data).toEqual({ body: sly, next_cursor: 'its own' })
    expect(meta).not.toHaveProperty('next_cursor')
  })

  it('says what its author should know, again when it is repeated', async () => {
    const headers = { 'idempotency-key': 'told-once' }
    for (const _ of [1, 2]) {
      const { status, notice } = await ask('/api/commons/told', { method: 'POST', headers })
      expect([status, notice]).toEqual([201, 'A moderator "holds" it.'])
    }
  })

  it('keeps its tag while the id of the request differs', async () => {
    const first = await ask('/api/commons/boards')
    const tag = first.header('etag') ?? ''
    expect(tag).toMatch(/^W\/"/)
    const again = await ask('/api/commons/boards')
    expect(again.header('etag')).toBe(tag)
    expect(again.meta?.request_id).not.toBe(first.meta?.request_id)
    const known = { headers: { 'if-none-match': tag } }
    const response = await fetch(`${server.url}/api/commons/boards`, known)
    expect([response.status, await response.text()]).toEqual([304, ''])
  })

  it('is compressed, but for secrets', async () => {
    const encodingOf = async (path: string): Promise<[string | undefined, string]> => {
      const { headers, body } = await raw('GET', path, { 'accept-encoding': 'br' })
      const plain = headers['content-encoding'] ? brotliDecompressSync(body) : body
      return [headers['content-encoding'], plain.toString()]
    }
    const [encoding, page] = await encodingOf('/api/commons/pages')
    expect(encoding).toBe('br')
    expect(JSON.parse(page)).toMatchObject({ ok: true, data: { items } })
    expect((await encodingOf('/api/commons/secret'))[0]).toBe(undefined)
  })

  it('says how the limit stands', async () => {
    const { header } = await ask('/api/commons/boards?')
    const challenge = await ask('/api/commons/challenge')
    expect(header('ratelimit')).toMatch(/^"anonymous_reads";r=/)
    expect(challenge.header('ratelimit-policy')).toMatch(/^"challenges";q=/)
  })

  it('to HEAD is its headers alone', async () => {
    const { status, headers, body } = await raw('HEAD', '/api/commons/boards')
    expect([status, body.length]).toEqual([200, 0])
    expect(Number(headers['content-length'])).toBeGreaterThan(100)
    const missing = await raw('HEAD', '/api/commons/nothing')
    expect([missing.status, missing.body.length]).toEqual([404, 0])
    expect(missing.headers['content-type']).toMatch(/^application\/json/)
  })

  it('to OPTIONS is what the address takes', async () => {
    const { status, headers, body } = await raw('OPTIONS', '/api/commons/identities')
    expect([status, body.length, headers.allow]).toEqual([204, 0, 'OPTIONS, POST'])
    expect((await refused('/api/commons/nothing', { method: 'OPTIONS' })).code).toBe('not_found')
  })
})

describe('a refusal of the Commons', () => {
  it('of a wrong path names the nearest', async () => {
    const { status, code, hint } = await refused('/api/commons/board')
    expect([status, code]).toEqual([404, 'not_found'])
    expect(hint).toContain('/api/commons/boards')
    for (const path of [
      '/api/commons',
      '/api/commons/',
      '/api/commons/mcp/x',
      '/api/commons/%00',
    ]) {
      expect(await refused(path)).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  it('of a wrong method names the right ones', async () => {
    const { status, code, header } = await refused('/api/commons/boards', { method: 'DELETE' })
    expect([status, code, header('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD, OPTIONS',
    ])
  })

  it('of a body says what is wrong with it', async () => {
    const post = (body: string, headers = {}) =>
      refused('/api/commons/identities', sending('POST', body, headers))
    for (const body of ['{"a":', '', '[]', 'null', '{"__proto__": 1}', '['.repeat(40)]) {
      expect(await post(body), body).toMatchObject({ status: 400, code: 'bad_json' })
    }
    const deep = `{"a":${'['.repeat(40)}${']'.repeat(40)}}`
    expect(await post(deep)).toMatchObject({ status: 400, code: 'bad_json' })
    const large = JSON.stringify({ challenge: 'a'.repeat(2 ** 20) })
    expect(await post(large)).toMatchObject({ status: 413, code: 'payload_too_large' })
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=latin1' },
      { 'content-encoding': 'gzip' },
    ]) {
      const { status, code } = await post('{}', headers)
      expect([status, code]).toEqual([415, 'unsupported_media_type'])
    }
  })

  it('of an input names every fault by its pointer', async () => {
    const invalid = await refused('/api/commons/identities', sending('POST', { counter: 7 }))
    expect([invalid.status, invalid.code]).toEqual([422, 'invalid_input'])
    const pointers = invalid.details?.errors?.map(({ pointer }) => pointer)
    expect(pointers?.toSorted()).toEqual(['/challenge', '/counter'])
    const both = { challenge: 'a', counter: '1' }
    const extra = sending('POST', { ...both, countr: '1' })
    const unknown = await refused('/api/commons/identities', extra)
    expect([unknown.status, unknown.code]).toEqual([422, 'unknown_field'])
    expect(unknown.details?.errors).toMatchObject([{ pointer: '/countr' }])
    const meant = await refused('/api/commons/identities', sending('POST', { countr: '1' }))
    expect(meant.details?.errors).toContainEqual(
      expect.objectContaining({ pointer: '/countr', suggestion: 'counter' }),
    )
    expect((await refused('/api/commons/identities', sending('POST', both))).details).toBe(null)
  })

  it('carries the further details of the operation', async () => {
    expect((await refused('/api/commons/room')).details).toEqual({ left: 0 })
  })

  it('of a credential is in the words of the Commons', async () => {
    const rotate = (authorization?: string) =>
      refused('/api/commons/identities/rotate', {
        method: 'POST',
        ...(authorization && { headers: { authorization } }),
      })
    const missing = await rotate()
    expect([missing.status, missing.code]).toEqual([401, 'missing_token'])
    expect(missing.header('www-authenticate')).toMatch(/^Bearer resource_metadata=/)
    const wrong = await rotate('Bearer cmn_nonsense')
    expect([wrong.status, wrong.code]).toEqual([401, 'invalid_token'])
    expect(wrong.header('www-authenticate')).toEqual(wrongToken)
    const { api_key } = await askerOf(server.abode.core).ask<{ api_key: string }>(
      'agent_claim.create',
      {},
    )
    expect(await rotate(`Bearer ${api_key}`)).toMatchObject({ status: 403, code: 'forbidden' })
  })

  it('of what is asked for besides says so', async () => {
    const rotate = (headers: Record<string, string>) =>
      refused('/api/commons/identities/rotate', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...headers },
      })
    const key = await rotate({ 'idempotency-key': 'k'.repeat(256) })
    expect([key.status, key.code]).toEqual([400, 'idempotency_key_invalid'])
    const expected = await rotate({ 'if-match': 'nonsense' })
    expect([expected.status, expected.code]).toEqual([412, 'revision_mismatch'])
    // Nothing here has a revision, so that naming one is always a mismatch.
    const revision = await rotate({ 'if-match': '"77"' })
    expect([revision.status, revision.code]).toEqual([412, 'revision_mismatch'])
    const accept = await rotate({ accept: 'text/html' })
    expect([accept.status, accept.code]).toEqual([406, 'not_acceptable'])
    const escape = await refused('/api/commons/identities/%E0%A4%A')
    expect([escape.status, escape.code]).toEqual([400, 'bad_address'])
    const query = await refused('/api/commons/boards?q=%zz')
    expect([query.status, query.code]).toEqual([400, 'bad_address'])
  })

  it('is the envelope also where problem details are asked for', async () => {
    const headers = { accept: 'application/problem+json' }
    const { status, code } = await refused('/api/commons/nothing', { headers })
    expect([status, code]).toEqual([404, 'not_found'])
    expect((await ask('/api/commons/boards', { headers })).ok).toBe(true)
  })

  it('comes without a Host too', async () => {
    const sent = await server.raw('GET /api/commons/boards HTTP/1.1\r\nConnection: close\r\n\r\n')
    const [head = '', body = ''] = sent.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
    const lines = new Map(
      head.split('\r\n').map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const { error } = enveloped(body, (name) => lines.get(name) ?? null, server.url)
    expect(error?.code).toBe('bad_request')
  })

  it('of a limit says how long to wait, as the header does', async () => {
    const post = { method: 'POST' }
    expect((await ask('/api/commons/limited', post)).status).toBe(200)
    const { status, code, retry_after_s, header } = await refused('/api/commons/limited', post)
    expect([status, code]).toEqual([429, 'rate_limited'])
    expect(retry_after_s).toBeGreaterThan(0)
    expect(header('retry-after')).toBe(String(retry_after_s))
    expect(header('ratelimit')).toMatch(/^"votes";r=0;t=/)
  })

  it('of an outage and of a fault of the server reveals nothing internal', async () => {
    expect(await refused('/api/commons/away')).toMatchObject({ status: 503, retry_after_s: 4 })
    const gone = await refused('/api/commons/gone')
    expect(gone).toMatchObject({ status: 503, code: 'unavailable', retry_after_s: 2 })
    const broken = await refused('/api/commons/broken')
    expect([broken.status, broken.code]).toEqual([500, 'internal_error'])
    expect(JSON.stringify(broken)).not.toContain('inside')
  })

  it('comes from a store that is gone', async () => {
    await using down = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
    await down.abode.ports.store.close()
    const response = await fetch(`${down.url}/api/commons/identities/someone`)
    const header = (name: string): string | null => response.headers.get(name)
    const { error } = enveloped(await response.text(), header, down.url)
    expect([response.status, error?.code]).toEqual([503, 'unavailable'])
  })
})

describe('the envelope', () => {
  it('is under /api/commons alone, and every operation of the Commons is there', async () => {
    for (const op of catalog) {
      expect([op.name, op.http.path.startsWith('/api/commons/')]).toEqual([
        op.name,
        isOfCommons(op),
      ])
    }
    for (const path of ['/api/commonsense', '/api/Commons/boards', '/api/limits']) {
      const { body } = await server.ask(path)
      expect(body).not.toHaveProperty('ok')
    }
  })

  it('is not what the doors there speak', async () => {
    const headers = { accept: 'application/json, text/event-stream' }
    for (const path of ['/api/commons/a2a', '/api/commons/mcp']) {
      const body = { jsonrpc: '2.0', id: 1, method: 'ping' }
      const { text: sent } = await server.ask(path, sending('POST', body, headers))
      expect(sent).toContain('"jsonrpc":"2.0"')
      const zipped = sending('POST', body, { ...headers, 'content-encoding': 'gzip' })
      const { text: fault } = await server.ask(path, zipped)
      expect(fault).toContain('"jsonrpc":"2.0"')
    }
  })

  it('wraps the answer for any path, method and body', async () => {
    const known = ['boards', 'challenge', 'identities', 'rotate', 'threads', 'votes', 'me', 'x']
    const segment = fc.oneof(
      fc.constantFrom(...known),
      fc.stringMatching(/^[\x21\x24-\x2e\x30-\x3e\x40-\x7e]{0,12}$/),
      fc.constantFrom('%', '%zz', '%ff', '%00', '%2e%2e', '..', '%F0%9F%A6%8A', 'thr_1', '{id}'),
    )
    const request = fc.record({
      path: fc.array(segment, { maxLength: 4 }).map((parts) => parts.join('/')),
      query: fc.oneof(fc.constant(''), fc.stringMatching(/^\?[\x21\x24-\x7e]{0,20}$/)),
      method: fc.oneof(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
        fc.constantFrom(...METHODS.filter((method) => method !== 'CONNECT')),
      ),
      body: fc.option(fc.oneof(fc.string(), fc.json(), fc.uint8Array({ maxLength: 60 }))),
      headers: fc.record(
        {
          accept: fc.constantFrom('*/*', 'text/html', 'application/problem+json', 'text/x;q=0', ''),
          'content-type': fc.constantFrom(
            'application/json',
            'text/plain',
            'multipart/x',
            ';',
            'a',
          ),
          'content-encoding': fc.constantFrom('gzip', 'identity', 'nonsense'),
          'idempotency-key': fc.stringMatching(/^[\x20-\x7e]{0,20}$/),
          'if-match': fc.constantFrom('*', '"1"', 'x'),
          'if-none-match': fc.constantFrom('*', '"1"', 'x'),
          authorization: fc.constantFrom('Bearer cmn_x', 'Basic x', `Bearer ${token}`, ''),
          'x-request-id': fc.constantFrom('"', '\\', 'a b', 'id-1'),
        },
        { requiredKeys: [] },
      ),
    })
    await fc.assert(
      fc.asyncProperty(request, async ({ path, query, method, body, headers }) => {
        const at = `/api/commons/${path}${query}`
        if (/^\/api\/commons\/(mcp|a2a)\/?(\?|$)/.test(at)) return
        const sent = body === null ? undefined : Buffer.from(body)
        const { status, headers: got, body: received } = await raw(method, at, headers, sent)
        expect(status).not.toBe(500)
        if (method === 'HEAD' || status === 204 || status === 304) {
          expect(received.length).toBe(0)
          return
        }
        const header = (name: string): string | null => got[name]?.toString() ?? null
        const { ok } = enveloped(received.toString(), header, server.url)
        expect(ok).toBe(status < 400)
      }),
      { numRuns: 400 },
    )
  })
})

/** A request that fetch would not send, or whose answer it would unpack. */
async function raw(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Buffer,
) {
  const length = body && { 'content-length': body.length }
  const whole = { ...headers, ...length }
  const sent = httpRequest({ host: '127.0.0.1', port: server.port, path, method, headers: whole })
  sent.end(body)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
  })
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(Buffer.from(chunk))
  return {
    status: response.statusCode ?? 0,
    headers: response.headers as Record<string, string | undefined>,
    body: Buffer.concat(chunks),
  }
}
