import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { stores } from '#tests/support/stores.ts'
import {
  message,
  openA2a,
  textIn,
  type A2aWorld,
  type RpcAnswer,
  type Shown,
} from './a2a-harness.ts'

let a2a: A2aWorld
let store: Store
let work: Work
let key: string

const gate = { requires_approval: true, approval_prompt: 'Send it?', approvers: ['ada', 'grace'] }

beforeEach(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  a2a = openA2a(store)
  work = startWork(a2a.ports, ['runner'], 2)
  key = (await a2a.account()).key
  for (const id of ['ada', 'grace']) {
    await a2a.ask('characters.create', { character: { id, name: id } }, key)
  }
  const whole = { runtime: 'template', prompt: 'Heard: {{input}}' }
  const send = { task_id: 'send', name: 'Send', ...whole, approval_gate: gate }
  await a2a.ask('tasks.create', { char_id: 'ada', task: send }, key)
  const free = { task_id: 'free', name: 'Free', ...whole, runtime: 'prompt' }
  await a2a.ask('tasks.create', { char_id: 'ada', task: free }, key)
})
afterEach(async () => {
  await a2a.door.close()
  await work.stop()
  await store.close()
})

const running = (task_id: string) =>
  message({ operation: 'tasks.run', params: { char_id: 'ada', task_id, input: 'this' } })
const post = (params: object, as = key): Promise<RpcAnswer> =>
  a2a.rpc1('SendMessage', params, { key: as })
const taskIn = ({ result, error }: RpcAnswer): Shown => {
  if (!result?.['task']) throw new Error(`there is no task: ${JSON.stringify(error)}`)
  return result['task']
}
const waiting = async (): Promise<{ task: Shown; approval_id: string }> => {
  const task = taskIn(await post(running('send')))
  const [asked] = task['status']?.['message']?.['parts'] ?? []
  return { task, approval_id: textIn(asked?.['data']?.['id']) }
}
const to = (task: Shown, data: object | string, more: object = {}) => {
  const sent = message('x', { taskId: task['id'], contextId: task['contextId'], ...more })
  return {
    message: { ...sent.message, parts: [typeof data === 'string' ? { text: data } : { data }] },
  }
}

test('a run that waits for an approval requires input, and says what is asked', async () => {
  const { task, approval_id } = await waiting()
  expect(task).toMatchObject({
    status: {
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: {
        role: 'ROLE_AGENT',
        parts: [
          {
            data: { id: approval_id, state: 'pending', approvers: ['ada', 'grace'], input: 'this' },
          },
          { text: 'Send it?' },
          { data: { operation: 'approvals.decide', params: { approval_id } } },
          { text: expect.stringContaining('"decision": "approve"') },
        ],
      },
    },
  })
  const read = await a2a.rpc1('GetTask', { id: task['id'] }, { key })
  expect(read.result?.['status']).toEqual(task['status'])
})

test('a message that approves is answered with what the follow-up run came to', async () => {
  const { task } = await waiting()
  const done = taskIn(await post(to(task, { decision: 'approve', as_char_id: 'ada' })))
  expect(done).toMatchObject({
    id: task['id'],
    contextId: task['contextId'],
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ parts: [{ data: { output: 'Heard: this' } }] }],
    history: [{ parts: [{ data: { operation: 'tasks.run' } }] }, { role: 'ROLE_USER' }],
  })
  expect(done['metadata']?.['abode/run_id']).not.toBe(task['metadata']?.['abode/run_id'])
  const read = await a2a.rpc1('GetTask', { id: task['id'] }, { key })
  expect(read.result).toEqual(done)
})

test('the same message again decides nothing more, and is answered with the task', async () => {
  const { task } = await waiting()
  const sent = to(task, { decision: 'approve', as_char_id: 'ada' })
  const first = taskIn(await post(sent))
  expect(taskIn(await post(sent))).toEqual(first)
})

test('the call that the task shows decides too', async () => {
  const { task, approval_id } = await waiting()
  const params = { approval_id, decision: 'reject', as_char_id: 'grace', reason: 'No.' }
  const gone = taskIn(await post(to(task, { operation: 'approvals.decide', params })))
  // One of two approvers is still there to approve it.
  expect(gone['status']?.['state']).toBe('TASK_STATE_INPUT_REQUIRED')
  const ended = taskIn(await post(to(task, { decision: 'reject', as_char_id: 'ada' })))
  expect(ended['status']).toMatchObject({
    state: 'TASK_STATE_CANCELED',
    message: { parts: [{ text: 'The run is abandoned: rejected.' }] },
  })
})

test.each([
  ['words alone', 'yes', -32602],
  ['no decision', { reason: 'x' }, -32602],
  ['a stray member', { decision: 'approve', decisions: 1 }, -32602],
  ['another approval', { decision: 'approve', approval_id: 'apr_0' }, -32602],
  ['one of several agents left open', { decision: 'approve' }, -32602],
  ['an agent that is not there', { decision: 'approve', as_char_id: 'absent' }, 404],
])('a message with %s is refused, and the task goes on waiting', async (_, data, code) => {
  const { task } = await waiting()
  const { error } = await post(to(task, data))
  expect(error?.code).toBe(code)
  const read = await a2a.rpc1('GetTask', { id: task['id'] }, { key })
  expect(read.result?.['status']).toEqual(task['status'])
})

test('a message with two decisions is refused, and the task goes on waiting', async () => {
  const { task } = await waiting()
  const { message: sent } = to(task, { decision: 'approve', as_char_id: 'ada' })
  const parts = [...sent.parts, { data: { decision: 'reject', as_char_id: 'ada' } }]
  const { error } = await post({ message: { ...sent, parts } })
  expect(error?.code).toBe(-32602)
  const read = await a2a.rpc1('GetTask', { id: task['id'] }, { key })
  expect(read.result?.['status']).toEqual(task['status'])
})

test('a decision that comes too late is a conflict, or finds the task ended', async () => {
  const { task, approval_id } = await waiting()
  await a2a.ask('tasks.update', { char_id: 'ada', task_id: 'send', task: { prompt: 'Other' } }, key)
  const stale = await post(to(task, { decision: 'approve', as_char_id: 'ada' }))
  expect(stale.error).toMatchObject({ code: 409, data: { code: 'approval_stale' } })
  for (const as_char_id of ['ada', 'grace']) {
    await a2a.ask('approvals.decide', { approval_id, decision: 'reject', as_char_id }, key)
  }
  const late = await post(to(task, { decision: 'approve', as_char_id: 'ada' }))
  expect(late.error).toMatchObject({ code: -32004 })
})

test('a message to another account’s task, or of another context, decides nothing', async () => {
  const { task } = await waiting()
  const other = (await a2a.account()).key
  const decision = { decision: 'approve', as_char_id: 'ada' }
  expect((await post(to(task, decision), other)).error?.code).toBe(-32001)
  const strange = await post(to(task, decision, { contextId: 'another' }))
  expect(strange.error?.code).toBe(-32602)
})

test('a task that waits for no approval takes no message', async () => {
  const params = { ...running('free'), configuration: { returnImmediately: true } }
  const task = taskIn(await post(params))
  const { error } = await post(to(task, { decision: 'approve' }))
  expect(error).toMatchObject({ code: -32004 })
})

test('a task that waits is cancelled with its run and its approval', async () => {
  const { task, approval_id } = await waiting()
  const { result } = await a2a.rpc1('CancelTask', { id: task['id'] }, { key })
  expect(result?.['status']?.['state']).toBe('TASK_STATE_CANCELED')
  const approval = await a2a.ask<{ state: string }>('approvals.get', { approval_id }, key)
  expect(approval.state).toBe('cancelled')
})

test('a stream of the task goes on with the follow-up run', async () => {
  const { task, approval_id } = await waiting()
  const events = a2a.stream('SubscribeToTask', { id: task['id'] }, { key })
  const state = (event: RpcAnswer): unknown =>
    event.result?.['artifactUpdate']
      ? 'artifact'
      : (event.result?.['task'] ?? event.result?.['statusUpdate'])?.['status']?.['state']
  expect(state((await events.next()).value as RpcAnswer)).toBe('TASK_STATE_INPUT_REQUIRED')
  const rest = Array.fromAsync(events)
  await a2a.ask('approvals.decide', { approval_id, decision: 'approve', as_char_id: 'ada' }, key)
  expect((await rest).map(state).slice(-2)).toEqual(['artifact', 'TASK_STATE_COMPLETED'])
})
