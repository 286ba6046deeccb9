import * as z from 'zod'
import { beforeAll, describe, expect, test } from 'vitest'
import { bodyOf, textIn } from '#tests/protocol/a2a-harness.ts'
import { openedA2a } from './opened.ts'

const echo = { task_id: 'echo', name: 'Echo', prompt: 'Echo', runtime: 'template' }
const at = openedA2a({ id: 'ada', name: 'Ada', heart: { tasks: [echo] } })
let run: string

beforeAll(async () => {
  const made = await at.a2a.rpc('tasks.run', { char_id: 'ada', task_id: 'echo' }, { key: at.key })
  run = textIn(made.result?.['id'])
})

async function errorOf(body: unknown) {
  return bodyOf(await at.a2a.post(body, { key: at.key })).error
}

function taskIdIn(result: unknown): string {
  return z.object({ task: z.object({ id: z.string() }) }).parse(result).task.id
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
    expect((await at.a2a.rpc1(method, params, { key: at.key })).error).toBeUndefined()
  })

  test('a GET', async () => {
    const answer = await at.a2a.post(undefined, { method: 'GET' })
    expect(answer.status).toBe(405)
    const { error } = bodyOf(answer)
    expect(error?.data).toMatchObject({
      code: 'method_not_allowed',
      hint: expect.stringMatching(/POST.+SendMessage/),
    })
  })

  const shownIn = ({ message }: { message?: string } = {}): Record<string, unknown> =>
    JSON.parse(/params such as (\{.*\})\./.exec(message ?? '')?.[1] ?? 'null') as Record<
      string,
      unknown
    >
  const foreign = /Invalid|expected|received|undefined|discriminator/

  test.each([
    [{}, 'Hello'],
    [{ message: null }, 'Hello'],
    [{ message: 'What of the tides?' }, 'What of the tides?'],
    [{ text: 'What of the tides?' }, 'What of the tides?'],
    [{ message: { content: 'What of the tides?' } }, 'What of the tides?'],
    [{ message: { role: 'user', parts: 'What of the tides?' } }, 'What of the tides?'],
    [{ message: { parts: [{ type: 'text', text: 'What of?' }] } }, 'What of?'],
    [{ message: { messageId: 'm1', role: 'someone', parts: ['What of?'] } }, 'What of?'],
    [{ message: { messageId: 5, parts: [{ text: 'x'.repeat(300) }] } }, 'Hello'],
  ])('a message as %j', async (params, words) => {
    const { error } = await at.a2a.rpc1('SendMessage', params, { key: at.key })
    expect(error?.message).not.toMatch(foreign)
    const shown = shownIn(error)
    expect(JSON.stringify(shown)).toContain(`"text":"${words}"`)
    expect((await at.a2a.rpc1('SendMessage', shown, { key: at.key })).error).toBeUndefined()
    const old = await at.a2a.rpc('message/send', params, { key: at.key })
    expect(old.error?.message).not.toMatch(foreign)
    expect(
      (await at.a2a.rpc('message/send', shownIn(old.error), { key: at.key })).error,
    ).toBeUndefined()
  })

  test.each(['GetTask', 'CancelTask'])('%s without the id that it takes', async (method) => {
    const message = { messageId: `of-${method}`, role: 'ROLE_USER', parts: [{ text: 'Hello' }] }
    const made = await at.a2a.rpc1('SendMessage', { message }, { key: at.key })
    const id = taskIdIn(made.result)
    const none = await at.a2a.rpc1(method, {}, { key: at.key })
    expect(none.error?.message).toBe(
      'id: must be a text, and is missing. Send params such as {"id":"TASK_ID"}. ' +
        'ListTasks, sent with the header "A2A-Version: 1.0", lists the tasks that you may see.',
    )
    const { error } = await at.a2a.rpc1(method, { taskId: id }, { key: at.key })
    const shown = shownIn(error)
    expect(shown).toEqual({ id })
    // It may have ended: it is found.
    expect((await at.a2a.rpc1(method, shown, { key: at.key })).error?.code).not.toBe(-32602)
  })

  test.each([
    ['1.0', 'ListTasks', { pageSize: 'many' }],
    ['1.0', 'SubscribeToTask', { id: 5 }],
    ['0.3', 'tasks/get', { taskId: 'a' }],
    ['0.3', 'tasks/cancel', {}],
    ['0.3', 'tasks/resubscribe', { id: null }],
  ] as const)('%s %s of %j', async (version, method, params) => {
    const call = (sent: object) =>
      version === '1.0'
        ? at.a2a.rpc1(method, sent, { key: at.key })
        : at.a2a.rpc(method, sent, { key: at.key })
    const { error } = await call(params)
    expect(error?.message).not.toMatch(foreign)
    const then = await call(shownIn(error))
    expect(then.error?.code).not.toBe(-32602)
  })
})

describe('a task that is not there', () => {
  test.each(['GetTask', 'CancelTask'])('%s says where tasks are', async (method) => {
    const { error } = await at.a2a.rpc1(method, { id: 'nothing' }, { key: at.key })
    expect(error).toMatchObject({ code: -32001, message: expect.stringContaining('ListTasks') })
  })

  test('is told to be a run, where it is the id of one', async () => {
    const { error } = await at.a2a.rpc1('CancelTask', { id: run }, { key: at.key })
    const [, method = '', input = ''] =
      /`(runs\.cancel) (\{[^`]*\})` cancels/.exec(error?.message ?? '') ?? []
    const then = await at.a2a.rpc(method, JSON.parse(input), { key: at.key })
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
  const { code, hint } = await at.a2a.refusal(name, { [member]: 'act_nothing' })
  expect({ code, hint }).toEqual({
    code: 'claim_not_found',
    hint: expect.stringContaining('`agent_claim.create` gives another'),
  })
})

test('an address at which no task listens says which there are', async () => {
  const { code, hint } = await at.a2a.refusal('hooks.receive', {
    char_id: 'ada',
    path: 'no',
    body: {},
  })
  expect({ code, hint }).toEqual({
    code: 'hook_not_found',
    hint: expect.stringContaining('`tasks.list {"char_id":"ada"}`'),
  })
})
