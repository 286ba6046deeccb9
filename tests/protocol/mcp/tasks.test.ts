import {
  CreateTaskResultV1Schema,
  GetTaskResultV1Schema,
} from '@modelcontextprotocol/ext-tasks/core/v1'
import {
  isDetailedTaskV2,
  isTaskStatusNotificationV2,
  isToolCallTaskResultV2,
} from '@modelcontextprotocol/ext-tasks/core/v2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decisionIn, requestFor } from '#protocol/mcp/tasks/asked.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { stores } from '#tests/support/stores.ts'
import { legacy, messageOf, modern, type Message } from '../mcp-requests.ts'
import { by, Reading, served, type Served } from './served.ts'

const extension = 'io.modelcontextprotocol/tasks'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'
const withTasks = { extensions: { [extension]: {} } }
const asking = { ...withTasks, elicitation: { form: {}, url: {} } }

const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

interface Shown {
  taskId: string
  status: string
  statusMessage?: string
  content: { text: string }[]
  capabilities?: object
  resultType?: string
  _meta?: object
  result?: { isError?: boolean; content: { text: string }[]; structuredContent?: object }
  inputRequests?: Record<string, { method: string; params: Record<string, unknown> }>
}

describe.each(stores())('tasks on $name', (kind) => {
  let place: Served
  let work: Work | undefined
  let key: string
  let stranger: string

  beforeAll(async () => {
    place = await served({}, {}, kind)
    const { world } = place
    key = (await world.account()).key
    stranger = (await world.account()).key
    const whole = { runtime: 'template', prompt: 'Heard: {{input}}' }
    const gated = (more: object) => ({
      ...whole,
      approval_gate: { requires_approval: true, approval_prompt: 'Send {{input}}?', ...more },
    })
    const tasks = [
      { task_id: 'say', name: 'Say', ...whole },
      { task_id: 'think', name: 'Think', prompt: 'Think of {{input}}' },
      { task_id: 'send', name: 'Send', ...gated({}) },
      { task_id: 'both', name: 'Both', ...gated({ approvers: ['ada', 'bob'], min_approvals: 2 }) },
      { task_id: 'sign', name: 'Sign', ...gated({ require_person: true }) },
      { task_id: 'later', name: 'Later', ...whole },
    ]
    const heart = { tasks }
    for (const id of ['ada', 'bob']) {
      const character = { id, name: id, ...(id === 'ada' && { heart }) }
      await world.ask('characters.create', { character }, key)
    }
    work = startWork(world.ports, ['runner'], 2)
  })
  afterAll(async () => {
    await work?.stop()
    await place.close()
  })

  const sent = async (
    method: string,
    params: Record<string, unknown>,
    { as = key, can = asking }: { as?: string; can?: object } = {},
  ): Promise<Message> => {
    const taskId = params['taskId']
    const more = { ...by(as) }
    if (typeof taskId === 'string') more.headers['mcp-name'] = taskId
    const request = modern(method, { ...params, _meta: { [capabilitiesKey]: can } }, more)
    return messageOf(await place.handle(request))
  }
  const resultOf = ({ result, error }: Message): Shown => {
    if (!result) throw new Error(JSON.stringify(error))
    // A member that is not there fails the test that reads it.
    return result as unknown as Shown
  }
  const run = (task_id: string, more: object = {}, can: object = asking): Promise<Message> =>
    sent(
      'tools/call',
      { name: 'tasks_run', arguments: { char_id: 'ada', task_id, input: 'tea', ...more } },
      { can },
    )
  const begun = async (task_id: string, more: object = {}): Promise<string> =>
    resultOf(await run(task_id, more)).taskId
  const got = async (taskId: string, options = {}): Promise<Shown> => {
    const task = resultOf(await sent('tasks/get', { taskId }, options))
    expect(isDetailedTaskV2(task)).toBe(true)
    expect(task).toMatchObject({ resultType: 'complete', taskId })
    return task
  }
  const until = async (taskId: string, status: string): Promise<Shown> => {
    await expect.poll(async () => (await got(taskId)).status, { timeout: 10_000 }).toBe(status)
    return got(taskId)
  }
  const answered = (taskId: string, content: object, as = key): Promise<Message> => {
    const inputResponses = { [approvalIn(taskId)]: { action: 'accept', content } }
    return sent('tasks/update', { taskId, inputResponses }, { as })
  }
  const asked = new Map<string, string>()
  const approvalIn = (taskId: string): string => asked.get(taskId) ?? 'none'
  const waiting = async (task_id: string): Promise<Shown> => {
    const task = await until(await begun(task_id), 'input_required')
    asked.set(task.taskId, Object.keys(task.inputRequests ?? {})[0] ?? '')
    return task
  }

  test('a call that goes on is answered by the handle of its run, which any process can read', async () => {
    const answer = await run('later', { not_before: tomorrow, wait_seconds: 60 })
    const handle = resultOf(answer)
    expect(isToolCallTaskResultV2('tools/call', handle)).toBe(true)
    expect(handle).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null })
    expect(handle.taskId).toMatch(/^run_/)
    const { taskId } = handle
    expect(await got(taskId)).toMatchObject({ status: 'working' })
    expect(resultOf(await sent('tasks/cancel', { taskId }))).toEqual({
      resultType: 'complete',
      _meta: expect.anything(),
    })
    expect(await got(taskId)).toMatchObject({ status: 'cancelled' })
    // A second time it has ended already.
    resultOf(await sent('tasks/cancel', { taskId }))
    resultOf(await sent('tasks/update', { taskId, inputResponses: {} }))
  })

  test('a client that does not speak what it declares finds the usual text in the handle', async () => {
    const { taskId, ...handle } = resultOf(await run('later', { not_before: tomorrow }))
    expect(JSON.parse(handle.content[0]?.text ?? '')).toMatchObject({
      id: taskId,
      status: 'queued',
    })
    resultOf(await sent('tasks/cancel', { taskId }))
  })

  test('what ends at once, or waits for its own caller, is answered as ever', async () => {
    expect(resultOf(await run('say'))).toMatchObject({
      resultType: 'complete',
      structuredContent: { status: 'completed', output: 'Heard: tea' },
    })
    expect(resultOf(await run('think'))).toMatchObject({
      resultType: 'complete',
      structuredContent: { status: 'queued', next: { operation: 'runs_lease' } },
    })
  })

  test('a person at the host approves by a form, and the task ends with what the call would have', async () => {
    const { taskId, inputRequests = {} } = await waiting('send')
    const [asks] = Object.values(inputRequests)
    expect(asks).toMatchObject({
      method: 'elicitation/create',
      params: { mode: 'form', requestedSchema: { required: ['decision'] } },
    })
    expect(asks?.params['message']).toContain('Send tea?')
    // Closing the form decides nothing.
    for (const action of ['decline', 'cancel']) {
      const inputResponses = { [approvalIn(taskId)]: { action } }
      resultOf(await sent('tasks/update', { taskId, inputResponses }))
    }
    expect(await got(taskId)).toMatchObject({ status: 'input_required' })
    expect(resultOf(await answered(taskId, { decision: 'approve', reason: '' }))).toMatchObject({
      resultType: 'complete',
    })
    const { result } = await until(taskId, 'completed')
    expect(result).toMatchObject({
      resultType: 'complete',
      structuredContent: { output: 'Heard: tea' },
    })
    expect(result).not.toHaveProperty('isError')
  })

  test('what is rejected ends with its reason, as an error', async () => {
    const { taskId } = await waiting('send')
    resultOf(await answered(taskId, { decision: 'reject', reason: 'No' }))
    const { result } = await until(taskId, 'completed')
    expect(result).toMatchObject({ isError: true, structuredContent: { status: 'abandoned' } })
  })

  test('an answer that comes twice, from two hosts at once or after the decision, changes nothing', async () => {
    const { taskId } = await waiting('send')
    const both = await Promise.all([
      answered(taskId, { decision: 'approve' }),
      answered(taskId, { decision: 'reject' }),
    ])
    for (const one of both) resultOf(one)
    await until(taskId, 'completed')
    const first = await got(taskId)
    resultOf(await answered(taskId, { decision: 'reject' }))
    expect(await got(taskId)).toEqual(first)

    const elsewhere = await waiting('send')
    const approval_id = approvalIn(elsewhere.taskId)
    await place.world.ask('approvals.decide', { approval_id, decision: 'reject' }, key)
    resultOf(await answered(elsewhere.taskId, { decision: 'approve' }))
    const { result } = await until(elsewhere.taskId, 'completed')
    expect(result).toMatchObject({ structuredContent: { status: 'abandoned' } })
  })

  test('of several approvers the form asks which one votes, and the first answer of each counts', async () => {
    const { taskId, inputRequests = {} } = await waiting('both')
    expect(Object.values(inputRequests)[0]?.params['requestedSchema']).toMatchObject({
      properties: { as_char_id: { enum: ['ada', 'bob'] } },
    })
    const { error } = await answered(taskId, { decision: 'approve' })
    expect(error).toMatchObject({ code: -32602 })
    resultOf(await answered(taskId, { decision: 'approve', as_char_id: 'ada' }))
    resultOf(await answered(taskId, { decision: 'reject', as_char_id: 'ada' }))
    expect(await got(taskId)).toMatchObject({ status: 'input_required' })
    resultOf(await answered(taskId, { decision: 'approve', as_char_id: 'bob' }))
    expect(await until(taskId, 'completed')).toMatchObject({
      result: { structuredContent: { status: 'completed' } },
    })
  })

  test('where a person has to sign in, the host is given the address, and its answer decides nothing', async () => {
    const { taskId, inputRequests = {} } = await waiting('sign')
    const [id = '', asks] = Object.entries(inputRequests)[0] ?? []
    expect(asks?.params).toMatchObject({
      mode: 'url',
      url: expect.stringContaining(`/approvals/${id}`),
    })
    resultOf(await answered(taskId, { decision: 'approve' }))
    expect(await got(taskId)).toMatchObject({ status: 'input_required' })
    resultOf(await sent('tasks/cancel', { taskId }))
    expect(await got(taskId)).toMatchObject({ status: 'cancelled' })
  })

  test('a person reads what is asked without what no one sees', async () => {
    const taskId = await begun('send', { input: 'a\u202eb\u200bc\nd'.repeat(1000) })
    const { inputRequests = {} } = await until(taskId, 'input_required')
    const message = String(Object.values(inputRequests)[0]?.params['message'])
    expect(message).toContain('Send abc\ndabc')
    expect(message).not.toMatch(/[\u202e\u200b]/)
    expect(message.length).toBeLessThan(5000)
    expect(message).toContain('/approvals/apr_')
    resultOf(await sent('tasks/cancel', { taskId }))
  })

  test('a host that cannot ask is told in words what the task waits for', async () => {
    for (const [task_id, can] of [
      ['send', withTasks],
      ['sign', { ...withTasks, elicitation: {} }],
    ] as const) {
      const { taskId } = await waiting(task_id)
      const task = await got(taskId, { can })
      expect(task).toMatchObject({ status: 'working' })
      const how = task_id === 'sign' ? 'a person who signs in' : 'approvals_decide'
      expect(task.statusMessage).toContain(how)
      resultOf(await sent('tasks/cancel', { taskId }))
    }
  })

  test('an answer that is no decision is refused, and answers to nothing are passed over', async () => {
    const { taskId } = await waiting('send')
    for (const content of [{}, { decision: 'maybe' }, { decision: 'approve', reason: 7 }]) {
      const { error } = await answered(taskId, content)
      expect(error).toMatchObject({ code: -32602 })
    }
    const inputResponses = { other: { action: 'accept', content: { decision: 'approve' } } }
    resultOf(await sent('tasks/update', { taskId, inputResponses }))
    expect(await got(taskId)).toMatchObject({ status: 'input_required' })
    resultOf(await sent('tasks/cancel', { taskId }))
  })

  test('a task of another account, of none and of no form is unknown', async () => {
    const taskId = await begun('later', { not_before: tomorrow })
    const ids = [taskId, 'run_01a1fe241d3975cf83926a5fa84be463', 'x', '', `run_${'a'.repeat(2000)}`]
    for (const one of ids) {
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        const params = { taskId: one, ...(method === 'tasks/update' && { inputResponses: {} }) }
        const { error } = await sent(method, params, { as: stranger })
        expect(error, `${method} ${one.slice(0, 50)}`).toMatchObject({ code: -32602 })
      }
    }
    expect(await got(taskId)).toMatchObject({ status: 'working' })
    resultOf(await sent('tasks/cancel', { taskId }))
  })

  test('params of another form are refused with those that work', async () => {
    for (const [method, params] of [
      ['tasks/get', {}],
      ['tasks/get', { taskId: 7 }],
      ['tasks/cancel', { taskId: null }],
      ['tasks/update', { taskId: 'run_x' }],
      ['tasks/update', { taskId: 'run_x', inputResponses: [] }],
    ] as const) {
      const { error } = await sent(method, params)
      expect(error).toMatchObject({
        code: -32602,
        data: { hint: expect.stringContaining('taskId') },
      })
    }
  })

  test('asks for less as the call did', async () => {
    const taskId = await begun('send', { view: 'summary' })
    const task = await until(taskId, 'input_required')
    asked.set(taskId, Object.keys(task.inputRequests ?? {})[0] ?? '')
    resultOf(await answered(taskId, { decision: 'approve' }))
    const { result } = await until(taskId, 'completed')
    expect(result?.structuredContent).toMatchObject({ output: 'Heard: tea' })
    expect(result?.structuredContent).not.toHaveProperty('usage')
  })

  test('clients that do not declare the extension see no tasks', async () => {
    const none = { can: { elicitation: {} } }
    const params = { char_id: 'ada', task_id: 'send', input: 'tea' }
    const answer = await sent('tools/call', { name: 'tasks_run', arguments: params }, none)
    expect(resultOf(answer)).toMatchObject({
      resultType: 'complete',
      structuredContent: { status: 'queued' },
    })
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await sent(method, { taskId: 'run_x', inputResponses: {} }, none)
      expect(error).toMatchObject({
        code: -32_021,
        data: { requiredCapabilities: { extensions: { [extension]: {} } } },
      })
      const more = { headers: { ...by(key).headers, 'mcp-protocol-version': '2025-06-18' } }
      const old = await messageOf(await place.handle(legacy(method, { taskId: 'x' }, more)))
      expect(old.error).toMatchObject({ code: -32_601 })
    }
  })

  const listen = async (notifications: object, can: object = asking): Promise<Reading> => {
    const params = { notifications, _meta: { [capabilitiesKey]: can } }
    return new Reading(await place.handle(modern('subscriptions/listen', params, by(key))))
  }

  test('who listens to tasks is told of each as tasks/get shows it, to the end of what continues it', async () => {
    const { taskId } = await waiting('send')
    const other = await begun('later', { not_before: tomorrow })
    const uri = `abode://runs/${other}`
    const taskIds = [taskId, other, taskId, 'run_absent', 'x']
    const reading = await listen({ taskIds, resourceSubscriptions: [uri] })
    expect(await reading.next()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [taskId, other], resourceSubscriptions: [uri] } },
    })
    const first = new Set<unknown>()
    while (first.size < 2) {
      const note = await reading.next()
      const { _meta, ...task } = note.params ?? {}
      if (task['uri'] === uri) continue
      expect(isTaskStatusNotificationV2(note)).toBe(true)
      expect(_meta).toMatchObject({ 'io.modelcontextprotocol/subscriptionId': 7 })
      const { resultType: _, _meta: __, ...shown } = await got(String(task['taskId']))
      expect(task).toEqual(shown)
      first.add(task['taskId'])
    }
    expect(first).toEqual(new Set([taskId, other]))
    resultOf(await answered(taskId, { decision: 'approve' }))
    resultOf(await sent('tasks/cancel', { taskId: other }))
    const rest = await reading.rest()
    const last = (id: string) => rest.findLast(({ params }) => params?.['taskId'] === id)?.params
    expect(last(other)).toMatchObject({ status: 'cancelled' })
    expect(last(taskId)).toMatchObject({ status: 'completed', result: { content: [{}] } })
    expect(rest.some(({ params }) => params?.['uri'] === uri)).toBe(true)
    expect(rest.at(-1)).toMatchObject({ id: 7, result: { resultType: 'complete' } })
  })

  test('who may follow none of the tasks is told so, and who does not declare the extension is refused', async () => {
    const none = await listen({ taskIds: ['run_absent'] })
    expect(await none.next()).toMatchObject({ params: { notifications: {} } })
    expect(await none.rest()).toMatchObject([{ id: 7, result: {} }])
    const refused = await listen({ taskIds: ['run_absent'] }, {})
    expect(await refused.rest()).toMatchObject([{ error: { code: -32_021 } }])
    const malformed = await listen({ taskIds: [7] })
    expect(await malformed.rest()).toMatchObject([{ error: { code: -32_602 } }])
  })

  test('the extension is declared where it is spoken', async () => {
    const { capabilities } = resultOf(await sent('server/discover', {}))
    // Of apps and of tasks.
    expect(capabilities).toMatchObject({
      extensions: { [extension]: {}, 'io.modelcontextprotocol/ui': {} },
    })
  })

  test('a wait for a run becomes a task too, which ends with the events that were asked for', async () => {
    const run_id = await begun('later', { not_before: tomorrow })
    const wait = { name: 'runs_events', arguments: { run_id, wait_seconds: 60, limit: 1 } }
    const { taskId, content } = resultOf(await sent('tools/call', wait))
    expect(taskId.startsWith(`${run_id}.`)).toBe(true)
    expect(content[0]?.text).toContain('run.queued')
    expect(await got(taskId)).toMatchObject({ status: 'working' })
    // Who waits no more has cancelled nothing.
    resultOf(await sent('tasks/cancel', { taskId }))
    expect(await got(taskId)).toMatchObject({ status: 'working' })
    resultOf(await sent('tasks/cancel', { taskId: run_id }))
    const { result } = await until(taskId, 'completed')
    expect(result).toMatchObject({
      structuredContent: { items: [{ type: 'run.queued' }, { type: 'run.cancelled' }] },
    })
    expect(result).not.toHaveProperty('isError')
    expect(resultOf(await sent('tools/call', wait))).toMatchObject({ resultType: 'complete' })
    const { error } = await sent('tasks/get', { taskId }, { as: stranger })
    expect(error).toMatchObject({ code: -32_602 })
  })

  test('a wait is over where the host cannot ask for the approval, and asks for it where it can', async () => {
    const { taskId: run_id } = await waiting('send')
    const events = Buffer.from(JSON.stringify({ events: {} })).toString('base64url')
    const taskId = `${run_id}.${events}`
    expect(await got(taskId, { can: withTasks })).toMatchObject({ status: 'completed' })
    expect(await got(taskId)).toMatchObject({ status: 'input_required' })
    resultOf(await answered(run_id, { decision: 'approve' }))
    expect(await until(taskId, 'completed')).toMatchObject({
      result: { structuredContent: { items: expect.any(Array) } },
    })
  })

  describe('in the form of 2025-11-25', () => {
    const old = async (
      method: string,
      params: Record<string, unknown>,
      revision = '2025-11-25',
    ): Promise<Message> => {
      const headers = { ...by(key).headers, 'mcp-protocol-version': revision }
      return messageOf(await place.handle(legacy(method, params, { headers })))
    }
    const ask = (task_id: string, more: object = {}, task: object | null = {}) =>
      old('tools/call', {
        name: 'tasks_run',
        arguments: { char_id: 'ada', task_id, input: 'tea', ...more },
        ...(task && { task }),
      })
    const made = async (task_id: string, more: object = {}): Promise<Shown> => {
      const { result } = await ask(task_id, more)
      expect(CreateTaskResultV1Schema.safeParse(result).error).toBeUndefined()
      // The schema has it.
      return (result as { task: Shown }).task
    }

    test('is declared to clients of that revision alone, with the tools that it is for', async () => {
      const shake = (protocolVersion: string) =>
        old('initialize', {
          protocolVersion,
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        })
      const tasks = { cancel: {}, requests: { tools: { call: {} } } }
      expect(resultOf(await shake('2025-11-25')).capabilities).toMatchObject({ tasks })
      expect(resultOf(await shake('2025-06-18')).capabilities).not.toHaveProperty('tasks')
      const marked = async (message: Promise<Message>) => {
        // The list has tools.
        const { tools } = (await message).result as {
          tools: { name: string; execution?: object }[]
        }
        return tools.flatMap(({ name, execution }) => (execution ? [name] : []))
      }
      // Those of which each call begins something.
      const [first, ...others] = await marked(old('tools/list', {}))
      expect([first, ...others.slice(-2)]).toEqual(['knowledge_learn', 'tasks_run', 'runs_retry'])
      expect(others).not.toContain('knowledge_learn_bulk')
      expect(await marked(old('tools/list', {}, '2025-06-18'))).toEqual([])
      expect(await marked(sent('tools/list', {}))).toEqual([])
    })

    test('a call as a task is answered by its handle, is cancelled, and keeps its result', async () => {
      const { taskId, ...task } = await made('later', { not_before: tomorrow })
      expect(task).toMatchObject({ status: 'working', ttl: null, pollInterval: 2000 })
      const found = await old('tasks/get', { taskId })
      expect(GetTaskResultV1Schema.safeParse(found.result).error).toBeUndefined()
      expect(resultOf(await old('tasks/cancel', { taskId }))).toMatchObject({ status: 'cancelled' })
      expect(resultOf(await old('tasks/result', { taskId }))).toMatchObject({
        isError: true,
        structuredContent: { status: 'cancelled' },
        _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
      })
    })

    test('a run that has ended at once is a task that has ended, and a refused call is none', async () => {
      const { taskId, status } = await made('say')
      expect(status).toBe('completed')
      expect(resultOf(await old('tasks/result', { taskId }))).toMatchObject({
        structuredContent: { output: 'Heard: tea' },
      })
      expect((await ask('absent')).error).toMatchObject({ code: -32_602 })
      expect((await old('tasks/result', { taskId: 'run_absent' })).error).toMatchObject({
        code: -32_602,
      })
    })

    test('a result is waited for, over an approval that the statusMessage names', async () => {
      const { taskId } = await made('send')
      const approval = async () => {
        const { statusMessage = '' } = resultOf(await old('tasks/get', { taskId }))
        return /approval (apr_\w+)/.exec(statusMessage)?.[1]
      }
      await expect.poll(approval, { timeout: 10_000 }).toBeDefined()
      const result = old('tasks/result', { taskId })
      const input = { approval_id: await approval(), decision: 'approve' }
      await place.world.ask('approvals.decide', input, key)
      expect(resultOf(await result)).toMatchObject({ structuredContent: { output: 'Heard: tea' } })
    })

    test('a call that does not ask for a task is none', async () => {
      const plain = { structuredContent: { status: 'queued' } }
      expect(resultOf(await ask('later', { not_before: tomorrow }, null))).toMatchObject(plain)
      const call = { name: 'tasks_run', arguments: { char_id: 'ada', task_id: 'later' } }
      for (const task of [7, null, [], { ttl: 'x' }, { ttl: null }]) {
        const { error } = await old('tools/call', { ...call, task })
        expect(error).toMatchObject({ code: -32_602, message: expect.stringMatching(/^task/) })
      }
      // Later clients do not ask.
      for (const task of [7, null, { ttl: 'x' }]) {
        const input = { char_id: 'ada', task_id: 'say' }
        const message = await sent('tools/call', { name: 'tasks_run', arguments: input, task })
        expect(resultOf(message)).toMatchObject({ resultType: 'complete' })
      }
    })

    test('a ttl that is asked for changes nothing, and no answer says that it does', async () => {
      for (const ttl of [0, -1, 1.5, 2 ** 60]) {
        const { result } = await ask('later', { not_before: tomorrow }, { ttl })
        expect(result).toMatchObject({ task: { status: 'working', ttl: null } })
      }
    })
  })

  test('what calls an operation by its name becomes a task like the operation itself', async () => {
    const named = {
      name: 'tasks.run',
      arguments: { char_id: 'ada', task_id: 'later', not_before: tomorrow },
    }
    const { taskId } = resultOf(
      await sent('tools/call', { name: 'operations_call', arguments: named }),
    )
    expect(await got(taskId)).toMatchObject({ status: 'working' })
    resultOf(await sent('tasks/cancel', { taskId }))
  })
})

describe('what a person is asked', () => {
  const approval = {
    id: 'apr_1',
    kind: 'gate',
    char_id: 'ada',
    task_id: 'send',
    prompt: 'Send it?',
    input: null,
    state: 'pending',
    approvers: ['ada'],
    yours: ['ada'],
    votes: [],
    url: 'https://abode.example/approvals/apr_1',
    follow_up_run_id: null,
    created_at: tomorrow,
  }
  const told = 'words from outside of your account'

  test('says where it holds words of strangers', () => {
    const marked = { ...approval, untrusted: true as const }
    expect(requestFor(marked, asking)?.params.message).toContain(told)
    expect(requestFor(approval, asking)?.params.message).not.toContain(told)
  })

  test.each([
    ['a gate', {}, 'form'],
    ['what a person has to sign', { require_person: true }, 'url'],
    ['a call of a tool', { kind: 'tool' }, 'url'],
    ['where a secret may go', { kind: 'secret_origin' }, 'url'],
  ])('%s is asked in the mode that may decide it', (_, more, mode) => {
    const one = { ...approval, ...more }
    expect(requestFor(one, asking)?.params.mode).toBe(mode)
    // No answer of a host decides what is decided on its page.
    const answer = { action: 'accept', content: { decision: 'approve' } }
    expect(decisionIn(one, { [one.id]: answer }) !== undefined).toBe(mode === 'form')
  })

  test('is asked by no form that others alone may answer, or that would vote twice', () => {
    const approvers = ['ada', 'bob']
    for (const more of [
      { approvers, yours: [] },
      { approvers, yours: ['ada'], votes: [{ by: 'ada' }] },
      { approvers, yours: undefined },
    ]) {
      expect(requestFor({ ...approval, ...more }, asking)).toBeUndefined()
    }
    // One voice need not be named, and its first answer counts.
    const one = { ...approval, approvers, yours: ['bob'], votes: [{ by: 'ada' }] }
    expect(requestFor(one, asking)?.params).toMatchObject({
      requestedSchema: { properties: expect.not.objectContaining({ as_char_id: {} }) },
    })
    const answer = { apr_1: { action: 'accept', content: { decision: 'approve' } } }
    expect(decisionIn(one, answer)).toEqual({ approval_id: 'apr_1', decision: 'approve' })
    expect(decisionIn({ ...one, votes: [{ by: 'bob' }] }, answer)).toBeUndefined()
  })

  test.each([
    [{}, undefined],
    [{ elicitation: {} }, 'form'],
    [{ elicitation: { form: {} } }, 'form'],
    [{ elicitation: { url: {} } }, undefined],
    [{ elicitation: null }, undefined],
  ])('is asked by a form of a client with %j only where it shows forms', (can, mode) => {
    expect(requestFor(approval, can)?.params.mode).toBe(mode)
  })
})
