import { afterEach, describe, expect, test, vi } from 'vitest'
import { toolsets, offered } from '#src/core/operation-facts.ts'
import { catalog } from '#src/catalog.ts'
import type { DoorRequest } from '#protocol/door.ts'
import { Exchange } from '#protocol/mcp/exchange.ts'
import { cutFrames } from '#protocol/mcp/frames.ts'
import { furnish } from '#protocol/mcp/server.ts'
import { ShortPath } from '#protocol/mcp/short-path.ts'
import { doorOptions, SmallCore } from '../mcp-harness.ts'
import { legacy, modern, request } from '../mcp-requests.ts'

const core = new SmallCore(offered(catalog))
const furnishing = furnish(doorOptions(core))
const frames = await cutFrames(furnishing)
const shortPath = new ShortPath(furnishing, frames)
const call = { name: 'health_get', arguments: {} }

afterEach(() => vi.restoreAllMocks())

describe('the short path reads', () => {
  test.each([
    ['modern', modern],
    ['legacy', legacy],
  ] as const)('a call of the %s era', (era, send) => {
    const _meta = { 'idempotency-key': 'k' }
    const sent = send('tools/call', { name: 'health_get', arguments: { a: 1 }, _meta })
    expect(shortPath.recognise(sent)).toMatchObject({
      kind: 'call',
      era,
      id: '7',
      operation: { name: 'health.get' },
      input: { a: 1 },
      meta: _meta,
    })
    const bare = shortPath.recognise(send('tools/call', { name: 'health_get' }))
    expect(bare).toMatchObject({ kind: 'call', era, input: {} })
    expect(shortPath.recognise(send('tools/list'))).toEqual({ kind: 'list', era, id: '7' })
  })

  test.each([[0], [-1], ['a"b'], ['']])('the id %j', (id) => {
    const sent = legacy('tools/list')
    const named = { ...sent, body: { ...(sent.body as object), id } }
    expect(shortPath.recognise(named)).toMatchObject({ id: JSON.stringify(id) })
  })
})

describe('the short path leaves to the SDK', () => {
  const past = (params: object, changes: Parameters<typeof legacy>[2] = {}): DoorRequest =>
    legacy('tools/call', { ...call, ...params }, changes)
  const body = (changes: object): DoorRequest => {
    const sent = past({})
    return { ...sent, body: { ...(sent.body as object), ...changes } }
  }

  test.each([
    ['what is marked with a text', past({ _meta: 'x' })],
    ['what is marked with null', past({ _meta: null })],
    ['what is marked with a list', past({ _meta: [] })],
    ['a token of progress that is none', past({ _meta: { progressToken: {} } })],
    ['a token of progress that is a fraction', past({ _meta: { progressToken: 0.5 } })],
    ['a mark of the protocol', past({ _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } })],
    ['progress of what may wait', past({ name: 'tasks_run', _meta: { progressToken: 1 } })],
    ['parameters that are a list', body({ params: [] })],
    ['parameters that are null', body({ params: null })],
    ['parameters that are a text', body({ params: 'x' })],
    ['another version of JSON-RPC', body({ jsonrpc: '1.0' })],
    ['an id that is too large', body({ id: 2 ** 53 })],
    ['an id that is an object', body({ id: {} })],
    ['another member of the message', body({ extra: 1 })],
    ['another method', body({ method: 'ping' })],
    ['no method', body({ method: undefined })],
    ['the past with one media type', past({}, { headers: { accept: 'text/event-stream' } })],
    ['the past with the other one', past({}, { headers: { accept: 'application/json' } })],
    ['the past with another form', past({}, { headers: { 'content-type': 'text/plain' } })],
    ['the past without a form', past({}, { headers: { 'content-type': undefined } })],
    [
      'the past with a header of today',
      past({}, { headers: { 'mcp-protocol-version': '2026-07-28' } }),
    ],
    ['many messages at once', request([past({}).body])],
    ['null', request(null)],
  ])('%s', (_, sent) => expect(shortPath.recognise(sent)).toBeUndefined())
})

test('the short path makes a list once for each selection, and remembers 32 of them', async () => {
  const path = new ShortPath(furnishing, frames)
  const list = vi.spyOn(furnishing.tools, 'list')
  const selections = Array.from({ length: 33 }, (_, n) => ({
    toolsets: toolsets.filter((_set, i) => ((n + 1) >> i) % 2 === 1),
    readonly: false,
  }))
  const ask = async (n: number): Promise<void> => {
    const sent = modern('tools/list')
    const short = path.recognise(sent)
    const selection = selections[n]
    if (!short || !selection) throw new Error('the short path takes a list')
    await path.answer(short, new Exchange(core, sent, { credential: undefined, selection }))
  }
  for (let n = 0; n < 32; n++) await ask(n)
  await ask(0)
  expect(list).toHaveBeenCalledTimes(32)
  await ask(32)
  await ask(0)
  await ask(32)
  expect(list).toHaveBeenCalledTimes(34)
})
