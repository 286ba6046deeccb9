import { TaskState, type StreamResponse, type Task } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { a2aClients, answering, ask, asking, outputOf, send } from './a2a-clients.ts'

let server: ServerProcess
let door = ''

beforeAll(async () => {
  server = await startServer()
  door = `${server.url}/a2a`
})
afterAll(() => server.dispose())

/** The approval that a task's status shows. */
function askedIn(task: Task): { id: string; prompt: string; state: string } {
  const content = task.status?.message?.parts[0]?.content
  if (content?.$case !== 'data') throw new Error(`nothing is asked: ${JSON.stringify(task)}`)
  // The test says what it expects of it.
  return content.value as never
}

describe.each(a2aClients)('approvals by the official client of A2A $version', ({ speak }) => {
  let client: Client
  const char_id = `quay-${randomUUID()}`
  const running = () => asking('tasks.run', { char_id, task_id: 'close', input: 'storm' })

  beforeAll(async () => {
    const stranger = await speak(door)
    const { api_key } = await ask<{ api_key: string }>(stranger, 'agent_claim.create')
    client = await speak(door, api_key)
    const approval_gate = { requires_approval: true, approval_prompt: 'Close the quay?' }
    const task = { task_id: 'close', name: 'Close', runtime: 'template', prompt: 'Shut: {{input}}' }
    const heart = { tasks: [{ ...task, approval_gate }] }
    await ask(client, 'characters.create', { character: { id: char_id, name: 'Quay', heart } })
  })

  test('a run waits for a decision, is approved by a message, and goes on', async () => {
    const task = await send(client, running())
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    expect(askedIn(task)).toMatchObject({ prompt: 'Close the quay?', state: 'pending' })
    const read = await client.getTask({ tenant: '', id: task.id })
    expect(askedIn(read)).toEqual(askedIn(task))
    const done = await send(client, answering(task, { decision: 'approve', reason: 'Storm.' }))
    expect(done).toMatchObject({ id: task.id, status: { state: TaskState.TASK_STATE_COMPLETED } })
    expect(outputOf(done)).toMatchObject({ output: 'Shut: storm' })
    const id = askedIn(task).id
    const approval = await ask<{ votes: object[] }>(client, 'approvals.get', { approval_id: id })
    expect(approval).toMatchObject({
      state: 'approved',
      votes: [{ by: char_id, reason: 'Storm.' }],
    })
  })

  test('of a long message that decides only that it came is kept', async () => {
    const task = await send(client, running())
    const sent = answering(task, { decision: 'approve' })
    const text = { $case: 'text', value: 'z'.repeat(100_000) } as const
    const [first] = sent.message?.parts ?? []
    if (!sent.message || !first) throw new Error('there is no message')
    sent.message.parts.push({ ...first, content: text })
    const done = await send(client, sent)
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    const read = await client.getTask({ tenant: '', id: task.id })
    expect(JSON.stringify(read).length).toBeLessThan(20_000)
    expect(read.history.at(-1)?.messageId).toBe(sent.message.messageId)
  })

  test('a run is rejected by a message, and its task is canceled', async () => {
    const task = await send(client, running())
    const gone = await send(client, answering(task, { decision: 'reject' }))
    expect(gone.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
    const late = client.sendMessage(answering(task, { decision: 'approve' }))
    await expect(late).rejects.toMatchObject({ name: expect.stringMatching('Unsupported') })
  })

  test('a stream ends where input is required, and another goes on after it', async () => {
    const events: StreamResponse[] = []
    for await (const event of client.sendMessageStream(running())) events.push(event)
    const [first] = events
    const last = events.at(-1)?.payload
    if (first?.payload?.$case !== 'task') throw new Error('a stream begins with its task')
    const status =
      last?.$case === 'statusUpdate' || last?.$case === 'task' ? last.value.status : null
    expect(status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    const rest: StreamResponse[] = []
    const decision = answering(first.payload.value, { decision: 'approve' })
    for await (const event of client.sendMessageStream(decision)) rest.push(event)
    const end = rest.at(-1)?.payload
    expect(end?.$case === 'statusUpdate' && end.value.status?.state).toBe(
      TaskState.TASK_STATE_COMPLETED,
    )
  })
})
