import { createMcpHandler } from '@modelcontextprotocol/server'
import { describe, expect, test, vi } from 'vitest'
import { Answer } from '#src/core/answer.ts'
import type { Outcome } from '#src/core/door.ts'
import { Refusal } from '#src/core/errors.ts'
import { toolsets, offered, toolName } from '#src/core/operation-facts.ts'
import { catalog as wholeCatalog } from '#src/catalog.ts'
import type { DoorAnswer, DoorRequest } from '#protocol/door.ts'
import { Exchange, PlainRequest } from '#protocol/mcp/exchange.ts'
import { cutFrames } from '#protocol/mcp/frames.ts'
import { furnish, serverFor } from '#protocol/mcp/server.ts'
import { ShortPath } from '#protocol/mcp/short-path.ts'
import type { Selection } from '#protocol/mcp/tools.ts'
import { doorOptions, SmallCore, smallDoor } from './mcp-harness.ts'
import { envelope, legacy, modern, request, revision } from './mcp-requests.ts'

/** What the doors of agents offer of it. */
const catalog = offered(wholeCatalog)

class Answering extends SmallCore {
  outcome: Outcome = { answer: new Answer('{}') }
  override serve(): Promise<Outcome> {
    return Promise.resolve(this.outcome)
  }
}

const core = new Answering(catalog)
const furnishing = furnish(doorOptions(core))
const shortPath = new ShortPath(furnishing, await cutFrames(furnishing))
const everything: Selection = { toolsets: undefined, readonly: false }

async function byShortPath(sent: DoorRequest, selection = everything): Promise<DoorAnswer> {
  const short = shortPath.recognise(sent)
  if (!short) throw new Error('the short path does not take this request')
  const exchange = new Exchange(core, sent, { credential: undefined, selection })
  const { parts, ...answer } = await shortPath.answer(short, exchange)
  if (parts) expect(parts.before + parts.shared.text + parts.after).toBe(answer.body)
  return answer
}

async function bySdk(sent: DoorRequest, selection = everything): Promise<DoorAnswer> {
  const exchange = new Exchange(core, sent, { credential: undefined, selection })
  const handler = createMcpHandler(() => serverFor(furnishing, exchange))
  const plain = new PlainRequest(exchange).asRequest()
  const response = await handler.fetch(plain, { parsedBody: sent.body })
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: await response.text() }
}

/** Replaces the marks around texts of others, which are drawn for each answer. */
function unmarked<T extends { body: unknown }>(answer: T): T {
  return { ...answer, body: String(answer.body).replaceAll(/untrusted-[\w-]{12}/g, 'mark') }
}

describe('the short path answers the same bytes as the SDK', () => {
  const answers = [
    '{}',
    JSON.stringify({ n: -1.5e-7, list: [null, true, { '@id@': '@payload@' }], é: '\0 / 😀' }),
    JSON.stringify({ on: 'several lines', list: [1, { a: '\r\n' }] }, null, 2),
    JSON.stringify({ text: '\ud83d\u2028\u2029"\\\n\t', nested: { content: [{ type: 'text' }] } }),
  ]

  test.each(catalog)('for $name', async (op) => {
    const call = { name: toolName(op), arguments: op.example }
    for (const text of answers) {
      core.outcome = { answer: new Answer(text) }
      for (const id of [7, 0, -1, 'a"b', '@id@', '']) {
        for (const sent of [modern('tools/call', call), legacy('tools/call', call)]) {
          const named = { ...sent, body: { ...(sent.body as object), id } }
          const isLeft =
            sent.headers['mcp-method'] === undefined && 'wait_seconds' in op.input.shape
          const answer = isLeft ? bySdk(named) : byShortPath(named)
          expect(unmarked(await answer)).toEqual(unmarked(await bySdk(named)))
        }
      }
    }
  })

  test.each([undefined, '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'for the revision %s of the past',
    async (revision) => {
      core.outcome = { answer: new Answer('{"a":1}') }
      const headers = { 'mcp-protocol-version': revision }
      for (const sent of [
        legacy('tools/call', { name: 'health_get' }, { headers }),
        legacy('tools/list', {}, { headers }),
      ]) {
        expect(await byShortPath(sent)).toEqual(await bySdk(sent))
      }
    },
  )

  test.each([modern, legacy])('for what hosts of their own add', async (send) => {
    core.outcome = { answer: new Answer('{"a":1}') }
    const _meta = { 'host.example/call': { id: 7 }, baggage: 'a=b', progressToken: 'p' }
    const sent = send('tools/call', { name: 'health_get', _meta })
    expect(await byShortPath(sent)).toEqual(await bySdk(sent))
  })

  test.each([modern, legacy])('for an operation that is called by its name', async (send) => {
    core.outcome = { answer: new Answer('{"a":1}') }
    const call = { name: 'health.get', arguments: {} }
    const sent = send('tools/call', { name: 'operations_call', arguments: call })
    expect(await byShortPath(sent)).toEqual(await bySdk(sent))
  })

  test.each([modern, legacy])('for a refusal with all of its members', async (send) => {
    const errors = [{ pointer: '/a~1b', message: 'must "be"', code: 'custom', suggestion: 'b' }]
    const options = { errors, hint: 'Do that.', retryAfterSeconds: 3 }
    core.outcome = { refusal: new Refusal('invalid_input', 'It is "wrong".', options) }
    const sent = send('tools/call', { name: 'health_get' })
    expect(await byShortPath(sent)).toEqual(await bySdk(sent))
  })

  test.each([
    everything,
    { toolsets: undefined, readonly: true },
    ...toolsets.map((name) => ({ toolsets: [name], readonly: false })),
  ])('for the list of %o', async (selection) => {
    for (const sent of [modern('tools/list'), legacy('tools/list')]) {
      const answer = await byShortPath(sent, selection)
      expect(answer).toEqual(await bySdk(sent, selection))
      // The second time it is remembered.
      expect(await byShortPath(sent, selection)).toEqual(answer)
    }
  })
})

describe('the short path takes', () => {
  const call = { name: 'health_get', arguments: {} }

  test.each([
    ['a plain call', modern('tools/call', call)],
    ['a call without arguments', modern('tools/call', { name: 'health_get' })],
    ['a plain list', modern('tools/list')],
    [
      'a call that may be retried',
      modern('tools/call', { ...call, _meta: { 'idempotency-key': 'k' } }),
    ],
    ['a call with a trace', modern('tools/call', { ...call, _meta: { traceparent: '00-a-b-01' } })],
    [
      'progress of what never waits',
      modern('tools/call', { ...call, _meta: { progressToken: 1 } }),
    ],
    ['the same of the past', legacy('tools/call', { ...call, _meta: { progressToken: 'a' } })],
    ['a plain call of the past', legacy('tools/call', call)],
    ['a plain list of the past', legacy('tools/list')],
    [
      'a list of the past without parameters',
      request({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    ],
    [
      'a named character set',
      modern('tools/list', {}, { headers: { 'content-type': 'application/json; charset=utf-8' } }),
    ],
  ])('%s', (_, sent) => expect(shortPath.recognise(sent)).toBeDefined())
})

describe('the short path takes each of many requests as it takes them alone', () => {
  const call = { name: 'health_get', arguments: {} }

  test.each([
    [
      'another client',
      { 'io.modelcontextprotocol/clientInfo': { name: 'other', version: '2' } },
      true,
    ],
    ['a number as progress token', { progressToken: 1 }, true],
    ['a text as progress token', { progressToken: 'a' }, true],
    ['a client without a version', { 'io.modelcontextprotocol/clientInfo': { name: 'x' } }, false],
    ['capabilities of a wrong form', { 'io.modelcontextprotocol/clientCapabilities': 1 }, false],
    ['no capabilities', { 'io.modelcontextprotocol/clientCapabilities': undefined }, false],
  ])('%s', (_, members, isTaken) => {
    const plain = () => modern('tools/call', call)
    const sent = () => modern('tools/call', { ...call, _meta: members })
    for (let times = 0; times < 2; times++) {
      expect(shortPath.recognise(plain())).toBeDefined()
      expect(shortPath.recognise(sent()) !== undefined).toBe(isTaken)
    }
  })
})

describe('the short path leaves to the SDK', () => {
  const call = { name: 'health_get', arguments: {} }
  const body = (changes: object) => {
    const sent = modern('tools/call', call)
    return { ...sent, body: { ...(sent.body as object), ...changes } }
  }
  const meta = (changes: object) => modern('tools/call', { ...call, _meta: changes })
  const headers = (changes: Record<string, string | undefined>) =>
    modern('tools/call', call, { headers: changes })

  test.each([
    ['an unknown tool', modern('tools/call', { name: 'nothing' })],
    ['a call without a name', modern('tools/call', {})],
    ['a name that is no text', modern('tools/call', { name: 7 })],
    ['arguments that are a list', modern('tools/call', { name: 'health_get', arguments: [] })],
    ['arguments that are null', modern('tools/call', { name: 'health_get', arguments: null })],
    ['another member of the parameters', modern('tools/call', { ...call, requestState: 'x' })],
    ['another method', modern('resources/list')],
    ['a list with a cursor', modern('tools/list', { cursor: 'x' })],
    ['a list with a name', modern('tools/list', { name: 'health_get' })],
    ['a list with arguments', modern('tools/list', { arguments: {} })],
    ['a token of progress that is none', meta({ progressToken: {} })],
    [
      'progress of what may wait',
      modern('tools/call', { name: 'tasks_run', arguments: {}, _meta: { progressToken: 1 } }),
    ],
    ['a log level that is asked for', meta({ 'io.modelcontextprotocol/logLevel': 'debug' })],
    ['capabilities that are no object', meta({ 'io.modelcontextprotocol/clientCapabilities': 7 })],
    ['a client that is no object', meta({ 'io.modelcontextprotocol/clientInfo': 'x' })],
    [
      'another revision in the body',
      meta({ 'io.modelcontextprotocol/protocolVersion': '2027-01-01' }),
    ],
    ['another revision in the header', headers({ 'mcp-protocol-version': '2025-11-25' })],
    ['no revision in the header', headers({ 'mcp-protocol-version': undefined })],
    ['no method in the header', headers({ 'mcp-method': undefined })],
    ['another name in the header', headers({ 'mcp-name': 'limits_get' })],
    ['no name in the header', headers({ 'mcp-name': undefined })],
    ['a name in the header in another form', headers({ 'mcp-name': ' health_get' })],
    ['another media type', headers({ 'content-type': 'application/json; charset=latin1' })],
    ['another version of JSON-RPC', body({ jsonrpc: '1.0' })],
    ['no id', body({ id: undefined })],
    ['an id that is null', body({ id: null })],
    ['an id that is a fraction', body({ id: 1.5 })],
    ['another member of the message', body({ extra: 1 })],
    ['no parameters', body({ params: undefined })],
    ['parameters without an envelope', body({ params: call })],
    ['a call of the past that may wait', legacy('tools/call', { name: 'runs_lease' })],
    [
      'the past without streams',
      legacy('tools/list', {}, { headers: { accept: 'application/json' } }),
    ],
    ['the past without a media type', legacy('tools/list', {}, { headers: { accept: undefined } })],
    [
      'a revision that never was',
      legacy('tools/list', {}, { headers: { 'mcp-protocol-version': '2025-01-01' } }),
    ],
    ['a handshake', legacy('initialize')],
    ['a body that is no object', request('text')],
    ['no body', request(undefined)],
  ])('%s', (_, sent) => expect(shortPath.recognise(sent)).toBeUndefined())

  test('a request whose caller has left', () => {
    const signal = AbortSignal.abort()
    expect(shortPath.recognise(modern('tools/call', call, { signal }))).toBeUndefined()
  })

  test('an envelope without its capabilities', () => {
    const { 'io.modelcontextprotocol/clientCapabilities': _, ...partial } = envelope
    const params = { ...call, _meta: partial }
    const sent = request(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      {
        headers: {
          'mcp-protocol-version': revision,
          'mcp-method': 'tools/call',
          'mcp-name': 'health_get',
        },
      },
    )
    expect(shortPath.recognise(sent)).toBeUndefined()
  })
})

test('the door takes the short path, and enters an operation once', async () => {
  const recognise = vi.spyOn(ShortPath.prototype, 'answer')
  const small = new SmallCore()
  const door = smallDoor(small)
  // The frames are cut after the door has opened; until then the SDK answers.
  await expect
    .poll(async () => {
      await door.handle(modern('tools/list'))
      return recognise.mock.calls.length
    })
    .toBeGreaterThan(0)
  recognise.mockClear()
  for (const id of ['n', 'taken', 'bug']) {
    small.calls.length = 0
    await door.handle(modern('tools/call', { name: 'notes_create', arguments: { id } }))
    expect(small.calls).toHaveLength(1)
  }
  expect(recognise).toHaveBeenCalledTimes(3)
  recognise.mockRestore()
})

test('frames that cannot be cut leave everything to the SDK', async () => {
  await expect(cutFrames(furnish(doorOptions(new SmallCore([]))))).rejects.toThrow('no tool')
  const door = smallDoor(new SmallCore([]))
  expect((await door.handle(modern('tools/list'))).status).toBe(200)
})
