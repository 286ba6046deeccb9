import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { bodyOf, openA2a, textIn, type A2aWorld } from '#tests/protocol/a2a-harness.ts'
import { oneStore } from '#tests/support/stores.ts'

let a2a: A2aWorld
let store: Store
let key: string
let run: string

beforeAll(async () => {
  const [kind] = oneStore()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  a2a = openA2a(store)
  key = (await a2a.account()).key
  const task = { task_id: 'echo', name: 'Echo', prompt: 'Echo', runtime: 'template' }
  const heart = { tasks: [task] }
  await a2a.ask('characters.create', { character: { id: 'ada', name: 'Ada', heart } }, key)
  const made = await a2a.rpc('tasks.run', { char_id: 'ada', task_id: 'echo' }, { key })
  run = textIn(made.result?.['id'])
})
afterAll(async () => {
  await a2a.door.close()
  await store.close()
})

async function errorOf(body: unknown) {
  return bodyOf(await a2a.post(body, { key })).error
}

describe('a request in another form is shown one that works', () => {
  const request = { jsonrpc: '2.0', id: 1, method: 'health.get' }
  test.each([
    ['an empty batch', []],
    ['no jsonrpc', { id: 1, method: 'health.get' }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    ['params of null', { ...request, params: null }],
    ['a text for params', { ...request, params: 'x' }],
  ])('%s', async (_, body) => {
    const error = await errorOf(body)
    expect(error).toMatchObject({ code: -32600, data: { request_id: 'req_1' } })
    const shown = /such as (\{.*\}), with the header/.exec(textIn(error?.data?.['hint']))?.[1]
    const { method, params } = JSON.parse(shown ?? '')
    expect((await a2a.rpc1(method, params, { key })).error).toBeUndefined()
  })

  test('a GET', async () => {
    const answer = await a2a.post(undefined, { method: 'GET' })
    expect(answer.status).toBe(405)
    const { error } = bodyOf(answer)
    expect(error?.data).toMatchObject({
      code: 'method_not_allowed',
      hint: expect.stringMatching(/POST.+SendMessage/),
    })
  })

  test.each([{}, { message: 'Hello' }, { message: null }])('a message of %j', async (params) => {
    const { error } = await a2a.rpc1('SendMessage', params, { key })
    const shown = /params such as (\{.*\})\.$/.exec(error?.message ?? '')?.[1]
    expect((await a2a.rpc1('SendMessage', JSON.parse(shown ?? ''), { key })).error).toBeUndefined()
    const old = await a2a.rpc('message/send', params, { key })
    expect(old.error?.message).toContain('"kind":"text"')
  })
})

describe('a task that is not there', () => {
  test.each(['GetTask', 'CancelTask'])('%s says where tasks are', async (method) => {
    const { error } = await a2a.rpc1(method, { id: 'nothing' }, { key })
    expect(error).toMatchObject({ code: -32001, message: expect.stringContaining('ListTasks') })
  })

  test('is told to be a run, where it is the id of one', async () => {
    const { error } = await a2a.rpc1('CancelTask', { id: run }, { key })
    const [, method = '', input = ''] =
      /`(runs\.cancel) (\{[^`]*\})` cancels/.exec(error?.message ?? '') ?? []
    const then = await a2a.rpc(method, JSON.parse(input), { key })
    // It is found, and has ended already: that says how to go on, too.
    expect(then.error?.data).toMatchObject({
      code: 'run_ended',
      hint: expect.stringContaining(`runs.get {"run_id":"${run}"}`),
    })
  })
})

test.each([
  ['agent_claim.status', 'token'],
  ['agent_claim.recover', 'claim_token'],
])('%s with a token of no claim leads to another account', async (name, member) => {
  const { code, hint } = await a2a.refusal(name, { [member]: 'act_nothing' })
  expect({ code, hint }).toEqual({
    code: 'claim_not_found',
    hint: expect.stringContaining('`agent_claim.create` gives another'),
  })
})

test('an address at which no task listens says which there are', async () => {
  const { code, hint } = await a2a.refusal('hooks.receive', {
    char_id: 'ada',
    path: 'no',
    body: {},
  })
  expect({ code, hint }).toEqual({
    code: 'hook_not_found',
    hint: expect.stringContaining('`tasks.list {"char_id":"ada"}`'),
  })
})
