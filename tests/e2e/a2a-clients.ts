import { Role, type Message, type SendMessageRequest, type Task } from '@a2a-js/sdk'
import { Client, ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { LegacyJsonRpcTransport, parseLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client'
import { randomUUID } from 'node:crypto'

export type Speak = (url: string, key?: string) => Promise<Client>

/** A fetch that sends the key with every request. */
function fetchWith(key: string | undefined): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
    return fetch(input, { ...init, headers })
  }
}

/** The official client: reads the card at its place below the address, and takes what it prefers. */
async function clientOf1(url: string, key?: string): Promise<Client> {
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl: fetchWith(key) })],
  })
  return factory.createFromUrl(`${url}/a2a/`)
}

/** The same of 0.3: it knows no version header, and looks for the address where 0.3 had it. */
async function clientOf03(url: string, key?: string): Promise<Client> {
  const card = await fetch(`${url}/a2a/.well-known/agent-card.json`)
  const raw: unknown = await card.json()
  const { url: endpoint } = raw as { url: string }
  const transport = new LegacyJsonRpcTransport({ endpoint, fetchImpl: fetchWith(key) })
  return new Client(transport, parseLegacyAgentCard(raw))
}

export const a2aClients: { version: string; speak: Speak }[] = [
  { version: '1.0', speak: clientOf1 },
  { version: '0.3', speak: clientOf03 },
]

/** A message that calls an operation. */
export function asking(
  operation: string,
  params: object = {},
  more: { returnImmediately?: boolean; messageId?: string } = {},
): SendMessageRequest {
  const { returnImmediately = false, messageId = randomUUID() } = more
  return {
    tenant: '',
    message: messageOf(messageId, { operation, params }),
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately,
    },
    metadata: undefined,
  }
}

function messageOf(messageId: string, data: object): Message {
  return {
    messageId,
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [
      { content: { $case: 'data', value: data }, mediaType: '', filename: '', metadata: undefined },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
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
