import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  type ApplicationInputRequest,
  type RawClientDispatch,
  type SerializedTaskReference,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call, newKey } from '#tests/support/rest/call.ts'

const revision = '2026-07-28'
const info = { name: 'abode-tests', version: '1.0.0' }

let dataDir: string
let server: ServerProcess
let key: string
let asked: ApplicationInputRequest[] = []

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'abode-tasks-'))
  server = await startServer({ dataDir })
  key = await newKey(server.url)
  const whole = { runtime: 'template', prompt: 'Heard: {{input}}' }
  const gate = { requires_approval: true, approval_prompt: 'Send {{input}}?' }
  const tasks = [
    { task_id: 'send', name: 'Send', ...whole, approval_gate: gate },
    { task_id: 'sign', name: 'Sign', ...whole, approval_gate: { ...gate, require_person: true } },
    { task_id: 'later', name: 'Later', ...whole },
  ]
  await call(server.url, 'POST', '/api/characters/', key, {
    id: 'ada',
    name: 'Ada',
    heart: { tasks },
  })
})
afterAll(async () => {
  await server.dispose()
  await rm(dataDir, { recursive: true, force: true })
})

const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString()

interface RpcRequest {
  method: string
  params: { name?: string; taskId?: string }
}

/** Sends what the official client does not send itself yet: requests and results of the extension. */
const dispatched: RawClientDispatch = async (request, { signal } = {}) => {
  // The kit frames requests of this form.
  const { method, params } = request as unknown as RpcRequest
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      'mcp-name': params.name ?? params.taskId ?? '',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    ...(signal && { signal }),
  })
  const { result, error } = (await response.json()) as { result?: never; error?: never }
  return error ? { kind: 'error', error } : { kind: 'result', result: result ?? {} }
}

/** A host at the process that is there now, whose person approves what a form asks. */
async function host(): Promise<TaskEnabledSession> {
  const client = new Client(info, { versionNegotiation: { mode: { pin: revision } } })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const url = new URL(`${server.url}/mcp?toolsets=runs`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  return createTaskSessionFromClient(client, {
    endpointId: 'abode',
    rawDispatch: dispatched,
    v2RequestFraming: {
      protocolVersion: revision,
      clientInfo: info,
      clientCapabilities: { elicitation: { form: {}, url: {} } },
    },
    onInputRequest: (request) => {
      asked.push(request)
      // Each kind of request has an answer of its own, of which only this one is asked for.
      return Promise.resolve({ action: 'accept', content: { decision: 'approve' } } as never)
    },
  })
}

async function begun(session: TaskEnabledSession, task_id: string, more: object = {}) {
  const input = { char_id: 'ada', task_id, input: 'tea', ...more }
  const execution = await session.callTool('tasks_run', input)
  if (execution.kind !== 'task') throw new Error('the call did not become a task')
  let reference: SerializedTaskReference | undefined
  await execution.handoff((kept) => {
    reference = kept
  })
  if (!reference) throw new Error('the task has no reference')
  return reference
}

test('the official kit drives tasks over the death of the process that began them', async () => {
  const first = await host()
  const send = await begun(first, 'send')
  const sign = await begun(first, 'sign')
  const later = await begun(first, 'later', { not_before: tomorrow() })
  asked = []
  await server.end('SIGKILL')
  await first.close()
  server = await startServer({ dataDir })

  const second = await host()
  expect(second.capabilities).toMatchObject({ execution: true, cancellation: true })
  const approved = await (await second.resumeTask(send)).settle()
  expect(resultFromTaskOutcome(approved.outcome)).toMatchObject({
    structuredContent: { status: 'completed', output: 'Heard: tea' },
  })
  expect(asked).toMatchObject([{ kind: 'elicitation', params: { mode: 'form' } }])

  await second.cancelTask(later.taskId)
  expect(await (await second.resumeTask(later)).settle()).toMatchObject({
    outcome: { status: 'cancelled' },
  })

  const text = { char_id: 'ada', title: 'Hours', content: 'We open at nine.' }
  const learned = await second.callTool('knowledge_texts_add', text)
  expect(learned.kind).toBe('task')
  expect(resultFromTaskOutcome((await learned.settle()).outcome)).toMatchObject({
    structuredContent: { status: 'indexed', title: 'Hours' },
  })

  asked = []
  const signing = await second.resumeTask(sign)
  await expect.poll(() => asked).toMatchObject([{ params: { mode: 'url' } }])
  expect(await second.task(sign.taskId).snapshot()).toMatchObject({ status: 'input_required' })
  await signing.cancel()
  expect(await signing.settle()).toMatchObject({ outcome: { status: 'cancelled' } })
  await second.close()
})

test('the official kit speaks the form of 2025-11-25 where the client does', async () => {
  const client = new Client(info)
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const url = new URL(`${server.url}/mcp?toolsets=runs`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  const session = createTaskSessionFromClient(client, { endpointId: 'abode' })
  const input = { char_id: 'ada', task_id: 'later', input: 'tea' }
  const prefer = { task: { preference: 'prefer' } } as const
  const said = await session.callTool('tasks_run', input, prefer)
  expect(said.kind).toBe('task')
  const { outcome } = await said.settle()
  expect(resultFromTaskOutcome(outcome)).toMatchObject({
    structuredContent: { status: 'completed', output: 'Heard: tea' },
  })
  const put = await session.callTool('tasks_run', { ...input, not_before: tomorrow() }, prefer)
  await put.cancel()
  expect(await put.settle()).toMatchObject({ outcome: { status: 'cancelled' } })
  await session.close()
})
