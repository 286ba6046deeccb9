import { TaskState, type StreamResponse, type Task } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call, newKey } from '#tests/support/rest/call.ts'
import { a2aClients, clientOf1, saying, send, told } from '../a2a-clients.ts'

let server: ServerProcess
let owner: string
let agent = ''
const char_id = 'ada'
const thinking = { metadata: { task_id: 'think' } }

beforeAll(async () => {
  server = await startServer()
  agent = `${server.url}/a2a/${char_id}`
  owner = await newKey(server.url)
  const character = {
    id: char_id,
    name: 'Ada',
    visibility: { profile_visibility: 'unlisted', ability_access: { chat: 'public' } },
    heart: {
      tasks: [
        { task_id: 'echo', name: 'Echo', runtime: 'template', prompt: 'Heard: {{input}}' },
        { task_id: 'think', name: 'Think', order: 1, prompt: '{{input}}' },
      ],
    },
  }
  await call(server.url, 'POST', '/api/characters/', owner, character)
})
afterAll(() => server.dispose())

const textOf = (task: Task): unknown => task.artifacts[0]?.parts[0]?.content?.value

/** Does a brain's work, as another agent would. */
async function answer(output: string): Promise<void> {
  const wait = { char_id, wait_seconds: 20 }
  const leased = await call<{ run: { id: string }; lease_token: string }>(
    server.url,
    'POST',
    '/api/runs/lease',
    owner,
    wait,
  )
  const { lease_token } = leased
  await call(server.url, 'POST', `/api/runs/${leased.run.id}/complete`, owner, {
    lease_token,
    output,
  })
}

describe.each(a2aClients)('an agent by the client of A2A $version', ({ version, speak }) => {
  let client: Client
  beforeAll(async () => {
    client = await speak(agent, await newKey(server.url))
  })

  test('speaks its version', () => expect(client.protocolVersion).toBe(version))

  test('answers a message, and goes on with the conversation', async () => {
    const first = await send(client, saying('Hello'))
    expect(first.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    expect(textOf(first)).toBe('Heard: Hello')
    const second = await send(client, saying('Again', { contextId: first.contextId }))
    expect(second).toMatchObject({ contextId: first.contextId })
    expect(second.id).not.toBe(first.id)
    const read = await client.getTask({ tenant: '', id: first.id, historyLength: 1 })
    expect(textOf(read)).toBe('Heard: Hello')
    expect(read.history[0]?.parts[0]?.content?.value).toBe('Hello')
  })

  test('answers once a message that is sent twice', async () => {
    const request = saying('Twice')
    const [first, second] = [await send(client, request), await send(client, request)]
    expect(second.id).toBe(first.id)
  })

  test('answers a caller without a credential', async () => {
    const anonymous = await speak(agent)
    const task = await send(anonymous, saying('Hello'))
    expect(textOf(await anonymous.getTask({ tenant: '', id: task.id }))).toBe('Heard: Hello')
  })

  test('is followed by a stream while it works', async () => {
    const events: StreamResponse[] = []
    const done = answer('Forty-two.')
    for await (const event of client.sendMessageStream(saying('Why?', thinking))) {
      events.push(event)
    }
    await done
    const states = events.map(told)
    expect(events[0]?.payload?.$case).toBe('task')
    expect(states.slice(-2)).toEqual(['artifact', 'COMPLETED'])
  })

  test('is subscribed to, and cancelled', async () => {
    const begun = await send(client, saying('x', { ...thinking, returnImmediately: true }))
    expect(begun.status?.state).toBe(TaskState.TASK_STATE_SUBMITTED)
    const events = client.resubscribeTask({ tenant: '', id: begun.id })
    const first = await events.next()
    expect(first.value && told(first.value)).toBe('SUBMITTED')
    const gone = await client.cancelTask({ tenant: '', id: begun.id, metadata: undefined })
    expect(gone.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
    expect((await Array.fromAsync(events)).map(told)).toEqual(['CANCELED'])
    const again = client.cancelTask({ tenant: '', id: begun.id, metadata: undefined })
    await expect(again).rejects.toMatchObject({ name: expect.stringMatching('NotCancelable') })
  })

  test('keeps its tasks from others', async () => {
    const { id } = await send(client, saying('Mine'))
    const other = await speak(agent, await newKey(server.url))
    const read = other.getTask({ tenant: '', id })
    await expect(read).rejects.toMatchObject({ name: expect.stringMatching('TaskNotFound') })
  })
})

test('the client of 1.0 lists its tasks, and reads the whole card', async () => {
  const client = await clientOf1(agent, await newKey(server.url))
  const sent = [await send(client, saying('One')), await send(client, saying('Two'))]
  const page = await client.listTasks({
    tenant: '',
    contextId: '',
    status: TaskState.TASK_STATE_COMPLETED,
    statusTimestampAfter: undefined,
    pageSize: 10,
    pageToken: '',
  })
  expect(page.tasks.map(({ id }) => id)).toEqual(sent.map(({ id }) => id).toReversed())
  const card = await client.getAgentCard()
  expect(card.skills.map(({ id }) => id)).toEqual(['echo', 'think'])
})

describe('over HTTP', () => {
  const card = (id: string, headers: Record<string, string> = {}, ending = ''): Promise<Response> =>
    fetch(`${server.url}/a2a/${id}/.well-known/agent-card.json${ending}`, { headers })

  test('the card may be cached and revalidated', async () => {
    const first = await card(char_id, { 'a2a-version': '1.0' })
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    expect(first.headers.get('last-modified')).toMatch(/GMT$/)
    const etag = first.headers.get('etag') ?? ''
    const again = await card(char_id, { 'a2a-version': '1.0', 'if-none-match': etag }, '/')
    expect(again.status).toBe(304)
  })

  test('the card of a private agent is for its account, and for no cache', async () => {
    const character = { id: 'hidden', name: 'Hidden' }
    await call(server.url, 'POST', '/api/characters/', owner, character)
    const mine = await card('hidden', { authorization: `Bearer ${owner}` })
    expect(mine.status).toBe(200)
    expect(mine.headers.get('cache-control')).toBe('private, no-cache')
    expect(mine.headers.get('vary')).toContain('Authorization')
    for (const id of ['hidden', 'absent']) {
      const refused = await card(id)
      expect(refused.status).toBe(404)
      expect(await refused.json()).toMatchObject({ code: 'character_not_found' })
    }
  })

  test('the door answers with and without a final slash, and takes POST only', async () => {
    const request = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'x' } }
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' }
    for (const path of ['/a2a/ada', '/a2a/ada/']) {
      const body = JSON.stringify(request)
      const response = await fetch(server.url + path, { method: 'POST', headers, body })
      expect(await response.json()).toMatchObject({ error: { code: -32001 } })
    }
    expect((await fetch(`${server.url}/a2a/ada`)).status).toBe(405)
  })
})
