import { afterAll, beforeAll, expect, test } from 'vitest'
import { artifactId } from '#src/core/authorization/token-callers.ts'
import { newToken } from '#src/core/ids.ts'
import { secondsAfter } from '#src/core/time.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { signedInPerson } from '#tests/accounts/people/persons.ts'
import { connectedProgram } from '#tests/oauth/connection.ts'
import type { DoorAnswer } from '#protocol/door.ts'
import { messageOf, modern } from '../mcp-requests.ts'
import { by, served, type Served } from './served.ts'

const can = {
  elicitation: { form: {} },
  extensions: { 'io.modelcontextprotocol/tasks': {} },
}
const gate = { requires_approval: true, approval_prompt: 'Send it?' }

let place: Served
let work: Work
let account: { key: string; id: string }
let programId: string

beforeAll(async () => {
  place = await served({ signsInAt: 'http://127.0.0.1:8080/mcp/account' })
  const { world } = place
  account = await world.account()
  const send = { task_id: 'send', name: 'Send', runtime: 'template', prompt: 'Sent.' }
  for (const id of ['ada', 'bob']) {
    const heart = { tasks: [{ ...send, approval_gate: gate }] }
    await world.ask('characters.create', { character: { id, name: id, heart } }, account.key)
  }
  const person = await signedInPerson(world.ports)
  await world.ports.store.accounts.update({ id: account.id }, { $set: { holder_id: person.id } })
  const mine = { ...person, account_id: account.id }
  programId = (await connectedProgram(world.ports, mine)).id
  work = startWork(world.ports, ['runner'], 2)
})
afterAll(async () => {
  await work.stop()
  await place.close()
})

/** A token of the connected program, as the authorization server keeps it. */
async function token(scope: string): Promise<string> {
  const { store, settings } = place.world.ports
  const made = newToken('abt')
  await store.oauth_artifacts.insert({
    id: artifactId('AccessToken', made),
    payload: JSON.stringify({ scope, aud: settings.publicUrl }),
    grant_id: programId,
    user_code: null,
    consumed_at: null,
    expires_at: secondsAfter(new Date(), 3600),
  })
  return made
}

function sent(method: string, params: Record<string, unknown>, as: string): Promise<DoorAnswer> {
  const { taskId } = params
  const more = by(as)
  if (typeof taskId === 'string') more.headers['mcp-name'] = taskId
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': can }
  return place.handle(modern(method, { ...params, _meta }, more))
}

async function begun(as: string, char_id = 'ada'): Promise<string> {
  const call = { name: 'tasks_run', arguments: { char_id, task_id: 'send' } }
  const { result } = await messageOf(await sent('tools/call', call, as))
  expect(result).toMatchObject({ resultType: 'task' })
  return String(result?.['taskId'])
}

async function asked(taskId: string): Promise<string> {
  let key = ''
  await expect
    .poll(async () => {
      const { result } = await messageOf(await sent('tasks/get', { taskId }, account.key))
      key = Object.keys(result?.['inputRequests'] ?? {})[0] ?? ''
      return result?.['status']
    })
    .toBe('input_required')
  return key
}

test('a connected program needs the scopes of what it does to a task, and is asked for what it lacks', async () => {
  const runs = await token('run')
  const reads = await token('read')
  const both = await token('read run')
  const taskId = await begun(runs)
  const approvalId = await asked(taskId)
  const decided = { action: 'accept', content: { decision: 'approve' } }
  const inputResponses = { [approvalId]: decided }
  for (const [as, method, params, lacks] of [
    [runs, 'tasks/get', {}, 'read'],
    [reads, 'tasks/cancel', {}, 'run'],
    [both, 'tasks/update', { inputResponses }, 'approve'],
  ] as const) {
    const { status, headers } = await sent(method, { taskId, ...params }, as)
    expect(status, method).toBe(403)
    expect(headers['www-authenticate']).toContain('insufficient_scope')
    expect(headers['www-authenticate']).toContain(lacks)
  }
  expect(await asked(taskId)).toBe(approvalId)
  const { result } = await messageOf(await sent('tasks/get', { taskId }, reads))
  expect(result).toMatchObject({ status: 'input_required' })
  expect((await messageOf(await sent('tasks/cancel', { taskId }, both))).result).toBeDefined()
})

test('a key of one agent has the tasks of that agent alone', async () => {
  const scoped = { name: 'bob', scope_char_id: 'bob' }
  const { key } = await place.world.ask<{ key: string }>('api_keys.create', scoped, account.key)
  const [own, other] = [await begun(key, 'bob'), await begun(account.key, 'ada')]
  const get = async (taskId: string) => messageOf(await sent('tasks/get', { taskId }, key))
  expect((await get(own)).result).toMatchObject({ taskId: own })
  expect((await get(other)).error).toMatchObject({ code: -32_602 })
  const cancel = async (taskId: string) => messageOf(await sent('tasks/cancel', { taskId }, key))
  expect((await cancel(other)).error).toMatchObject({ code: -32_602 })
  expect((await cancel(own)).result).toBeDefined()
})

test('a key of one agent is shown no form for what others decide, and for its own vote no choice', async () => {
  const { world } = place
  const both = { ...gate, approvers: ['ada', 'bob'], min_approvals: 2 }
  const send = { task_id: 'send', name: 'Send', runtime: 'template', prompt: 'Sent.' }
  const character = { id: 'eve', name: 'Eve', heart: { tasks: [{ ...send, approval_gate: both }] } }
  await world.ask('characters.create', { character }, account.key)
  const keyOf = async (scope_char_id: string) =>
    (await world.ask<{ key: string }>('api_keys.create', { name: 'k', scope_char_id }, account.key))
      .key
  const taskId = await begun(await keyOf('eve'), 'eve')
  const approvalId = await asked(taskId)
  const { result } = await messageOf(await sent('tasks/get', { taskId }, await keyOf('eve')))
  expect(result).toMatchObject({
    status: 'working',
    statusMessage: expect.stringContaining(`the approval ${approvalId} at http`),
  })
  expect(result?.['statusMessage']).toContain('which others decide')
  expect(
    await world.ask('approvals.get', { approval_id: approvalId }, await keyOf('bob')),
  ).toMatchObject({
    yours: ['bob'],
  })
})

test('a connection that asks for reads alone follows tasks, and changes none', async () => {
  const taskId = await begun(account.key)
  const key = await asked(taskId)
  const inputResponses = { [key]: { action: 'accept', content: { decision: 'approve' } } }
  const reading = async (method: string, params: object = {}) => {
    const more = { ...by(account.key), query: new URLSearchParams('readonly=true') }
    more.headers['mcp-name'] = taskId
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': can }
    return messageOf(await place.handle(modern(method, { taskId, ...params, _meta }, more)))
  }
  for (const [method, params] of [
    ['tasks/cancel', {}],
    ['tasks/update', { inputResponses }],
  ] as const) {
    expect((await reading(method, params)).error).toMatchObject({ data: { code: 'forbidden' } })
  }
  expect((await reading('tasks/get')).result).toMatchObject({ status: 'input_required' })
})

test('a policy that leaves approvals to persons holds for forms that are shown already', async () => {
  const { world } = place
  const taskId = await begun(account.key)
  const key = await asked(taskId)
  await world.ask('account.update', { approvals_need_person: true }, account.key)
  const inputResponses = { [key]: { action: 'accept', content: { decision: 'approve' } } }
  const { error } = await messageOf(
    await sent('tasks/update', { taskId, inputResponses }, account.key),
  )
  expect(error).toMatchObject({
    data: { code: 'person_needed', hint: expect.stringContaining(`/approvals/${key}`) },
  })
  expect(await asked(taskId)).toBe(key)
})

test('without a credential there are no tasks, and no word of any', async () => {
  const taskId = await begun(account.key)
  const { error } = await messageOf(
    await place.handle(
      modern(
        'tasks/get',
        { taskId, _meta: { 'io.modelcontextprotocol/clientCapabilities': can } },
        { headers: { authorization: undefined, 'mcp-name': taskId } },
      ),
    ),
  )
  expect(error).toMatchObject({ code: 401 })
})
