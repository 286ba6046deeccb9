import {
  StreamResponse,
  type SendMessageRequest,
  type TaskPushNotificationConfig,
} from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { createRemoteJWKSet, flattenedVerify } from 'jose'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call, newKey } from '#tests/support/rest/call.ts'
import { until } from '#tests/support/until.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { a2aClients, saying, send } from '../a2a-clients.ts'

interface Call {
  headers: IncomingMessage['headers']
  body: string
}

let server: ServerProcess
let web: WebServer
let owner: string
let agent = ''
const calls: Call[] = []

beforeAll(async () => {
  web = await startWebServer()
  web.on('/push', async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(200).end()
  })
  server = await startServer({ env: { ABODE_OUTBOUND_ALLOW: web.origin } })
  agent = `${server.url}/a2a/ada`
  owner = await newKey(server.url)
  const open = { public: true }
  const character = {
    id: 'ada',
    name: 'Ada',
    visibility: { profile_visibility: 'public', ability_access: { chat: 'public' } },
    heart: {
      tasks: [
        { ...open, task_id: 'echo', name: 'Echo', runtime: 'template', prompt: 'On {{input}}' },
        { ...open, task_id: 'think', name: 'Think', order: 1, prompt: '{{input}}' },
        { ...open, task_id: 'odd', name: 'Odd', order: 2, runtime: 'template', prompt: '{{x}}' },
      ],
    },
  }
  await call(server.url, 'POST', '/api/characters/', owner, character)
})
afterAll(async () => {
  await server.dispose()
  web.close()
})

const config = (more: Partial<TaskPushNotificationConfig> = {}): TaskPushNotificationConfig => ({
  tenant: '',
  id: '',
  taskId: '',
  url: `${web.origin}/push`,
  token: '',
  authentication: undefined,
  ...more,
})

/** A message that begins a task, which is told of at an address. */
const asked = (task_id: string, push?: TaskPushNotificationConfig): SendMessageRequest =>
  saying('tea', { metadata: { task_id }, returnImmediately: true, ...(push && { push }) })

interface Shown {
  id?: string
  state?: string
  artifacts?: unknown[]
  message?: unknown
}

/** What the calls told of a task, together as their receiver knows it in the end. */
function known(version: string): Shown & { states: string[] } {
  const states: string[] = []
  const artifacts: unknown[] = []
  let message: unknown
  let id: string | undefined
  for (const { body } of calls) {
    // What the service has sent.
    const raw = JSON.parse(body) as {
      id?: string
      task?: { id: string; status: Status }
      statusUpdate?: { taskId: string; status: Status }
      artifactUpdate?: { artifact: unknown }
      status?: Status
      artifacts?: unknown[]
    }
    if (version === '1.0') expect(StreamResponse.fromJSON(raw).payload).toBeDefined()
    id ??= raw.id ?? raw.task?.id
    if (raw.artifactUpdate) artifacts.push(raw.artifactUpdate.artifact)
    else artifacts.push(...(raw.artifacts ?? []))
    const status = raw.status ?? raw.task?.status ?? raw.statusUpdate?.status
    if (!status) continue
    states.push(status.state.replace('TASK_STATE_', '').toLowerCase())
    message = status.message
  }
  return { ...(id !== undefined && { id }), states, artifacts, message }
}

interface Status {
  state: string
  message?: unknown
}

/** The task as the method of the protocol gives it. */
async function read(version: string, key: string, id: string) {
  const name = version === '1.0' ? 'GetTask' : 'tasks/get'
  const response = await fetch(agent, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'a2a-version': version,
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: { id } }),
  })
  // The test says what it expects.
  const { result } = (await response.json()) as { result: { status: Status; artifacts: unknown[] } }
  return result
}

describe.each(a2aClients)('notifications by the client of A2A $version', ({ version, speak }) => {
  let key: string
  let client: Client
  beforeAll(async () => {
    key = await newKey(server.url)
    client = await speak(agent, key)
  })
  beforeEach(() => void calls.splice(0))

  const called = (state: string): Promise<void> =>
    until(() => known(version).states.includes(state), { pauseMs: 20 })

  test('come to the address of a message, and say what the task says', async () => {
    const token = 'marker-token'
    const authentication = { scheme: 'Bearer', credentials: 'marker-credentials' }
    const { id } = await send(client, asked('echo', config({ token, authentication })))
    await called('completed')
    const told = known(version)
    expect(told).toMatchObject({ id, states: ['submitted', 'working', 'completed'] })
    expect(told.artifacts).toEqual((await read(version, key, id)).artifacts)
    for (const { headers } of calls) {
      expect(headers['content-type']).toBe(
        version === '1.0' ? 'application/a2a+json' : 'application/json',
      )
      expect(headers['x-a2a-notification-token']).toBe(token)
      expect(headers.authorization).toBe('Bearer marker-credentials')
    }
    expect(server.lines.join('\n')).not.toContain('marker-')
  })

  test('say of a failure what the task says', async () => {
    const { id } = await send(client, asked('odd', config()))
    await called('failed')
    expect(known(version).message).toEqual((await read(version, key, id)).status.message)
  })

  test('are signed with the published key', async () => {
    await send(client, asked('echo', config()))
    await called('completed')
    const keys = createRemoteJWKSet(new URL(`${server.url}/.well-known/jwks.json`))
    for (const { headers, body } of calls) {
      const [head = '', , signature = ''] = String(headers['x-jws-signature']).split('.')
      const payload = Buffer.from(body).toString('base64url')
      const { protectedHeader } = await flattenedVerify(
        { protected: head, payload, signature },
        keys,
      )
      expect(protectedHeader).toMatchObject({ jti: headers['webhook-id'] })
    }
  })

  test('are set, read, listed and deleted', async () => {
    const { id: taskId } = await send(client, asked('think'))
    const authentication = { scheme: 'Bearer', credentials: 'marker-credentials' }
    const mine = config({ id: 'mine', taskId, token: 'marker-token', authentication })
    const made = await client.createTaskPushNotificationConfig(mine)
    expect(made).toMatchObject({
      id: 'mine',
      taskId,
      url: mine.url,
      authentication: { scheme: 'Bearer' },
    })
    await client.createTaskPushNotificationConfig(config({ taskId, id: 'other' }))
    const got = await client.getTaskPushNotificationConfig({ tenant: '', taskId, id: 'mine' })
    expect(got).toEqual(made)
    const list = { tenant: '', taskId, pageSize: 0, pageToken: '' }
    const { configs } = await client.listTaskPushNotificationConfig(list)
    expect(configs.map(({ id }) => id)).toEqual(['mine', 'other'])
    expect(JSON.stringify([made, got, configs])).not.toContain('marker-')
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId, id: 'other' })
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId, id: 'other' })
    const lease = { char_id: 'ada', wait_seconds: 20 }
    const { run, lease_token } = await call<{ run: { id: string }; lease_token: string }>(
      server.url,
      'POST',
      '/api/runs/lease',
      owner,
      lease,
    )
    expect(run.id).toBe(taskId)
    const done = { lease_token, output: { tea: true } }
    await call(server.url, 'POST', `/api/runs/${run.id}/complete`, owner, done)
    await called('completed')
    expect(known(version)).toMatchObject({ states: ['working', 'completed'] })
    calls.length = 0
    // It hears of the end though it comes after it.
    await client.createTaskPushNotificationConfig(config({ taskId, id: 'late' }))
    await called('completed')
    expect(known(version)).toMatchObject({ states: ['completed'] })
    const gone = client.getTaskPushNotificationConfig({ tenant: '', taskId, id: 'other' })
    await expect(gone).rejects.toMatchObject({ name: expect.stringMatching('TaskNotFound') })
  })

  test('are refused to others, and to addresses inside', async () => {
    const { id: taskId } = await send(client, asked('think'))
    const other = await speak(agent, await newKey(server.url))
    const stranger = other.createTaskPushNotificationConfig(config({ taskId }))
    await expect(stranger).rejects.toMatchObject({ name: expect.stringMatching('TaskNotFound') })
    const inside = client.createTaskPushNotificationConfig(
      config({ taskId, url: 'http://169.254.169.254/latest' }),
    )
    await expect(inside).rejects.toThrow(/url: Nothing can be sent to this address/)
    const message = client.sendMessage(asked('echo', config({ url: 'http://10.0.0.1/' })))
    await expect(message).rejects.toThrow(/configuration\..*NotificationConfig\.url: /i)
    await client.cancelTask({ tenant: '', id: taskId, metadata: undefined })
  })

  test('are said to be sent by the card of an agent, and not by that of the platform', async () => {
    expect((await client.getAgentCard()).capabilities?.pushNotifications).toBe(true)
    const platform = await speak(`${server.url}/a2a`, key)
    expect((await platform.getAgentCard()).capabilities?.pushNotifications).toBe(false)
    const method =
      version === '1.0'
        ? { method: 'CreateTaskPushNotificationConfig', params: config({ taskId: 'x' }) }
        : {
            method: 'tasks/pushNotificationConfig/set',
            params: { taskId: 'x', pushNotificationConfig: { url: web.origin } },
          }
    for (const path of ['/a2a', '/api/commons/a2a']) {
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': version },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...method }),
      })
      expect(await response.json()).toMatchObject({ error: { code: -32003 } })
    }
  })
})
