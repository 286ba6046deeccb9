import {
  Role,
  TaskState,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
} from '@a2a-js/sdk'
import { Client, ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { LegacyJsonRpcTransport, parseLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client'
import { randomUUID } from 'node:crypto'

/** Joins what is served at an address, without a final slash, with a credential or without one. */
export type Speak = (base: string, key?: string) => Promise<Client>

/** A fetch that sends the key with every request. */
function fetchWith(key: string | undefined): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
    return fetch(input, { ...init, headers })
  }
}

/** The official client: reads the card at its place below the address, and takes what it prefers. */
export async function clientOf1(base: string, key?: string): Promise<Client> {
  const transports = [new JsonRpcTransportFactory({ fetchImpl: fetchWith(key) })]
  return new ClientFactory({ transports }).createFromUrl(`${base}/`)
}

/** The same of 0.3: it knows no version header, and looks for the address where 0.3 had it. */
async function clientOf03(base: string, key?: string): Promise<Client> {
  const card = await fetchWith(key)(`${base}/.well-known/agent-card.json`)
  const raw: unknown = await card.json()
  const { url: endpoint } = raw as { url: string }
  const transport = new LegacyJsonRpcTransport({ endpoint, fetchImpl: fetchWith(key) })
  return new Client(transport, parseLegacyAgentCard(raw))
}

export const a2aClients: { version: string; speak: Speak }[] = [
  { version: '1.0', speak: clientOf1 },
  { version: '0.3', speak: clientOf03 },
]

/** The members of a message besides its part, and how to wait for its task. */
interface Sending {
  messageId?: string
  contextId?: string
  taskId?: string
  metadata?: Record<string, unknown>
  /** Where its task is told of. */
  push?: TaskPushNotificationConfig
  returnImmediately?: boolean
}

/** A message that calls an operation. */
export function asking(
  operation: string,
  params: object = {},
  more: Sending = {},
): SendMessageRequest {
  return requestOf({ $case: 'data', value: { operation, params } }, more)
}

/** A message that says words. */
export function saying(text: string, more: Sending = {}): SendMessageRequest {
  return requestOf({ $case: 'text', value: text }, more, 'text/plain')
}

/** A message to a task, with a data part. */
export function answering({ id, contextId }: Task, value: object): SendMessageRequest {
  return requestOf({ $case: 'data', value }, { taskId: id, contextId })
}

function requestOf(
  content: NonNullable<Message['parts'][number]['content']>,
  { push, returnImmediately = false, metadata, ...place }: Sending,
  mediaType = '',
): SendMessageRequest {
  return {
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      ...place,
      role: Role.ROLE_USER,
      parts: [{ content, mediaType, filename: '', metadata: undefined }],
      metadata,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: push,
      returnImmediately,
    },
    metadata: undefined,
  }
}

/** The data of a task's artifact. */
export function outputOf(task: Task): unknown {
  const content = task.artifacts[0]?.parts[0]?.content
  if (content?.$case !== 'data') throw new Error(`the task has no data: ${JSON.stringify(task)}`)
  return content.value
}

/** Sends a message and gives the task that it becomes. */
export async function send(client: Client, request: SendMessageRequest): Promise<Task> {
  const answer = await client.sendMessage(request)
  if (!('status' in answer)) throw new Error('the answer is no task')
  return answer
}

/** Calls an operation by a message and gives its answer. */
export async function ask<T>(client: Client, operation: string, params?: object): Promise<T> {
  // The test says what it expects of the operation's answer.
  return outputOf(await send(client, asking(operation, params))) as T
}

/** The states that a stream tells, and its artifacts as such. */
export function told({ payload }: StreamResponse): string {
  if (payload?.$case === 'artifactUpdate') return 'artifact'
  if (payload?.$case !== 'task' && payload?.$case !== 'statusUpdate') return 'message'
  const state = payload.value.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED
  return TaskState[state].replace('TASK_STATE_', '')
}
