import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DoorRequest } from '#protocol/door.ts'
import { smallDoor } from '../mcp-harness.ts'
import { legacy, messageOf, request } from '../mcp-requests.ts'
import { eras, served, type Send, type Served } from './served.ts'

let place: Served

beforeAll(async () => {
  place = await served()
})
afterAll(() => place.close())

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)]
}

/** So deep that a recursive walk runs out of stack. */
const abyss: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
const anonymous = { headers: { authorization: undefined } }
const call = { name: 'health_get', arguments: {} }
const client = { name: 'test', version: '1' }
const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client }

async function answerTo(sent: DoorRequest) {
  const answer = await place.handle(sent)
  return { status: answer.status, ...(await messageOf(answer)) }
}

describe.each(eras)('what is nested too deep, by clients of %s, is refused', (_, send: Send) => {
  test.each([
    [
      'next to the arguments of a tool',
      'tools/call',
      { ...call, _meta: { 'x402/payment': abyss } },
    ],
    ['next to those of a tool that waits', 'tools/call', { ...call, name: 'runs_lease', _: abyss }],
    ['in the parameters of a list', 'tools/list', { a: abyss }],
    [
      'in what a client can do',
      'server/discover',
      { _meta: { 'io.modelcontextprotocol/clientCapabilities': { experimental: { a: abyss } } } },
    ],
    ['in what is subscribed to', 'subscriptions/listen', { notifications: { a: abyss } }],
  ])('%s', async (_, method, params) => {
    const { status, error } = await answerTo(send(method, params, anonymous))
    expect({ status, error }).toMatchObject({ status: 400, error: { data: { code: 'too_deep' } } })
  })

  test.each([
    ['health_get', 'too_deep'],
    // Who may not call it is told that first: nothing of the arguments is looked at.
    ['runs_lease', 'unauthenticated'],
  ])('in arguments of %s, by the operation', async (name, code) => {
    const sent = send('tools/call', { name, arguments: { a: abyss } }, anonymous)
    const { result } = await answerTo(sent)
    expect(result).toMatchObject({ isError: true, _meta: { 'abode/error': { code } } })
  })

  test('and counted', async () => {
    const counted: unknown[] = []
    const state = { name: 'reads', count: 9, seconds: 9, remaining: 9, resetSeconds: 9 } as const
    const door = smallDoor(place.world.core, {
      admit({ address }) {
        counted.push(address)
        return { ...state, admitted: true }
      },
    })
    await door.handle(send('tools/call', { ...call, a: abyss }, anonymous))
    expect(counted).toEqual(['127.0.0.0/24'])
    await door.close()
  })

  test('and nothing that is not', async () => {
    const meta = { 'example/trace': nested(29) }
    const { result } = await answerTo(send('tools/call', { ...call, _meta: meta }, anonymous))
    expect(result).toHaveProperty('structuredContent')
  })
})

describe('a handshake', () => {
  test.each([
    ['without anything', {}],
    ['with invalid capabilities', { ...handshake, capabilities: { roots: 5 } }],
    ['with an invalid title', { ...handshake, clientInfo: { ...client, title: 7 } }],
    ['with invalid icons', { ...handshake, clientInfo: { ...client, icons: 'x' } }],
    ['with a list for parameters', []],
  ])('%s is told what it takes', async (_, params) => {
    const body = { jsonrpc: '2.0', id: 7, method: 'initialize', params }
    const { error } = await answerTo(request(body))
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^initialize takes/),
    })
  })

  test('nested too deep is refused', async () => {
    const capabilities = { experimental: { a: { b: abyss } } }
    const { error } = await answerTo(
      legacy('initialize', { ...handshake, capabilities }, anonymous),
    )
    expect(error).toMatchObject({ code: 400, data: { code: 'too_deep' } })
  })

  test('that asks for no answer gets none', async () => {
    const { status, body } = await place.handle(request({ jsonrpc: '2.0', method: 'initialize' }))
    expect([status, body ?? '']).toEqual([202, ''])
  })
})
