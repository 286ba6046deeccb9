import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DoorRequest } from '#protocol/door.ts'
import { envelope, legacy, messageOf, modern, request } from '../mcp-requests.ts'
import { eras, served, type Send, type Served } from './served.ts'

let place: Served

beforeAll(async () => {
  place = await served()
})
afterAll(() => place.close())

const anonymous = { headers: { authorization: undefined } }

async function errorOf(sent: DoorRequest) {
  const answer = await place.handle(sent)
  const { error } = await messageOf(answer)
  return { status: answer.status, ...error, data: error?.data ?? {} }
}

/** Words of the library that checks messages, or of the one that checks schemas. */
const foreign = /Invalid input|Bad Request|JSON-RPC message|expected (?:string|object|record)/

/** The tool of a call, if it names one: what is shown calls the same. */
const toolOf = (params: object): object => ('name' in params ? { name: params.name } : {})

const prompt = { type: 'ref/prompt', name: 'provision_team' }
const argument = { name: 'goal', value: 'a' }

describe.each(eras)('by clients of %s params in another form', (_, send: Send) => {
  test.each([
    ['prompts/get', {}, '/name'],
    ['prompts/get', { name: 5 }, '/name'],
    ['prompts/get', { name: 'provision_team' }, '/arguments/goal'],
    ['prompts/get', { name: 'provision_team', arguments: 'x' }, '/arguments'],
    ['prompts/get', { name: 'provision_team', arguments: { goal: 1 } }, '/arguments'],
    ['resources/read', {}, '/uri'],
    ['resources/read', { uri: 5 }, '/uri'],
    ['resources/read', { uri: ['abode://skill'] }, '/uri'],
    ['completion/complete', {}, '/ref'],
    ['completion/complete', { ref: 'provision_team', argument }, '/ref'],
    ['completion/complete', { ref: { type: 'ref/prompt' }, argument }, '/ref'],
    ['completion/complete', { ref: prompt }, '/argument'],
    ['completion/complete', { ref: prompt, argument: { name: 'goal' } }, '/argument'],
    ['completion/complete', { ref: prompt, argument, context: { arguments: [1] } }, '/context'],
    ['tools/list', { cursor: 'x' }, '/cursor'],
    ['prompts/list', { cursor: 5 }, '/cursor'],
    ['tools/call', { name: 'health_get', _meta: { progressToken: {} } }, '/_meta/progressToken'],
    ['tools/call', { name: 'operations_search', arguments: [{ q: 'task' }] }, '/arguments'],
    ['tools/call', { name: 'operations_search', arguments: 'task' }, '/arguments'],
    ['tools/call', { arguments: { q: 'task' } }, '/name'],
  ])('of %s, as %j, are told at %s, and what works', async (method, params, pointer) => {
    const { code, message = '', data } = await errorOf(send(method, params, anonymous))
    expect({ code, data }).toMatchObject({
      code: -32602,
      data: { code: 'invalid_input', errors: [{ pointer }], request_id: 'req_1' },
    })
    expect(message).toContain(data['hint'])
    expect(JSON.stringify({ message, data })).not.toMatch(foreign)
    const shown = /(\{.*\})/.exec(String(data['hint']))?.[1] ?? '{}'
    const then = await place.handle(send(method, JSON.parse(shown), anonymous))
    const right = await messageOf(then)
    expect(right.error).toBeUndefined()
    expect(right.result).not.toHaveProperty('isError', true)
    if (method === 'tools/call') expect(JSON.parse(shown)).toMatchObject(toolOf(params))
  })

  test.each([
    ['resources/read', { uri: 'skill' }, 'abode://skill'],
    ['prompts/get', { name: 'provision' }, 'provision_team'],
  ])('%s of a part of a name leads to the whole', async (method, params, name) => {
    const { data } = await errorOf(send(method, params, anonymous))
    expect(data).toMatchObject({ suggestion: name, hint: expect.stringContaining(name) })
  })

  test('a cursor of null is none', async () => {
    const { result } = await messageOf(
      await place.handle(send('prompts/list', { cursor: null }, anonymous)),
    )
    expect(result).toHaveProperty('prompts')
  })
})

describe('params that one revision has alone', () => {
  test.each([
    [5, '/notifications'],
    [{ toolsListChanged: 'yes' }, '/notifications/toolsListChanged'],
    [{ resourceSubscriptions: 'abode://skill' }, '/notifications/resourceSubscriptions'],
  ])('of subscriptions/listen, as %j, are told', async (notifications, pointer) => {
    const sent = modern('subscriptions/listen', { notifications }, anonymous)
    const { code, data } = await errorOf(sent)
    expect({ code, data }).toMatchObject({ code: -32602, data: { errors: [{ pointer }] } })
  })

  test.each([
    ['io.modelcontextprotocol/clientInfo', 'x'],
    ['io.modelcontextprotocol/clientCapabilities', 5],
    ['io.modelcontextprotocol/protocolVersion', 5],
  ])('the envelope with %s as %j is told', async (name, value) => {
    const sent = modern('tools/list', { _meta: { ...envelope, [name]: value } }, anonymous)
    const { data, message } = await errorOf(sent)
    expect(data).toMatchObject({ errors: [{ pointer: `/_meta/${name.replace('/', '~1')}` }] })
    expect(message).not.toMatch(foreign)
  })

  test('a method of the other revision is told where it is', async () => {
    const listen = await errorOf(legacy('subscriptions/listen', {}, anonymous))
    expect(listen).toMatchObject({ status: 200, code: -32601 })
    expect(listen.data['hint']).toContain('MCP-Protocol-Version: 2026-07-28')
    const ping = await errorOf(modern('ping', {}, anonymous))
    expect(ping).toMatchObject({ status: 404, code: -32601 })
    expect(ping.data['hint']).toContain('2025')
    expect((await errorOf(legacy('ping', {}, anonymous))).code).toBeUndefined()
  })
})

describe('a message that MCP does not take', () => {
  const whole = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
  test.each([
    ['with an id of null', { ...whole, id: null }],
    ['with half an id', { ...whole, id: 1.5 }],
    ['with a member of its own', { ...whole, key: 'x' }],
    ['with a result', { ...whole, result: {} }],
    ['with a list for params', { ...whole, params: [1] }],
    ['without an id, with a list for params', { ...note, params: [1] }],
    ['without an id, with a text for params', { ...note, params: 'x' }],
    ['without an id, with a member of its own', { ...note, key: 'x' }],
    ['without an id, with a text for _meta', { ...note, params: { _meta: 'x' } }],
    ['that answers nothing', { jsonrpc: '2.0', id: 1, result: 5 }],
    ['that fails nothing', { jsonrpc: '2.0', id: 1, error: 5 }],
  ])('%s is told in the words of the door', async (_, body) => {
    const { status, message, data } = await errorOf(request(body))
    expect(status).toBe(400)
    expect(data).toMatchObject({ detail: expect.any(String), request_id: 'req_1' })
    expect(data['hint']).toBeTruthy()
    expect(JSON.stringify({ message, data })).not.toMatch(foreign)
  })

  test.each([[{}], [{ requestId: {} }], [{ requestId: 'never' }]])(
    'a notification that cancels %j gets no answer',
    async (params) => {
      const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
      const answer = await place.handle(request(body))
      expect([answer.status, answer.body ?? '']).toEqual([202, ''])
    },
  )
})
