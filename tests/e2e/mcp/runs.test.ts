import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { answerOf, mcpClients, type McpClient } from '#tests/support/mcp-clients.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call, newKey } from '#tests/support/rest/call.ts'
import { callWith } from '../stdio/hosts.ts'

let server: ServerProcess
let url: string
let key: string

beforeAll(async () => {
  server = await startServer()
  url = `${server.url}/mcp`
  key = await newKey(server.url)
  const heart = { tasks: [{ task_id: 'think', name: 'Think', prompt: 'Think of {{input}}' }] }
  await call(server.url, 'POST', '/api/characters/', key, { id: 'ada', name: 'Ada', heart })
})
afterAll(() => server.dispose())

interface Lease {
  run: { id: string }
  lease_token: string
}

const task = { char_id: 'ada', task_id: 'think', input: 'x' }

/** Takes the next run and ends it. */
async function work(client: McpClient): Promise<void> {
  const args = { char_id: 'ada', wait_seconds: 20 }
  const { run, lease_token } = await answerOf<Lease>(client, 'runs_lease', args)
  await answerOf(client, 'runs_complete', { run_id: run.id, lease_token, output: 'done' })
}

describe.each(mcpClients)('%s', (_, connect) => {
  test('hears how a run goes while it waits for it', async () => {
    const [client, brain] = [await connect(url, { key }), await connect(url, { key })]
    const notes: object[] = []
    const running = callWith(
      client,
      'tasks_run',
      { ...task, wait_seconds: 30 },
      { signal: new AbortController().signal, onprogress: (note) => notes.push(note) },
    )
    const [result] = await Promise.all([running, work(brain)])
    expect(result).toMatchObject({ structuredContent: { status: 'completed', output: 'done' } })
    expect(notes.length).toBeGreaterThanOrEqual(2)
    expect(notes[0]).toMatchObject({ total: 30, message: expect.stringMatching(/^run_\w+ is/) })
    await client.close()
    await brain.close()
  })
})

/** A client of the present, and the resources that it is told have changed. */
async function listening(): Promise<{ client: Client; told: string[] }> {
  const client = new Client(
    { name: 'abode-tests', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  const told: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push(params.uri)
  })
  return { client, told }
}

test('a client of the present listens to a run until it is over', async () => {
  const { client, told } = await listening()
  const { id } = await answerOf<{ id: string }>(client, 'tasks_run', task)
  const uri = `abode://runs/${id}`
  const subscription = await client.listen({
    resourceSubscriptions: [uri, 'abode://runs/run_absent'],
  })
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uri] })
  await work(client)
  await expect.poll(() => told.length).toBeGreaterThanOrEqual(1)
  expect(new Set(told)).toEqual(new Set([uri]))
  expect(await subscription.closed).toBe('graceful')
  await client.close()
})

test('a client of the present listens to its account, and reads on by the cursor', async () => {
  const { client, told } = await listening()
  const events = 'abode://account/events'
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri })
    const text = contents[0] && 'text' in contents[0] ? contents[0].text : ''
    return JSON.parse(text) as { items: { seq: number; type: string }[]; next_cursor: string }
  }
  const first = await read(events)
  const after = `${events}/${first.next_cursor}`
  const subscription = await client.listen({ resourceSubscriptions: [after] })
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [after] })
  const { id } = await answerOf<{ id: string }>(client, 'tasks_run', task)
  await answerOf(client, 'runs_cancel', { run_id: id })
  await expect.poll(() => told.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(1)
  expect(new Set(told)).toEqual(new Set([after]))
  await expect
    .poll(async () => (await read(after)).items.map(({ type }) => type), { timeout: 10_000 })
    .toContain('run.cancelled')
  await subscription.close()
  await client.close()
})
