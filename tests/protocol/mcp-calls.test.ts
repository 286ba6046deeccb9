import { afterAll, beforeAll, describe, expect, test, vi, type MockInstance } from 'vitest'
import { ShortPath } from '#protocol/mcp/short-path.ts'
import { until } from '#tests/support/until.ts'
import { goodKey, SmallCore, smallDoor } from './mcp-harness.ts'
import { legacy, messageOf, modern, request } from './mcp-requests.ts'

const core = new SmallCore()
const door = smallDoor(core)
const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }

describe.each([
  ['2026-07-28', modern],
  ['2025', legacy],
])('a call of the %s era', (_, send) => {
  const called = async (params: Record<string, unknown>) =>
    messageOf(await door.handle(send('tools/call', params)))

  test('answers the object and the same as text', async () => {
    const { result } = await called({ name: 'notes_create', arguments: { id: 'n', text: 'é' } })
    expect(result).toMatchObject({
      structuredContent: { id: 'n', text: 'é' },
      content: [{ type: 'text', text: '{"id":"n","text":"é"}' }],
    })
  })

  test('that is refused says so in the text and in the metadata', async () => {
    const { result } = await called({ name: 'notes_create', arguments: { id: 'taken' } })
    const error = {
      detail: 'The id "taken" is in use.',
      code: 'character_id_taken',
      request_id: 'req_1',
    }
    expect(result).toMatchObject({ isError: true, _meta: { 'abode/error': error } })
    expect(result).toHaveProperty('content', [{ type: 'text', text: JSON.stringify(error) }])
    expect(result).not.toHaveProperty('structuredContent')
  })

  test('with wrong arguments names each fault', async () => {
    const { result } = await called({ name: 'notes_create', arguments: { idd: 1 } })
    expect(result).toMatchObject({
      isError: true,
      _meta: {
        'abode/error': { code: 'invalid_input', errors: [{ pointer: '/id' }, { pointer: '/idd' }] },
      },
    })
  })

  test('that fails inside says nothing of it', async () => {
    const { result } = await called({ name: 'notes_create', arguments: { id: 'bug' } })
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'abode/error': { code: 'internal_error' } },
    })
    expect(JSON.stringify(result)).not.toContain('the inside')
  })

  test('may leave out arguments', async () => {
    expect((await called({ name: 'health_get' })).result).toMatchObject({
      structuredContent: { status: 'ok' },
    })
  })

  test.each(['text', 7, [], null])('takes no arguments of the form %j', async (args) => {
    const { error } = await called({ name: 'health_get', arguments: args })
    expect(error?.code).toBe(-32602)
  })

  test('of a tool that does not exist names the nearest', async () => {
    const { error } = await called({ name: 'notes_creat', arguments: {} })
    expect(error).toMatchObject({
      code: -32602,
      message:
        'There is no tool "notes_creat". Did you mean `notes_create`? It does this: Write a note. If not, look for it by what it does: `operations_search`.',
      data: { code: 'operation_not_found', suggestion: 'notes_create', request_id: 'req_1' },
    })
  })

  test('takes its idempotency key and its trace from _meta', async () => {
    const _meta = { 'idempotency-key': 'k1', traceparent: '00-a-b-01' }
    await called({ name: 'notes_create', arguments: { id: 'n' }, _meta })
    expect(core.calls.at(-1)).toMatchObject({
      idempotencyKey: 'k1',
      traceparent: '00-a-b-01',
      credential: goodKey,
      address: '127.0.0.0/24',
      requestId: 'req_1',
      input: { id: 'n' },
    })
    expect(core.calls.at(-1)).not.toHaveProperty('raw')
  })

  test('passes a key that is no text on as one that the core refuses', async () => {
    await called({ name: 'notes_create', arguments: { id: 'n' }, _meta: { 'idempotency-key': 7 } })
    expect(core.calls.at(-1)?.idempotencyKey).toBe('')
  })

  describe('with a member called __proto__ is refused', () => {
    let shortAnswers: MockInstance<ShortPath['answer']>
    beforeAll(async () => {
      shortAnswers = vi.spyOn(ShortPath.prototype, 'answer')
      // Until its answers are cut, the SDK takes every call.
      await until(async () => {
        await called({ name: 'health_get' })
        return shortAnswers.mock.calls.length > 0
      })
    })
    afterAll(() => shortAnswers.mockRestore())

    // As JSON brings it: an own member, which an object literal would not make.
    const places = [
      ['at the top', '{"id":"n","__proto__":{"text":"x"}}'],
      ['inside', '{"id":"n","list":[{"__proto__":1}]}'],
    ] as const
    const paths = [
      ['on the short path', {}, 1],
      ['by the SDK', { 'io.modelcontextprotocol/logLevel': 'debug' }, 0],
    ] as const

    describe.each(places)('%s', (__, text) => {
      test.each(paths)('%s', async (___, _meta, shortly) => {
        shortAnswers.mockClear()
        const args = JSON.parse(text) as object
        const { result } = await called({ name: 'notes_create', arguments: args, _meta })
        const error = { code: 'bad_json', detail: 'A member may not be called "__proto__".' }
        expect(result).toMatchObject({ isError: true, _meta: { 'abode/error': error } })
        expect(shortAnswers).toHaveBeenCalledTimes(shortly)
      })
    })
  })

  test('ends when its caller goes away', async () => {
    const leaving = new AbortController()
    const before = core.calls.length
    const answered = door
      .handle(send('tools/call', { name: 'notes_wait' }, { signal: leaving.signal }))
      .then(async (answer) => messageOf(answer).catch(() => undefined))
    await expect.poll(() => core.calls.length).toBe(before + 1)
    const { signal } = core.calls.at(-1) ?? {}
    expect(signal?.aborted).toBe(false)
    leaving.abort()
    await answered
    expect(signal?.aborted).toBe(true)
  })
})

describe('limits', () => {
  const spent = {
    name: 'keyed_reads',
    count: 60,
    seconds: 60,
    remaining: 0,
    resetSeconds: 9,
    admitted: false,
  }

  test('of an operation stand in the fields of the answer', async () => {
    const answer = await door.handle(modern('tools/call', { name: 'health_get' }))
    expect(answer.headers).toMatchObject({
      'ratelimit-policy': '"writes";q=600;w=60',
      ratelimit: '"writes";r=599;t=30',
    })
  })

  test('that an operation has reached are an error result that says how long to wait', async () => {
    const limited = new SmallCore()
    limited.limited = true
    const { result } = await messageOf(
      await smallDoor(limited).handle(modern('tools/call', { name: 'health_get' })),
    )
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'abode/error': { code: 'rate_limited', retry_after_s: 7 } },
    })
  })

  test('of an address are refused by HTTP', async () => {
    const limited = new SmallCore()
    limited.limited = true
    const call = modern('tools/call', { name: 'health_get' })
    const { authorization: _, ...headers } = call.headers
    const answer = await smallDoor(limited).handle({ ...call, headers })
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
  })

  test('count what is no operation, by account or address', async () => {
    const asked: unknown[] = []
    const counting = smallDoor(new SmallCore(), {
      admit(who) {
        asked.push(who)
        return { ...spent, remaining: 59, admitted: true }
      },
    })
    await counting.handle(modern('tools/list'))
    await counting.handle(modern('tools/list', {}, { headers: { authorization: undefined } }))
    await counting.handle(modern('tools/call', { name: 'health_get' }))
    await counting.handle(request(ping, { headers: { authorization: 'Bearer ab_wrong' } }))
    const anonymous = { subject: undefined, address: '127.0.0.0/24' }
    expect(asked).toMatchObject([{ subject: 'acc_1' }, anonymous, anonymous])
  })

  test.each([
    ['a list', modern('tools/list')],
    ['a handshake', legacy('initialize')],
    ['a wrong key', request(ping, { headers: { authorization: 'Bearer ab_wrong' } })],
  ])('that %s has reached are a 429', async (_, sent) => {
    const full = smallDoor(new SmallCore(), { admit: () => spent })
    const answer = await full.handle(sent)
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '9' } })
    expect(await messageOf(answer)).toMatchObject({
      id: 7,
      error: { data: { code: 'rate_limited' } },
    })
  })
})
