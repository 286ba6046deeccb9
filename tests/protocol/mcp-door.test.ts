import { describe, expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.ts'
import { goodKey, KeptLog, SmallCore, smallDoor } from './mcp-harness.ts'
import { legacy, messageOf, modern, request, type Message } from './mcp-requests.ts'
import { wrongToken } from '#tests/support/doors/challenge.ts'

const core = new SmallCore()
const door = smallDoor(core)
const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }

async function errorOf(sent: ReturnType<typeof request>): Promise<Message & { status: number }> {
  const answer = await door.handle(sent)
  return { status: answer.status, ...(await messageOf(answer)) }
}

describe('what HTTP alone can get wrong', () => {
  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])(
    '%s is not taken',
    async (method) => {
      const answer = await door.handle(request(undefined, { method }))
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } })
    },
  )

  test.each([
    ['a foreign host', request(ping, { headers: { host: 'evil.example' } }), 403],
    ['no host', request(ping, { headers: { host: undefined } }), 403],
    ['a foreign origin', request(ping, { headers: { origin: 'https://evil.example' } }), 403],
    ['a form', request(ping, { headers: { 'content-type': 'text/plain' } }), 415],
    ['no media type', request(ping, { headers: { 'content-type': undefined } }), 415],
    ['a body that is too large', request(ping, { rawLength: 16 * 1024 * 1024 + 1 }), 413],
  ])('%s is refused', async (_, sent, status) => {
    expect(await errorOf(sent)).toMatchObject({ status, error: { code: status } })
  })

  test('a fault of the transport is told in the words of the protocol', async () => {
    const headers = { 'accept-encoding': 'identity' }
    const fault = { status: 415, message: 'Compressed bodies are not read.', headers }
    const sent = request(undefined, { fault })
    const answer = await door.handle(sent)
    expect(answer.headers).toMatchObject({ ...headers, 'content-type': 'application/json' })
    expect(await errorOf(sent)).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      status: 415,
      error: { code: 415, message: 'Compressed bodies are not read.' },
    })
  })

  test('a refusal of the transport keeps its code and its hint', async () => {
    const refusal = new Refusal('unavailable', 'There is no room.', { hint: 'Come again.' })
    const sent = request(undefined, { fault: { status: 503, message: refusal.message, refusal } })
    expect(await errorOf(sent)).toMatchObject({
      status: 503,
      error: { code: 503, data: { code: 'unavailable', hint: 'Come again.' } },
    })
  })

  test.each(['application/json-rpc+json', 'application/vnd.api+json; charset=utf-8'])(
    '%s is JSON',
    async (type) => {
      for (const body of [ping, { ...ping, method: 'tools/list', params: {} }]) {
        const sent = request(body, { headers: { 'content-type': type } })
        expect(await errorOf(sent)).toMatchObject({ status: 200, id: 7, result: {} })
      }
    },
  )

  test('a known origin is let in', async () => {
    const sent = request(ping, { headers: { origin: 'http://localhost:6274' } })
    expect((await door.handle(sent)).status).toBe(200)
  })

  test.each([
    ['text that is not JSON', request(undefined, { parseError: true }), -32700],
    ['no body', request(undefined), -32700],
    ['a batch', request([ping]), -32600],
    ['an empty batch', request([]), -32600],
    ['a text', request('ping'), -32600],
    ['a number', request(7), -32600],
    ['null', request(null), -32600],
    ['another version of JSON-RPC', request({ method: 'ping', jsonrpc: '1.0' }), -32600],
    ['an id that is an object', request({ ...ping, id: {} }), -32600],
    ['an id beyond every number', request({ ...ping, id: Infinity }), -32600],
    [
      'such an id of a call',
      request({ ...ping, method: 'tools/list', params: {}, id: Infinity }),
      -32600,
    ],
  ])('%s is not a message', async (_, sent, code) => {
    expect(await errorOf(sent)).toMatchObject({ status: 400, id: null, error: { code } })
  })
})

describe('the credential', () => {
  test.each([
    ['a key that does not exist', 'Bearer ab_wrong'],
    ['another scheme', 'Basic YTpi'],
    ['no token', 'Bearer '],
    ['two tokens', 'Bearer ab_good ab_good'],
    ['a bare word', 'good'],
  ])('%s is a 401 that clients understand', async (_, authorization) => {
    for (const sent of [modern('tools/list'), legacy('tools/list'), request(ping)]) {
      const answer = await door.handle({ ...sent, headers: { ...sent.headers, authorization } })
      expect(answer.status).toBe(401)
      expect(answer.headers).toMatchObject({ 'www-authenticate': wrongToken })
      expect(await messageOf(answer)).toMatchObject({
        id: 7,
        error: { code: 401, data: { code: 'invalid_credential', request_id: 'req_1' } },
      })
    }
  })

  test('may be a bare key', async () => {
    const sent = modern('tools/list')
    const headers = { ...sent.headers, authorization: goodKey }
    expect((await door.handle({ ...sent, headers })).status).toBe(200)
  })

  test('is not read from the address', async () => {
    const query = new URLSearchParams({ token: goodKey, api_key: goodKey })
    const { result } = await messageOf(
      await door.handle(
        modern(
          'tools/call',
          { name: 'notes_get', arguments: { id: 'a' } },
          { query, headers: { authorization: undefined } },
        ),
      ),
    )
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'abode/error': { code: 'unauthenticated' } },
    })
  })

  test('may be missing: what needs none works, the rest says how to get one', async () => {
    const without = { headers: { authorization: undefined } }
    const open = await messageOf(
      await door.handle(modern('tools/call', { name: 'health_get' }, without)),
    )
    expect(open.result).toMatchObject({ structuredContent: { status: 'ok' } })
    expect(open.result).not.toHaveProperty('isError')
    const call = { name: 'notes_get', arguments: { id: 'a' } }
    for (const sent of [modern('tools/call', call, without), legacy('tools/call', call, without)]) {
      const answer = await door.handle(sent)
      expect(answer.status).toBe(200)
      expect((await messageOf(answer)).result).toMatchObject({
        isError: true,
        _meta: { 'abode/error': { code: 'unauthenticated', hint: 'Get one.' } },
      })
    }
  })

  test('may be missing: the refusal names the address for hosts that sign a person in', async () => {
    const signsInAt = 'http://127.0.0.1:8080/mcp/account'
    const other = smallDoor(core, { signsInAt })
    const without = { headers: { authorization: undefined } }
    const call = { name: 'notes_get', arguments: { id: 'a' } }
    for (const sent of [modern('tools/call', call, without), legacy('tools/call', call, without)]) {
      const hint = `Get one. A host that signs a person in connects to ${signsInAt} instead.`
      expect((await messageOf(await other.handle(sent))).result).toMatchObject({
        _meta: { 'abode/error': { hint } },
      })
    }
  })

  test('that cannot be looked up is a 503', async () => {
    const headers = { authorization: 'Bearer ab_offline' }
    expect(await errorOf(modern('tools/list', {}, { headers }))).toMatchObject({ status: 503 })
  })
})

describe('the tools of an address', () => {
  const names = async (query: string, send = modern): Promise<string[]> => {
    const answer = await door.handle(send('tools/list', {}, { query: new URLSearchParams(query) }))
    // A list of tools was asked for.
    const { tools } = (await messageOf(answer)).result as { tools: { name: string }[] }
    return tools.map(({ name }) => name)
  }

  test.each([modern, legacy])('are those of its toolsets', async (send) => {
    expect(await names('toolsets=core', send)).toEqual(['health_get', 'notes_create', 'notes_get'])
    expect(await names('toolsets=core,account', send)).toContain('notes_delete')
    expect(await names('toolsets=core&readonly=true', send)).toEqual(['health_get', 'notes_get'])
    expect(await names('toolsets=core&toolsets=account', send)).toContain('notes_delete')
    expect(await names('readonly=false&api_key=1&profile=x&__proto__=1', send)).toHaveLength(7)
  })

  test.each([
    ['toolset=core', 'Did you mean "toolsets"?'],
    ['read_only=true', 'Did you mean "readonly"?'],
    ['readonly=maybe', '?readonly=true'],
    ['readonly=', '?readonly=true'],
    ['readonly=true&readonly=false', '?readonly=true'],
  ])('are not those of ?%s, which is told', async (sent, hint) => {
    const query = new URLSearchParams(sent)
    const { status, error } = await errorOf(modern('tools/list', {}, { query }))
    expect([status, error?.code]).toEqual([400, -32602])
    expect(error?.data).toMatchObject({ hint: expect.stringContaining(hint) })
  })

  test.each(['core,agent', 'everything', '', 'core,'])('are no toolset "%s"', async (sent) => {
    const query = new URLSearchParams({ toolsets: sent })
    const { status, error } = await errorOf(modern('tools/list', {}, { query }))
    expect([status, error?.code]).toEqual([400, -32602])
    expect(error?.data?.['hint']).toContain('core, account, agents, apps')
  })

  test('do not limit what may be called', async () => {
    const query = new URLSearchParams({ toolsets: 'account' })
    const call = { name: 'notes_create', arguments: { id: 'n' } }
    const { result } = await messageOf(await door.handle(modern('tools/call', call, { query })))
    expect(result).toMatchObject({ structuredContent: { id: 'n', text: null } })
  })

  test.each(['modern', 'legacy'])(
    'change nothing with readonly=true, listed or not: %s',
    async (era) => {
      const ask = async (name: string, input: object): Promise<unknown> => {
        const query = new URLSearchParams({ toolsets: 'account', readonly: 'true' })
        const call = { name, arguments: input }
        const sent = (era === 'legacy' ? legacy : modern)('tools/call', call, { query })
        return (await messageOf(await door.handle(sent))).result
      }
      for (const name of ['notes_create', 'notes_delete']) {
        const refused = { isError: true, _meta: { 'abode/error': { code: 'forbidden' } } }
        expect(await ask(name, { id: 'kept' })).toMatchObject(refused)
      }
      expect(await ask('health_get', {})).not.toHaveProperty('isError')
    },
  )

  test.each([modern, legacy])('come as one page', async (send) => {
    const { error } = await messageOf(await door.handle(send('tools/list', { cursor: 'x' })))
    expect(error?.code).toBe(-32602)
  })
})

describe('the protocol', () => {
  test('2025: shakes hands without a session', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }
    const answer = await door.handle(legacy('initialize', params))
    expect(answer.headers).not.toHaveProperty('mcp-session-id')
    expect((await messageOf(answer)).result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: { name: 'abode', version: '0.1.0' },
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: expect.stringContaining('abode://skill'),
    })
  })

  test('2026: is discovered', async () => {
    const { result } = await messageOf(await door.handle(modern('server/discover')))
    expect(result).toMatchObject({ supportedVersions: ['2026-07-28'], cacheScope: 'public' })
  })

  test('takes notifications without a word', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect(await door.handle(request(note))).toMatchObject({ status: 202, body: undefined })
  })

  test.each([
    ['2026', modern('no/such'), 404, -32601],
    ['2025', legacy('no/such'), 200, -32601],
    [
      '2026 without a revision we serve',
      modern(
        'tools/list',
        { _meta: { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } },
        { headers: { 'mcp-protocol-version': '2027-01-01' } },
      ),
      400,
      -32022,
    ],
    [
      '2026 with headers of another method',
      modern('tools/list', {}, { headers: { 'mcp-method': 'ping' } }),
      400,
      -32020,
    ],
    [
      '2026 without its headers',
      modern('tools/list', {}, { headers: { 'mcp-method': undefined } }),
      400,
      -32020,
    ],
    [
      '2026 with the name of another tool',
      modern('tools/call', { name: 'health_get' }, { headers: { 'mcp-name': 'x' } }),
      400,
      -32020,
    ],
    ['prompts/get without a name', modern('prompts/get'), 200, -32602],
    ['resources/read without an address', legacy('resources/read'), 200, -32602],
    ['completion/complete without anything', legacy('completion/complete'), 200, -32602],
    [
      'a log level, which is not offered',
      legacy('logging/setLevel', { level: 'info' }),
      200,
      -32601,
    ],
  ])('%s: answers what the specification asks', async (_, sent, status, code) => {
    expect(await errorOf(sent)).toMatchObject({ status, id: 7, error: { code } })
  })
})

test('a fault of the door is logged and says nothing of the inside', async () => {
  const log = new KeptLog()
  const broken = smallDoor(new SmallCore(), {
    log,
    originPolicy() {
      throw new Error('the inside')
    },
  })
  const answer = await broken.handle(request(ping, { headers: { origin: 'http://a' } }))
  expect(answer.status).toBe(500)
  expect(answer.body).not.toContain('the inside')
  expect(log.lines).toMatchObject([{ level: 'error', fields: { request_id: 'req_1' } }])
})

test('a door that was closed answers no more', async () => {
  const closing = smallDoor(new SmallCore())
  await closing.close()
  expect((await closing.handle(legacy('tools/list'))).status).toBe(503)
})
