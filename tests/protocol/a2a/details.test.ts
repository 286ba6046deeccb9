import { describe, expect, test } from 'vitest'
import { bodyOf, request, textIn } from '#tests/protocol/a2a-harness.ts'
import { openedA2a } from './opened.ts'

const at = openedA2a()

interface Detail {
  '@type': string
  value?: { detail: string; hint?: string }
}

/** An error as it is sent, with its details. */
async function errorOf(method: string, params: object, version: '1.0' | '0.3') {
  const headers = version === '1.0' ? { 'a2a-version': '1.0' } : { 'a2a-version': '0.3' }
  const { body } = await at.a2a.post(request(method, params), { key: at.key, headers })
  if (typeof body !== 'string') throw new Error('the answer is no text')
  return (JSON.parse(body) as { error: { message: string; data: Detail[] } }).error
}

describe.each([
  ['1.0', 'SendMessage', {}, 'invalid_input'],
  ['1.0', 'GetTask', { id: 'none' }, 'task_not_found'],
  ['1.0', 'ListTasks', { pageToken: 'x' }, 'invalid_input'],
  ['1.0', 'CreateTaskPushNotificationConfig', {}, 'push_notification_not_supported'],
  ['0.3', 'message/send', {}, 'invalid_input'],
  ['0.3', 'tasks/get', {}, 'invalid_input'],
  ['0.3', 'tasks/cancel', { id: 'none' }, 'task_not_found'],
] as const)('%s %s of %j', (version, method, params, code) => {
  test('has the object that every door gives among its details', async () => {
    const { message, data } = await errorOf(method, params, version)
    const types = data.map((detail) => detail['@type'])
    expect(types.every((type) => type.startsWith('type.googleapis.com/google.'))).toBe(true)
    expect(types).toContain('type.googleapis.com/google.rpc.ErrorInfo')
    const [object, ...more] = data.filter(({ '@type': type }) => type.endsWith('.Struct'))
    expect(more).toEqual([])
    expect(object?.value).toMatchObject({ code, request_id: 'req_1', detail: expect.any(String) })
    // Who reads the message alone is told the same.
    expect(object?.value?.hint).toEqual(expect.any(String))
    expect(message).toContain(object?.value?.hint ?? object?.value?.detail)
  })
})

describe('who knows no task, in version 0.3', () => {
  test.each([
    ['tasks/get', {}],
    ['tasks/get', { id: 'none' }],
    ['tasks/cancel', {}],
    ['tasks/list', {}],
  ])('and sends %s of %j, is led to the list of them', async (method, params) => {
    const sent = { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }
    const begun = await at.a2a.rpc('message/send', { message: sent }, { key: at.key })
    const { error } = await at.a2a.rpc(method, params, { key: at.key })
    const [, name = '', header] =
      /(ListTasks).+?"A2A-Version: (1\.0)"/.exec(textIn(error?.data?.['hint'])) ?? []
    const headers = { 'a2a-version': header ?? '' }
    const list = bodyOf(await at.a2a.post(request(name, {}), { key: at.key, headers }))
    expect(JSON.stringify(list.result)).toContain(textIn(begun.result?.['id']))
  })
})
