import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWork, type Work } from '#src/work/work.ts'
import { legacy, messageOf, modern, type Message } from '../mcp-requests.ts'
import { by, served, type Served } from './served.ts'

const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'
const extensions = { 'io.modelcontextprotocol/tasks': {} }
const asking = { extensions, elicitation: { form: {}, url: {} } }
const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
const unknownId = 'run_01a1fe241d3975cf83926a5fa84be463'

let place: Served
let work: Work
let key: string
/** The requests that the door has counted. */
let counted = 0

beforeAll(async () => {
  const limits = { keyed_reads: { count: 1000, seconds: 3600 } }
  place = await served({ admit: () => void (counted += 1) }, { limits })
  const { world } = place
  key = (await world.account()).key
  const whole = { runtime: 'template', prompt: 'Heard: {{input}}' }
  const gate = { requires_approval: true, approval_prompt: 'Send {{input}}?' }
  const both = { ...gate, approvers: ['ada', 'bob'], min_approvals: 2 }
  const tasks = [
    { task_id: 'both', name: 'Both', ...whole, approval_gate: both },
    { task_id: 'sign', name: 'Sign', ...whole, approval_gate: { ...gate, require_person: true } },
    { task_id: 'later', name: 'Later', ...whole },
    { task_id: 'think', name: 'Think', prompt: 'Think.' },
  ]
  for (const id of ['ada', 'bob']) {
    const character = { id, name: id, ...(id === 'ada' && { heart: { tasks } }) }
    await world.ask('characters.create', { character }, key)
  }
  work = startWork(world.ports, ['runner'], 2)
})
afterAll(async () => {
  await work.stop()
  await place.close()
})

interface Shown {
  taskId: string
  status: string
  statusMessage?: string
  createdAt?: string
  pollIntervalMs?: number
  inputRequests?: Record<string, { params: { message: string; requestedSchema: object } }>
}

const answerTo = (method: string, params: Record<string, unknown>, can: object = asking) => {
  const { taskId } = params
  const more = by(key)
  if (typeof taskId === 'string') more.headers['mcp-name'] = taskId
  return place.handle(modern(method, { ...params, _meta: { [capabilitiesKey]: can } }, more))
}
const sent = async (
  method: string,
  params: Record<string, unknown>,
  can?: object,
): Promise<Message> => messageOf(await answerTo(method, params, can))

const shown = ({ result, error }: Message): Shown => {
  if (!result) throw new Error(JSON.stringify(error))
  // A member that is not there fails the test that reads it.
  return result as unknown as Shown
}
const begun = async (task_id: string, more: object = {}): Promise<Shown> =>
  shown(
    await sent('tools/call', {
      name: 'tasks_run',
      arguments: { char_id: 'ada', task_id, ...more },
    }),
  )
const asked = async (taskId: string): Promise<Shown> => {
  const get = async () => shown(await sent('tasks/get', { taskId }))
  await expect.poll(async () => (await get()).status, { timeout: 10_000 }).toBe('input_required')
  return get()
}
const update = (taskId: string, inputResponses: object) =>
  sent('tasks/update', { taskId, inputResponses })

test('each request for a task is counted once, by the door, however much is read for it', async () => {
  const { taskId } = await begun('sign')
  await asked(taskId)
  const left = async () => {
    const call = { name: 'runs_get', arguments: { run_id: taskId } }
    const { headers } = await answerTo('tools/call', call)
    return Number(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1])
  }
  const first = await left()
  counted = 0
  for (const _ of Array(3)) shown(await sent('tasks/get', { taskId }))
  expect(counted).toBe(3)
  expect(await left()).toBe(first - 1)
})

test('each vote is asked for by a key of its own, of those who have not voted', async () => {
  const { taskId } = await begun('both')
  const [first = ''] = Object.keys((await asked(taskId)).inputRequests ?? {})
  const approve = { action: 'accept', content: { decision: 'approve', as_char_id: 'ada' } }
  shown(await update(taskId, { [first]: approve }))
  const { inputRequests = {} } = await asked(taskId)
  const [second = ''] = Object.keys(inputRequests)
  const request = inputRequests[second]
  expect(second).not.toBe(first)
  expect(request?.params.message).toContain('Votes so far: ada.')
  expect(request?.params.requestedSchema).toMatchObject({
    properties: { as_char_id: { enum: ['bob'] } },
  })
  const rest = { action: 'accept', content: { decision: 'approve', as_char_id: 'bob' } }
  shown(await update(taskId, { [second]: rest }))
  await expect.poll(async () => shown(await sent('tasks/get', { taskId })).status).toBe('completed')
})

test('what only a person decides is said so, without a call that would be refused', async () => {
  const { taskId } = await begun('sign')
  const { statusMessage } = await asked(taskId)
  expect(statusMessage).toMatch(/only a person who signs in decides at http.*\/approvals\/apr_/)
  expect(statusMessage).not.toContain('approvals_decide')
})

test('an answer that is none is refused, and names those that are', async () => {
  const { taskId } = await begun('sign')
  const [id = ''] = Object.keys((await asked(taskId)).inputRequests ?? {})
  for (const response of [{}, { action: 'maybe' }, 'approve', null, []]) {
    const { error } = await update(taskId, { [id]: response })
    expect(error, JSON.stringify(response)).toMatchObject({
      code: -32_602,
      data: { hint: expect.stringContaining('"action":"accept"') },
    })
  }
})

test('an id that no call was answered with is unknown', async () => {
  const { taskId } = await begun('later', { not_before: tomorrow })
  const named = (asks: object) =>
    `${taskId}.${Buffer.from(JSON.stringify(asks)).toString('base64url')}`
  for (const id of [
    named({ shown: { view: 'summary', run_id: unknownId } }),
    named({ events: { wait_seconds: 60 } }),
    named({ other: {} }),
    `${named({ events: {} })}=`,
  ]) {
    expect((await sent('tasks/get', { taskId: id })).error, id).toMatchObject({ code: -32_602 })
  }
  expect(shown(await sent('tasks/get', { taskId: named({ events: {} }) }))).toMatchObject({
    status: 'working',
  })
})

test.each([{ view: 'summary' }, { fields: ['output'] }, { fields: 'status' }])(
  'a handle of less is whole, in both forms: %j',
  async (less) => {
    const handle = await begun('sign', less)
    expect(handle).toMatchObject({ pollIntervalMs: 1000, createdAt: expect.stringContaining('T') })
    expect(handle.taskId).toMatch(/^run_/)
    // What waits for its own caller is the result, however little is shown of it.
    expect(await begun('think', less)).toMatchObject({ resultType: 'complete' })
    const headers = { ...by(key).headers, 'mcp-protocol-version': '2025-11-25' }
    const old = async (method: string, params: Record<string, unknown>) =>
      (await messageOf(await place.handle(legacy(method, params, { headers })))).result
    const input = { char_id: 'ada', task_id: 'later', input: 'tea', ...less }
    const result = await old('tools/call', { name: 'tasks_run', arguments: input, task: {} })
    expect(result?.['task']).toMatchObject({
      taskId: expect.stringContaining('run_'),
      status: 'completed',
      createdAt: expect.stringContaining('T'),
      lastUpdatedAt: expect.stringContaining('T'),
    })
    // The schema of its form has it.
    const { taskId } = (result as { task: Shown }).task
    const { structuredContent } = (await old('tasks/result', { taskId })) ?? {}
    const shows = { output: 'Heard: tea', status: 'completed' }
    const member = 'fields' in less && less.fields === 'status' ? 'status' : 'output'
    expect(structuredContent).toMatchObject({ [member]: shows[member] })
    expect(structuredContent).not.toHaveProperty('usage')
  },
)

test('refusals are sentences, bounded, and have the error object everywhere', async () => {
  const { error } = await sent('tasks/get', {})
  expect(error?.message).toContain('was answered with. tasks/get takes')
  // Once with the header that repeats it, and once without.
  const params = { taskId: `run_${'a'.repeat(100_000)}`, _meta: { [capabilitiesKey]: asking } }
  const mismatched = await place.handle(modern('tasks/get', params, by(key)))
  for (const { body } of [await answerTo('tasks/get', params), mismatched]) {
    expect(JSON.stringify(body).length).toBeLessThan(10_000)
  }
  const listen = { notifications: { taskIds: [unknownId] } }
  expect((await sent('subscriptions/listen', listen, {})).error).toMatchObject({
    code: -32_021,
    data: { requiredCapabilities: { extensions }, detail: expect.any(String) },
  })
})
