import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gzipSync } from 'node:zlib'
import { sending, serving, type Serving } from './serve.ts'

let server: Serving
beforeAll(async () => {
  server = await serving()
})
afterAll(() => server[Symbol.asyncDispose]())

const heard = async (path: string, init?: RequestInit) => (await server.ask(path, init)).body.input
const sent = (body: unknown, headers?: Record<string, string>) =>
  server.ask('/api/echo', sending('POST', body, headers))
/** No client of the web sends a body with a GET. */
const readWithBody = (body: string) =>
  server.raw(
    'GET /api/echo/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  )

describe('the query', () => {
  it('becomes what the schema expects', async () => {
    const query = 'limit=5&ratio=-2.5e1&loud=1&tags=a,b&counts=1&counts=2&either=7'
    expect(await heard(`/api/echo/a?${query}`)).toEqual({
      id: 'a',
      limit: 5,
      ratio: -25,
      loud: true,
      tags: ['a,b'],
      counts: [1, 2],
      either: 7,
    })
    expect(await heard('/api/echo/7?loud=false&either=x')).toMatchObject({
      id: '7',
      loud: false,
      either: 'x',
    })
  })

  it.each([
    'limit=abc',
    'limit=',
    'limit=0x10',
    'limit=101',
    'limit=1&limit=2',
    'loud=yes',
    'counts=1&counts=x',
  ])('that does not is refused by the schema: %s', async (query) => {
    const { status, body } = await server.ask(`/api/echo/a?${query}`)
    expect(status).toBe(422)
    expect(body.code).toBe('invalid_input')
    expect(body.errors?.[0]?.pointer).toMatch(/^\/(limit|loud|counts)/)
  })

  it.each([
    ['limt', 'limit'],
    ['constructor', undefined],
    ['toString', undefined],
    ['x'.repeat(1000), undefined],
  ])('with a member that the operation does not have is refused: %s', async (name, suggestion) => {
    const { status, body } = await server.ask(`/api/echo/a?loud=true&${name}=1&${name}=2`)
    expect([status, body.code]).toEqual([422, 'invalid_input'])
    const fault = { pointer: `/${name}`, code: 'unknown_member' }
    expect(body.errors).toEqual([
      expect.objectContaining({ ...fault, ...(suggestion && { suggestion }) }),
    ])
  })

  it('names no member that came as what another one was meant to be', async () => {
    const { body } = await server.ask('/api/echo/a?limit=5&limt=1')
    const [fault] = body.errors ?? []
    expect(fault).toMatchObject({ pointer: '/limt', code: 'unknown_member' })
    expect(fault).not.toHaveProperty('suggestion')
  })

  it('with a member that no object may have is refused', async () => {
    const { status, body } = await server.ask('/api/echo/a?__proto__=x')
    expect([status, body.code]).toEqual([400, 'bad_json'])
  })

  it('may hold a key where none is needed, which changes nothing', async () => {
    const heardSo = await heard('/api/echo/a?api_key=ab_1&key=ab_1&token=ab_1')
    expect(heardSo).toEqual({ id: 'a', limit: 20, loud: false })
  })

  it('of a health check holds what its sender likes', async () => {
    expect(await heard('/api/any?limit=1&cache=no&__proto__=x')).toEqual({})
  })

  it.each([
    ['GET', '/api/echo/a?id=b', undefined, 'query'],
    ['GET', '/api/echo/a?id=a&id=a', undefined, 'query'],
    ['DELETE', '/api/echo/a?id=b', undefined, 'query'],
    ['PUT', '/api/kept/a?id=b', 1, 'query'],
    ['POST', '/api/echo/a/poke', { id: 'b' }, 'body'],
    ['POST', '/api/echo/a/poke', { id: null }, 'body'],
    ['GET', '/api/rooms/r/echo/a?room=s', undefined, 'query'],
  ])('or a body that names something else than the path is refused: %s %s', async (...sent) => {
    const [method, path, body, where] = sent
    const init = body === undefined ? { method } : sending(method, body)
    const { status, body: told } = await server.ask(path, init)
    expect([status, told.code]).toEqual([422, 'invalid_input'])
    const message = expect.stringMatching(new RegExp(`The path names ".", the ${where} `)) as string
    expect(told.errors).toMatchObject([{ code: 'id_fixed', message }])
    expect(told.hint).toContain(`out of the ${where}`)
  })

  it('or a body may name again what the path does', async () => {
    expect(await heard('/api/echo/7?id=7')).toMatchObject({ id: '7' })
    expect(await heard('/api/echo/%C3%A9?id=e%CC%81')).toMatchObject({ id: 'é' })
    const init = sending('POST', { id: 'a', why: 'x' })
    expect(await heard('/api/echo/a/poke', init)).toEqual({ id: 'a', why: 'x' })
    expect(await heard('/api/echo/7/poke', sending('POST', { id: 7 }))).toEqual({ id: '7' })
  })

  it('fills members that the body leaves out, and gives way to those it has', async () => {
    const init = sending('POST', { text: 'body' })
    expect(await heard('/api/echo?text=query&loud=true', init)).toEqual({
      text: 'body',
      loud: true,
    })
  })
})

describe('a body', () => {
  it('is JSON of any such type', async () => {
    expect((await sent({ text: 'a' })).status).toBe(201)
    expect((await sent({ text: 'a' }, { 'content-type': 'application/vnd.x+json' })).status).toBe(
      201,
    )
    const quoted = 'application/json; charset="UTF-8"'
    expect((await sent({ text: 'a' }, { 'content-type': quoted })).status).toBe(201)
    expect((await sent('\ufeff{"text":"é 😀"}')).body.input).toEqual({ text: 'é 😀' })
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/jsonx',
    'application/json/x',
  ])('of another type is refused: %s', async (type) => {
    const { status, body } = await sent({ text: 'a' }, { 'content-type': type })
    expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
  })

  it('without a type is refused', async () => {
    const body = new Blob(['{"text":"a"}'])
    expect((await server.ask('/api/echo', { method: 'POST', body })).status).toBe(415)
  })

  it('that is compressed is refused, regardless of its content', async () => {
    const body = gzipSync(Buffer.alloc(1e6, 32))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const { status, headers: back } = await server.ask('/api/echo', {
      method: 'POST',
      body,
      headers,
    })
    expect([status, back.get('accept-encoding')]).toEqual([415, 'identity'])
  })

  it.each([
    '{"text":',
    '{"text":"a"} x',
    "{'text':1}",
    '{"text":NaN}',
    '   ',
    '{"__proto__":{"a":1}}',
    '\u0000',
  ])('that is not JSON is refused: %s', async (text) => {
    const { status, body } = await sent(text)
    expect([status, body.code]).toEqual([400, 'bad_json'])
  })

  it.each(['[]', '[{"text":"a"}]', '"text"', '1', 'true', 'null'])(
    'that is no object is refused: %s',
    async (text) => {
      const { status, body } = await sent(text)
      expect([status, body.code]).toEqual([400, 'body_not_object'])
    },
  )

  it('that is not UTF-8 is refused, and one that holds U+FFFD is not', async () => {
    const headers = { 'content-type': 'application/json' }
    const bytes = Buffer.from([...Buffer.from('{"text":"'), 0xff, ...Buffer.from('"}')])
    const { status, body } = await server.ask('/api/echo', { method: 'POST', headers, body: bytes })
    expect([status, body.code]).toEqual([400, 'bad_json'])
    expect((await sent({ text: 'a\ufffdb' })).body.input).toEqual({ text: 'a\ufffdb' })
  })

  it('that is too large is refused by its length, and by its bytes where it names none', async () => {
    const { status, body } = await sent({ text: 'x'.repeat(3000) })
    expect([status, body.code]).toEqual([413, 'payload_too_large'])
    const large = `${(4096).toString(16)}\r\n${'x'.repeat(4096)}\r\n0\r\n\r\n`
    const chunked = await server.raw(
      `POST /api/echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${large}`,
    )
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('that is nested deep is refused without falling over', async () => {
    const deep = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)
    const { status, body } = await server.ask('/api/echo/a', sending('PUT', deep))
    expect([status, body.code]).toEqual([400, 'too_deep'])
  })

  it('may be left out where it needs nothing', async () => {
    expect((await server.ask('/api/echo/a/poke', { method: 'POST' })).status).toBe(202)
    const typed = { method: 'POST', headers: { 'content-type': 'application/json' } }
    expect((await server.ask('/api/echo/a/poke', typed)).status).toBe(202)
    const { status, body } = await server.ask('/api/echo', { method: 'POST' })
    expect([status, body.code]).toEqual([400, 'bad_json'])
  })

  it('in chunks of which there are none is left out too', async () => {
    const ask = (path: string, chunks: string) =>
      server.raw(
        `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
      )
    expect(await ask('/api/echo/a/poke', '0\r\n\r\n')).toMatch(/^HTTP\/1\.1 202 /)
    expect(await ask('/api/echo', '0\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*"bad_json"/)
    expect(await ask('/api/echo/a/poke', '2\r\n{}\r\n0\r\n\r\n')).toMatch(/^HTTP\/1\.1 415 /)
  })

  it('of a deletion or a read brings members as the query does', async () => {
    const deletion = sending('DELETE', { keep: true })
    expect(await heard('/api/echo/a', deletion)).toEqual({ id: 'a', keep: true })
    expect(await heard('/api/echo/a?keep=false', deletion)).toEqual({ id: 'a', keep: true })
    expect(await heard('/api/echo/a?keep=true', sending('DELETE', {}))).toEqual({
      id: 'a',
      keep: true,
    })
    expect(await readWithBody('{"limit":7}')).toMatch(/^HTTP\/1\.1 200 [^]*"limit":7/)
  })

  it.each([
    ['{"nonsense":[1]}', 'application/json', 422, 'invalid_input'],
    ['{"id":"b"}', 'application/json', 422, 'invalid_input'],
    ['[true]', 'application/json', 400, 'body_not_object'],
    ['not JSON', 'application/json', 400, 'bad_json'],
    ['keep=true', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
  ])('of a deletion is never ignored: %s', async (body, type, status, code) => {
    const init = { method: 'DELETE', body, headers: { 'content-type': type } }
    const answer = await server.ask('/api/echo/a', init)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('of a read is never ignored', async () => {
    expect(await readWithBody('{"nonsense":1}')).toMatch(/^HTTP\/1\.1 422 [^]*"\/nonsense"/)
    expect(await readWithBody('no JSON')).toMatch(/^HTTP\/1\.1 400 [^]*"bad_json"/)
  })
})

describe('a document', () => {
  it('is the whole body, and nothing of path or query enters it', async () => {
    const init = sending('PUT', { id: 'in', dry_run: 'in', size: 1, extra: [1] })
    expect(await heard('/api/echo/a?dry_run=true', init)).toEqual({
      id: 'a',
      dry_run: true,
      thing: { id: 'in', dry_run: 'in', size: 1, extra: [1] },
    })
  })

  it('is not sent in the query, and neither is what stands for a header', async () => {
    const document = await server.ask('/api/echo/a?thing=x', sending('PUT', { size: 1 }))
    const header = await server.ask('/api/paid?payment=x', sending('POST', {}))
    for (const [{ status, body }, pointer] of [
      [document, '/thing'],
      [header, '/payment'],
    ] as const) {
      expect([status, body.code]).toEqual([422, 'invalid_input'])
      expect(body.errors).toMatchObject([{ pointer, code: 'unknown_member' }])
    }
    const paid = sending('POST', {}, { 'x-pay': 'y' })
    expect(await heard('/api/paid', paid)).toEqual({ payment: 'y' })
  })

  it('is pointed into from its own root', async () => {
    const { body } = await server.ask('/api/echo/a?dry_run=x', sending('PUT', { size: 'large' }))
    const pointers = body.errors?.map((fault) => fault.pointer)
    expect(pointers?.toSorted()).toEqual(['/dry_run', '/size'])
  })
})

describe('a document that may be any JSON', () => {
  it.each(['{"id":"in","thing":1}', '[1,[]]', '"text"', '"{}"', '""', '-1.5', 'false', 'null'])(
    'is the body as it stands: %s',
    async (text) => {
      const thing: unknown = JSON.parse(text)
      const init = sending('PUT', text)
      expect(await heard('/api/kept/a', init)).toEqual({ id: 'a', thing })
    },
  )

  it.each(['', '   ', '{', 'text', "'text'"])('is refused where it is none: "%s"', async (text) => {
    const { status, body } = await server.ask('/api/kept/a', sending('PUT', text))
    expect([status, body.code]).toEqual([400, 'bad_json'])
  })
})

describe('an idempotency key', () => {
  const poke = (key: string, body: string, path = '/api/echo/a/poke') =>
    server.ask(path, sending('POST', body, { 'idempotency-key': key, traceparent: trace() }))
  let calls = 0
  // Each call has another trace, by which an answer that is played again is known.
  const trace = () => `00-${String(++calls).padStart(32, '0')}-${'1'.repeat(16)}-01`

  it('replays the answer to the same request', async () => {
    const [first, second] = [await poke('one', '{"why":"x"}'), await poke('one', '{"why":"x"}')]
    expect(first.body.traceparent).toMatch(/^00-/)
    expect(second).toMatchObject({ status: 202, body: first.body })
    const slash = await poke('one', '{"why":"x"}', '/api/echo/a/poke/?token=1')
    expect(slash.body).toEqual(first.body)
    // The body stands over the query, so the input is the same.
    const over = await poke('one', '{ "why": "x" }', '/api/echo/a/poke?why=z')
    expect(over.body).toEqual(first.body)
  })

  it.each([
    ['body', '{"why":"y"}', '/api/echo/a/poke'],
    ['path', '{"why":"x"}', '/api/echo/b/poke'],
    ['query', '{}', '/api/echo/a/poke?why=z'],
    ['operation', '{"text":"x"}', '/api/echo'],
  ])('does not stand for another %s', async (_, body, path) => {
    await poke('two', '{"why":"x"}')
    const answer = await poke('two', body, path)
    expect([answer.status, answer.body.code]).toEqual([409, 'idempotency_conflict'])
  })

  it('must be readable, and is not burnt by a refusal', async () => {
    const { status, body } = await poke('two words', '{}')
    expect([status, body.code]).toEqual([400, 'idempotency_key_invalid'])
    expect((await poke('three', '{"no":1}')).status).toBe(422)
    expect((await poke('three', '{}')).status).toBe(202)
  })
})
