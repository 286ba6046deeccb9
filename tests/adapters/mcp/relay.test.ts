import { describe, expect, test } from 'vitest'
import { Relay, type Carrier, type Message } from '#adapters/commands/mcp/relay.ts'
import type { Reply } from '#adapters/commands/mcp/reply.ts'

interface Sent {
  value: unknown
  headers: Record<string, string>
  signal: AbortSignal
}

type Answer = (sent: Sent) => Reply | Promise<Reply>

const json = (value: unknown, status = 200): Reply => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(value),
})
const stream = (...values: unknown[]): Reply => ({
  status: 200,
  contentType: 'text/event-stream',
  body: values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''),
})
const idOf = ({ value }: Sent): unknown => (value as { id: unknown }).id
const echo: Answer = (sent) => json({ jsonrpc: '2.0', id: idOf(sent), result: {} })

/** A relay to a carrier that answers so, and what it writes. */
function relayed(answer: Answer = echo, key: () => Promise<string> = async () => 'ab_key') {
  const sent: Sent[] = []
  const written: unknown[] = []
  let refusals = 0
  const carrier: Carrier = {
    async send({ value }: Message, headers, signal) {
      const one = { value, headers, signal }
      sent.push(one)
      return answer(one)
    },
  }
  const relay = new Relay({
    carrier,
    key: async (isNeeded) => (isNeeded ? key() : undefined),
    write: async (text) => {
      expect(text).not.toContain('\n')
      written.push(JSON.parse(text))
    },
    refused: () => (refusals += 1),
  })
  const take = (value: unknown) => relay.take(JSON.stringify(value))
  const ended = () => relay.end(60_000)
  return { relay, sent, written, take, ended, refusals: () => refusals }
}

const request = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const modernMeta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }

describe('a request', () => {
  test('goes to the door with its key, and the answer comes back', async () => {
    const { sent, written, take, ended } = relayed()
    take(request('tools/call', { name: 'health_get' }))
    await ended()
    expect(sent[0]?.headers).toEqual({
      authorization: 'Bearer ab_key',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    })
    expect(written).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })

  test('of the present says in headers what it says in its body', async () => {
    const { sent, take, ended } = relayed()
    take(request('tools/call', { name: 'health_get', _meta: modernMeta }))
    take(request('resources/read', { uri: 'abode://runs/é', _meta: modernMeta }, 2))
    take(request('tools/list', { _meta: modernMeta }, 3))
    for (const [i, method] of ['tasks/get', 'tasks/update', 'tasks/cancel'].entries()) {
      take(request(method, { taskId: 'run_1', _meta: modernMeta }, 4 + i))
    }
    await ended()
    // Those that need a key wait for it, and so may be sent after others.
    const told = new Map(sent.map(({ headers }) => [headers['mcp-method'], headers['mcp-name']]))
    expect(Object.fromEntries(told)).toEqual({
      'tools/call': 'health_get',
      'resources/read': `=?base64?${Buffer.from('abode://runs/é').toString('base64')}?=`,
      'tools/list': undefined,
      'tasks/get': 'run_1',
      'tasks/update': 'run_1',
      'tasks/cancel': 'run_1',
    })
    expect(sent[0]?.headers['mcp-protocol-version']).toBe('2026-07-28')
  })

  test('of the past says the revision that the handshake has agreed on', async () => {
    const { sent, take, ended } = relayed((one) =>
      json({ jsonrpc: '2.0', id: idOf(one), result: { protocolVersion: '2025-06-18' } }),
    )
    take(request('initialize', { protocolVersion: '2025-11-25' }))
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    take(request('tools/list', {}, 2))
    await ended()
    expect(sent.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
      undefined,
      '2025-06-18',
    ])
  })

  test('that needs no key gets none', async () => {
    let asked = 0
    const { sent, take, ended } = relayed(echo, async () => {
      asked += 1
      return 'ab_key'
    })
    for (const method of ['initialize', 'server/discover', 'tools/list', 'ping']) {
      take(request(method))
    }
    await ended()
    expect([asked, sent.length]).toEqual([0, 4])
    expect(sent.every(({ headers }) => headers['authorization'] === undefined)).toBe(true)
  })

  test('is told of what comes before its answer', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }
    const { written, take, ended } = relayed((one) =>
      stream(note, { jsonrpc: '2.0', id: idOf(one), result: { a: 'x\ny' } }),
    )
    take(request('tools/call'))
    await ended()
    expect(written).toEqual([note, { jsonrpc: '2.0', id: 1, result: { a: 'x\ny' } }])
  })
})

describe('a request is answered with an error', () => {
  const errorOf = async (answer: Answer, key?: () => Promise<string>) => {
    const { written, take, ended, refusals } = relayed(answer, key)
    take(request('tools/call', {}, 'a'))
    await ended()
    return { written, refusals: refusals() }
  }
  const failed = (message: string) => [
    { jsonrpc: '2.0', id: 'a', error: { code: -32603, message: expect.stringContaining(message) } },
  ]

  test('of its own id, where HTTP has refused it', async () => {
    const error = { code: 401, message: 'There is no such key.' }
    const { written, refusals } = await errorOf(() =>
      json({ jsonrpc: '2.0', id: null, error }, 401),
    )
    expect(written).toEqual([{ jsonrpc: '2.0', id: 'a', error }])
    expect(refusals).toBe(1)
  })

  test.each([
    ['a page', { status: 502, contentType: 'text/html', body: '<html>' }, '502'],
    ['nothing', { status: 202, contentType: '', body: undefined }, '202'],
    ['another object', json({ detail: 'no' }, 404), '404'],
    ['a list', json([]), '200'],
    ['no JSON', { status: 200, contentType: 'application/json', body: '{' }, '200'],
    ['an answer to another', json({ jsonrpc: '2.0', id: 'b', result: {} }), '200'],
    ['a stream that breaks off', stream({ jsonrpc: '2.0', method: 'x' }), '200'],
  ])('where %s comes back', async (_, reply, part) => {
    const { written } = await errorOf(() => reply)
    expect(written.slice(-1)).toEqual(failed(part))
  })

  test('where the service cannot be reached', async () => {
    const { written } = await errorOf(() => Promise.reject(new Error('http://a is away.')))
    expect(written).toEqual(failed('http://a is away.'))
  })

  test('where there is no key to be had', async () => {
    const { written } = await errorOf(echo, () => Promise.reject(new Error('No key.')))
    expect(written).toEqual(failed('No key.'))
  })

  test.each([
    ['what is no JSON', '{', -32700],
    ['half a line', '{"jsonrpc":"2.0","id":1,"meth', -32700],
  ])('%s', async (_, line, code) => {
    const { relay, written, ended } = relayed()
    relay.take(line)
    await ended()
    expect(written).toEqual([
      { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } },
    ])
  })

  test('a line that was too long to be held', async () => {
    const { relay, written, ended } = relayed()
    relay.takeTooLong()
    await ended()
    expect(written).toMatchObject([{ id: null, error: { code: -32600 } }])
  })

  test('a line that is no text', async () => {
    const { relay, written, ended } = relayed()
    relay.takeNoText()
    await ended()
    expect(written).toMatchObject([{ id: null, error: { code: -32700 } }])
  })

  test('when too many are under way at once', async () => {
    const { written, take, relay } = relayed(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('x')))),
    )
    for (let id = 0; id < 300; id++) take(request('tools/call', {}, id))
    await relay.end(0)
    expect(written).toHaveLength(44)
    expect(written[0]).toMatchObject({ id: 256, error: { code: -32603 } })
  })
})

describe('what the host cancels', () => {
  test('is broken off at the door, and answered no more', async () => {
    const { sent, written, take, ended } = relayed(
      ({ signal }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () =>
            resolve(json({ jsonrpc: '2.0', id: 5, result: {} })),
          ),
        ),
    )
    take(request('tools/call', {}, 5))
    await expect.poll(() => sent.length).toBe(1)
    take({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
    await ended()
    expect(sent[0]?.signal.aborted).toBe(true)
    expect(written).toEqual([])
  })

  test.each([{ requestId: 6 }, { requestId: {} }, {}, undefined])(
    'is nothing else than what it names: %j',
    async (params) => {
      let answer: (() => void) | undefined
      const { sent, written, take, ended } = relayed(
        (one) => new Promise((resolve) => (answer = () => resolve(echo(one)))),
      )
      take(request('tools/call', {}, 5))
      await expect.poll(() => sent.length).toBe(1)
      take({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
      answer?.()
      await ended()
      expect(written).toMatchObject([{ id: 5, result: {} }])
    },
  )
})

const never: Answer = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('x'))))

describe('at the end is broken off', () => {
  test.each([
    ['each request of an id that was given twice', 1],
    ['a request of an id that is none', 1.5],
    ['a request without one', null],
  ])('%s', async (_, id) => {
    const { sent, take, relay } = relayed(never)
    for (const _ of [1, 2]) take(request('tools/call', {}, id))
    await expect.poll(() => sent.length).toBe(2)
    await relay.end(0)
    expect(sent.every(({ signal }) => signal.aborted)).toBe(true)
  })

  test('a request that waits for its key', async () => {
    const { sent, written, take, relay } = relayed(echo, () => new Promise(() => undefined))
    take(request('tools/call'))
    await relay.end(0)
    expect([sent, written]).toEqual([[], []])
  })
})

test('what waits for its key can be cancelled', async () => {
  const { written, take, ended } = relayed(echo, () => new Promise(() => undefined))
  take(request('tools/call', {}, 5))
  take({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
  await ended()
  expect(written).toEqual([])
})

describe('notifications and answers', () => {
  test.each([
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 1, result: {} },
    {},
  ])('%j goes nowhere', async (message) => {
    const { sent, written, take, ended } = relayed()
    take(message)
    await ended()
    expect([sent, written]).toEqual([[], []])
  })
})

test('what is under way at the end has its time, and what comes then is refused', async () => {
  let answer: (() => void) | undefined
  const { sent, written, take, relay } = relayed(
    (one) => new Promise((resolve) => (answer = () => resolve(echo(one)))),
  )
  take(request('tools/call', {}, 1))
  await expect.poll(() => sent.length).toBe(1)
  const ending = relay.end(60_000)
  take(request('tools/call', {}, 2))
  answer?.()
  await ending
  expect(written).toMatchObject([
    { id: 2, error: {} },
    { id: 1, result: {} },
  ])
})
