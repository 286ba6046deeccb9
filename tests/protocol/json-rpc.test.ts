import { describe, expect, test } from 'vitest'
import { Refusal, type Code } from '#src/core/errors.ts'
import {
  batchAtMost,
  batchFault,
  errorOf,
  errorText,
  idIn,
  requestIn,
  resultText,
} from '#protocol/json-rpc.ts'

describe('the envelope of a request', () => {
  test.each([
    { jsonrpc: '2.0', method: 'a.b', id: 1 },
    { jsonrpc: '2.0', method: 'a.b', id: 'one', params: {} },
    { jsonrpc: '2.0', method: 'a.b', id: null, params: [] },
    { jsonrpc: '2.0', method: 'a.b', id: 1.5, params: { x: null } },
    { jsonrpc: '2.0', method: '', id: 0 },
  ])('%j is one', (value) => expect(requestIn(value)).toEqual({ request: value }))

  test('without an id it is a notification', () => {
    const read = requestIn({ jsonrpc: '2.0', method: 'a.b', params: { x: 1 } })
    expect(read).toEqual({ request: { jsonrpc: '2.0', method: 'a.b', params: { x: 1 } } })
    expect('request' in read && 'id' in read.request).toBe(false)
  })

  test('members that are not of the envelope are left out', () => {
    const read = requestIn({ jsonrpc: '2.0', method: 'a', id: 1, auth: 'x' })
    expect(read).toEqual({ request: { jsonrpc: '2.0', method: 'a', id: 1 } })
  })

  test.each([
    ['nothing', null],
    ['a number', 3],
    ['a text', 'x'],
    ['a list', []],
    ['an empty object', {}],
    ['another version', { jsonrpc: '1.0', method: 'a', id: 1 }],
    ['a version that is a number', { jsonrpc: 2, method: 'a', id: 1 }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    ['a method that is a number', { jsonrpc: '2.0', method: 1, id: 1 }],
    ['an id that is an object', { jsonrpc: '2.0', method: 'a', id: {} }],
    ['an id that is a list', { jsonrpc: '2.0', method: 'a', id: [1] }],
    ['an id that is a boolean', { jsonrpc: '2.0', method: 'a', id: true }],
    ['an id that no number can be', JSON.parse('{"jsonrpc":"2.0","method":"a","id":1e999}')],
    ['params that are a text', { jsonrpc: '2.0', method: 'a', id: 1, params: 'x' }],
    ['params that are null', { jsonrpc: '2.0', method: 'a', id: 1, params: null }],
    ['params that are a number', { jsonrpc: '2.0', method: 'a', id: 1, params: 0 }],
  ])('%s is none', (_, value) => {
    const read = requestIn(value)
    expect(read).toEqual({ fault: expect.stringMatching(/./) })
  })

  test.each([
    [{ id: 'x', method: 1 }, 'x'],
    [{ id: 3 }, 3],
    [{ id: {} }, null],
    [{ id: -Infinity }, null],
    [{}, null],
    [[{ id: 1 }], null],
    ['text', null],
  ])('a broken one is answered with the id that can be told: %j', (value, id) => {
    expect(idIn(value)).toBe(id)
  })
})

test('a batch holds one request at least, and fifty at most', () => {
  expect(batchFault([])).toBe('A batch holds at least one request.')
  expect(batchFault(Array.from({ length: batchAtMost }))).toBeUndefined()
  expect(batchFault(Array.from({ length: batchAtMost + 1 }))).toContain('at most 50')
})

describe('a refusal as an error', () => {
  test.each<[Code, number]>([
    ['invalid_input', -32602],
    ['manifest_invalid', -32602],
    ['internal_error', -32603],
    ['bad_json', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['character_not_found', 404],
    ['run_ended', 409],
    ['revision_mismatch', 412],
    ['payload_too_large', 413],
    ['rate_limited', 429],
    ['unavailable', 503],
  ])('%s has the number %i', (code, number) => {
    const error = errorOf(new Refusal(code, 'No.', { hint: 'Do this.' }), { requestId: 'req_9' })
    expect(error).toEqual({
      code: number,
      message: 'No.',
      data: { detail: 'No.', code, hint: 'Do this.', request_id: 'req_9' },
    })
  })
})

test('an answer is the text of the result in its envelope', () => {
  expect(resultText('a"b', '{"x":1}')).toBe('{"jsonrpc":"2.0","id":"a\\"b","result":{"x":1}}')
  const text = errorText(null, { code: -32600, message: 'No.' })
  expect(JSON.parse(text)).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32600, message: 'No.' },
  })
})
