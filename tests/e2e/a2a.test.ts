import { TaskState, type StreamResponse, type Task } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { a2aClients, ask, asking, clientOf1, outputOf, send, told } from './a2a-clients.ts'

let server: ServerProcess
let door = ''

beforeAll(async () => {
  server = await startServer()
  door = `${server.url}/a2a`
})
afterAll(() => server.dispose())

interface Run {
  id: string
  status: string
  output: unknown
}

let apps = 0

/** Two agents: what the writer's template makes is handed to the editor, whose brain is a caller. */
function newsroom() {
  apps += 1
  const app_id = `a2a-newsroom-${apps}`
  const draft = {
    task_id: 'draft',
    name: 'Draft',
    runtime: 'template',
    prompt: 'On {{topic}}: …',
    output_sharing: { enabled: true, target_agent_id: 'editor', target_task_id: 'edit' },
  }
  const edit = { task_id: 'edit', name: 'Edit', prompt: 'Mend this: {{input}}' }
  return {
    app_id,
    name: 'A newsroom',
    agents: [
      { local_id: 'writer', name: 'Writer', heart: { tasks: [draft] } },
      { local_id: 'editor', name: 'Editor', heart: { tasks: [edit] } },
    ],
    connections: [{ from: 'writer', to: 'editor', permissions: ['run_task'] }],
  }
}

describe.each(a2aClients)('the official client of A2A $version', ({ version, speak }) => {
  let client: Client
  let app: ReturnType<typeof newsroom>
  let task: { char_id: string; task_id: string }

  beforeAll(async () => {
    const stranger = await speak(door)
    const { api_key } = await ask<{ api_key: string }>(stranger, 'agent_claim.create')
    client = await speak(door, api_key)
    app = newsroom()
    task = { char_id: `${app.app_id}--writer`, task_id: 'draft' }
    await ask(client, 'agent_apps.provision', { manifest: app })
  })

  test('speaks its version', () => expect(client.protocolVersion).toBe(version))

  test('runs a task by a message, and reads the task and the run', async () => {
    const done = await send(client, asking('tasks.run', { ...task, input: { topic: 'tea' } }))
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    // The answer of tasks.run.
    const run = outputOf(done) as Run
    expect(run).toMatchObject({ status: 'completed', output: 'On tea: …' })
    const read = await client.getTask({ tenant: '', id: done.id, historyLength: 1 })
    expect(read).toMatchObject({ id: done.id, metadata: { 'abode/run_id': run.id } })
    expect(read.history).toHaveLength(1)
  })

  test('gets the result of a handoff, which it does itself', async () => {
    interface Lease {
      run: Run | null
      lease_token: string
      prompt: string
    }
    await send(client, asking('tasks.run', { ...task, input: { topic: 'rain' } }))
    const char_id = `${app.app_id}--editor`
    let lease: Lease
    do {
      lease = await ask<Lease>(client, 'runs.lease', { char_id, wait_seconds: 10 })
    } while (!lease.prompt.includes('rain'))
    const done = { run_id: lease.run?.id, lease_token: lease.lease_token, output: 'Mended.' }
    await ask(client, 'runs.complete', done)
    const run = await ask<Run>(client, 'runs.get', { run_id: lease.run?.id })
    expect(run).toMatchObject({ status: 'completed', output: 'Mended.' })
  })

  test('follows a run by a stream', async () => {
    const events: StreamResponse[] = []
    const request = asking('tasks.run', { ...task, input: { topic: 'wind' } })
    for await (const event of client.sendMessageStream(request)) events.push(event)
    expect(events[0]?.payload?.$case).toBe('task')
    expect(events.map(told).slice(-2)).toEqual(['artifact', 'COMPLETED'])
  })

  test('subscribes to a task, and cancels it', async () => {
    const thinking = { char_id: `${app.app_id}--editor`, task_id: 'edit', input: 'x' }
    const begun = await send(client, asking('tasks.run', thinking, { returnImmediately: true }))
    expect(begun.status?.state).toBe(TaskState.TASK_STATE_SUBMITTED)
    const events = client.resubscribeTask({ tenant: '', id: begun.id })
    const first = await events.next()
    expect(first.value && told(first.value)).toBe('SUBMITTED')
    const gone = await client.cancelTask({ tenant: '', id: begun.id, metadata: undefined })
    expect(gone.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
    const rest = await Array.fromAsync(events)
    expect(rest.map(told)).toEqual(['artifact', 'CANCELED'])
    const again = client.cancelTask({ tenant: '', id: begun.id, metadata: undefined })
    await expect(again).rejects.toMatchObject({ name: expect.stringMatching('NotCancelable') })
    const closed = client.resubscribeTask({ tenant: '', id: begun.id }).next()
    await expect(closed).rejects.toMatchObject({ name: expect.stringMatching('Unsupported') })
  })

  test('is told a refusal as a task that has failed', async () => {
    const failed = await send(client, asking('characters.get', { char_id: 'no-such-agent' }))
    expect(failed.status?.state).toBe(TaskState.TASK_STATE_FAILED)
    expect(failed.status?.message?.parts[0]?.content?.value).toMatchObject({
      code: 'character_not_found',
    })
    const rejected = await send(client, asking('characters.get', {}))
    expect(rejected.status?.state).toBe(TaskState.TASK_STATE_REJECTED)
  })

  test('sends a message twice and is answered once', async () => {
    const request = asking('characters.create', { character: { name: 'Twice' } })
    const first = await send(client, request)
    const second = await send(client, request)
    expect(second.id).toBe(first.id)
    expect(outputOf(second)).toEqual(outputOf(first))
  })

  test('asks for nothing that is there for others', async () => {
    const missing = client.getTask({ tenant: '', id: 'no-such-task' })
    await expect(missing).rejects.toMatchObject({ name: expect.stringMatching('TaskNotFound') })
  })
})

test('the client of 1.0 lists its tasks page by page', async () => {
  const stranger = await clientOf1(door)
  const { api_key } = await ask<{ api_key: string }>(stranger, 'agent_claim.create')
  const client = await clientOf1(door, api_key)
  const sent: Task[] = []
  for (let i = 0; i < 3; i++) sent.unshift(await send(client, asking('account.get')))
  const listed: Task[] = []
  let pageToken = ''
  do {
    const page = await client.listTasks({
      tenant: '',
      contextId: '',
      status: TaskState.TASK_STATE_UNSPECIFIED,
      statusTimestampAfter: undefined,
      pageSize: 2,
      pageToken,
    })
    expect(page.totalSize).toBe(3)
    listed.push(...page.tasks)
    pageToken = page.nextPageToken
  } while (pageToken !== '')
  expect(listed.map(({ id }) => id).sort()).toEqual(sent.map(({ id }) => id).sort())
})
