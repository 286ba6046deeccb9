import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DoorRequest } from '#protocol/door.ts'
import { legacy, messageOf, request } from '../mcp-requests.ts'
import { eras, served, type Send, type Served } from './served.ts'

let place: Served

beforeAll(async () => {
  place = await served()
})
afterAll(() => place.close())

async function errorOf(sent: DoorRequest) {
  const answer = await place.handle(sent)
  const { error } = await messageOf(answer)
  return { status: answer.status, code: error?.code, data: error?.data ?? {} }
}

const anonymous = { headers: { authorization: undefined } }

describe.each(eras)(
  'by clients of %s, what cannot be done is told as a refusal',
  (_, send: Send) => {
    test.each(['runs_lease', 'runs.lease', 'POST /api/runs/lease'])(
      'the method %s is a tool, which tools/call calls',
      async (method) => {
        const { code, data } = await errorOf(send(method, {}, anonymous))
        expect({ code, data }).toMatchObject({
          code: -32601,
          data: { code: 'operation_not_found', suggestion: 'tools/call', request_id: 'req_1' },
        })
        const params = JSON.parse(/params (\{.*\})\./.exec(String(data['hint']))?.[1] ?? '')
        expect(params).toMatchObject({ name: 'runs_lease' })
        const then = await messageOf(await place.handle(send('tools/call', params, anonymous)))
        expect(then.result).toMatchObject({ _meta: { 'abode/error': { code: 'unauthenticated' } } })
      },
    )

    test.each([
      ['tools.call', 'tools/call'],
      ['tools/cal', 'tools/call'],
      ['resource/read', 'resources/read'],
    ])('the method %s is spelled like %s', async (method, suggestion) => {
      const { code, data } = await errorOf(send(method, {}, anonymous))
      expect({ code, data }).toMatchObject({ code: -32601, data: { suggestion } })
    })

    test('the list of tasks of 2025 is told what lists them', async () => {
      const { code, data } = await errorOf(send('tasks/list', {}, anonymous))
      expect(code).toBe(-32601)
      expect(data['hint']).toContain('the tool runs_list lists runs')
    })

    test('another method is told those that there are', async () => {
      const { code, data } = await errorOf(send('foo/bar', {}, anonymous))
      expect(code).toBe(-32601)
      expect(data).not.toHaveProperty('suggestion')
      expect(data['hint']).toMatch(/tools\/call.+tools\/list/)
    })

    test.each([
      ['no name', { tool: 'health_get', args: {} }, '/name'],
      ['arguments of null', { name: 'health_get', arguments: null }, '/arguments'],
      ['a list of arguments', { name: 'health_get', arguments: [1] }, '/arguments'],
      ['a text that is no object', { name: 'health_get', arguments: 'now' }, '/arguments'],
    ])('%s: it says what tools/call takes', async (_title, params, pointer) => {
      const { code, data } = await errorOf(send('tools/call', params, anonymous))
      expect({ code, data }).toMatchObject({
        code: -32602,
        data: { code: 'invalid_input', errors: [{ pointer }], request_id: 'req_1' },
      })
      const example = JSON.parse(/: (\{.*\})\.$/.exec(String(data['hint']))?.[1] ?? '')
      const then = await messageOf(await place.handle(send('tools/call', example, anonymous)))
      expect(then.result).not.toHaveProperty('isError')
    })

    test('arguments that are the JSON of an object are understood, and it is said', async () => {
      const params = { name: 'operations_get', arguments: '{"name": "tasks_run"}' }
      const { result } = await messageOf(await place.handle(send('tools/call', params, anonymous)))
      expect(result).toMatchObject({
        content: [{ text: expect.stringContaining('tasks.run') }],
        _meta: { 'abode/understood': [{ pointer: '/arguments', as: 'object' }] },
      })
    })

    test.each([
      ['resources/read', { uri: 'abode://skil' }, 'abode://skill'],
      ['resources/read', { uri: 'abode://nothing/like/it' }, undefined],
      ['prompts/get', { name: 'be_the_brian' }, 'be_the_brain'],
      ['prompts/get', { name: 'nope' }, undefined],
    ])('%s with %j leads to %s', async (method, params, suggestion) => {
      const { code, data } = await errorOf(send(method, params, anonymous))
      expect(code).toBe(-32602)
      expect(data['suggestion']).toBe(suggestion)
      expect(data).toMatchObject({ hint: expect.stringMatching(/\/list/), request_id: 'req_1' })
    })
  },
)

describe('a message in another form', () => {
  const message = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
  test.each([
    ['without jsonrpc', { id: 7, method: 'tools/list' }, 400, -32600],
    ['without a method', { jsonrpc: '2.0', id: 7 }, 400, -32600],
    ['with a text for params', { ...message, params: 'x' }, 400, -32600],
    ['with params of null', { ...message, params: null }, 400, -32600],
    ['in a batch', [message], 400, -32600],
  ])('%s is told what to send', async (_, body, status, code) => {
    const said = await errorOf(request(body))
    expect(said).toMatchObject({ status, code, data: { request_id: 'req_1' } })
    expect(said.data['hint']).toMatch(/message/)
  })

  test('that accepts no stream is told the header', async () => {
    const said = await errorOf(
      legacy(
        'tools/list',
        { cursor: null },
        { headers: { accept: 'application/json', authorization: undefined } },
      ),
    )
    expect(said).toMatchObject({ status: 406, data: { code: 'not_acceptable' } })
    expect(said.data['hint']).toContain('Accept: application/json, text/event-stream')
  })

  test('by GET is told to POST', async () => {
    const said = await errorOf(request(undefined, { method: 'GET' }))
    expect(said).toMatchObject({ status: 405, data: { code: 'method_not_allowed' } })
    expect(said.data['hint']).toMatch(/POST .+tools\/list/)
  })
})
