import { describe, expect, test } from 'vitest'
import { openedA2a } from './opened.ts'

const at = openedA2a({ id: 'ada', name: 'Ada' })

let messages = 0

/** The task that a message with this call becomes, as data or as text. */
async function taskOf(call: object, as: 'data' | 'text' = 'data') {
  const part = as === 'data' ? { data: call } : { text: `Please do ${JSON.stringify(call)}` }
  const message = { messageId: `m${(messages += 1)}`, role: 'ROLE_USER', parts: [part] }
  const { result, error } = await at.a2a.rpc1('SendMessage', { message }, { key: at.key })
  expect(error).toBeUndefined()
  return JSON.parse(JSON.stringify(result?.['task'])) as {
    status: { state: string; message?: { parts: { data?: Record<string, unknown> }[] } }
    artifacts?: { parts: { data: unknown }[] }[]
    metadata?: Record<string, unknown>
  }
}

const input = { char_id: 'ada' }
const inText = JSON.stringify(input)
const named = { pointer: '/operation', as: 'member' }
const given = { pointer: '/params', as: 'member' }
const read = { pointer: '/params', as: 'object' }

describe.each(['data', 'text'] as const)('a call as %s', (as) => {
  test.each([
    ['operation and params', { operation: 'characters.get', params: input }, undefined],
    ['JSON-RPC', { jsonrpc: '2.0', id: 1, method: 'characters.get', params: input }, [named]],
    ['a tool', { name: 'characters_get', arguments: input }, [named, given]],
    ['tool and input', { tool: 'characters_get', input }, [named, given]],
    ['operation and args', { operation: 'characters.get', args: input }, [given]],
    ['name and parameters', { name: 'characters.get', parameters: input }, [named, given]],
    ['arguments in a text', { tool: 'characters.get', arguments: inText }, [named, given, read]],
    [
      'members next to the name',
      { operation: 'characters.get', ...input },
      [{ pointer: '/params', as: 'document' }],
    ],
  ] as const)(
    'in the form of %s is done, and told how it was read',
    async (_, call, understood) => {
      const task = await taskOf(call, as)
      expect(task.status.state).toBe('TASK_STATE_COMPLETED')
      expect(task.artifacts?.[0]?.parts[0]?.data).toMatchObject({ id: 'ada' })
      expect(task.metadata).toMatchObject({ 'abode/operation': 'characters.get' })
      expect(task.metadata?.['abode/understood']).toEqual(understood)
    },
  )

  test('that is refused is told how it was read, too', async () => {
    const task = await taskOf({ tool: 'characters_get', input: { char_id: 'nothing' } }, as)
    expect(task.status.state).toBe('TASK_STATE_FAILED')
    expect(task.metadata?.['abode/understood']).toEqual([named, given])
  })

  test.each([
    { operation: 'characters.get', tool: 'characters_list', params: input },
    { operation: 'characters.get', params: input, input },
    { operation: 'characters.get', params: input, char_id: 'ada' },
    { operation: 'characters.get', colour: 'red' },
  ])('that could be read in two ways is refused: %j', async (call) => {
    const task = await taskOf(call, as)
    expect(task.status.state).toBe('TASK_STATE_REJECTED')
    expect(task.status.message?.parts[0]?.data).toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('{"operation": "<name>", "params": {…}}'),
    })
  })
})

test('a call that starts a run and asks for less of it becomes the task of that run', async () => {
  const approval_gate = { requires_approval: true }
  const task = { task_id: 'ask', name: 'Ask', runtime: 'template', prompt: 'Hi', approval_gate }
  await at.a2a.ask('tasks.create', { ...input, task }, at.key)
  const params = { ...input, task_id: 'ask', fields: ['status'] }
  const call = { operation: 'tasks.run', params }
  const message = { messageId: 'less', role: 'ROLE_USER', parts: [{ data: call }] }
  const configuration = { returnImmediately: true }
  const { result } = await at.a2a.rpc1('SendMessage', { message, configuration }, { key: at.key })
  expect(result?.['task']).toMatchObject({ status: { state: 'TASK_STATE_SUBMITTED' } })
})
