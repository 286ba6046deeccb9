import { chatOperations } from '#src/catalog/chat.ts'
import { agentDoors } from '#protocol/a2a/agent/door.ts'
import type { AgentDoors, AgentDoorsOptions } from '#protocol/a2a/agent/options.ts'
import type { DoorAnswer } from '#protocol/door.ts'
import { policiesFor } from '#protocol/policies.ts'
import type { Store } from '#src/ports/store.ts'
import {
  asOne,
  eventsOf,
  jsonOf,
  posted,
  request,
  type Posted,
  type RpcAnswer,
  type Sent,
  type Shown,
} from '#tests/protocol/a2a-harness.ts'
import { openWorld, type World, type WorldOptions } from '#tests/support/world.ts'

export const publicUrl = 'http://127.0.0.1:8080'

export interface AgentsWorld extends World {
  doors: AgentDoors
  /** Any body at all, as the transport would hand it over, to the agent. */
  post(agent: string, body: unknown, sent?: Posted): Promise<DoorAnswer>
  /** One request of version 1.0 by name; fails the test when the answer is no JSON of status 200. */
  rpc(agent: string, method: string, params?: unknown, sent?: Sent): Promise<RpcAnswer>
  /** The same of version 0.3. */
  rpc03(agent: string, method: string, params?: unknown, sent?: Sent): Promise<RpcAnswer>
  /** The events of a streaming method of version 1.0, as they come. */
  stream(agent: string, method: string, params?: unknown, sent?: Sent): AsyncGenerator<RpcAnswer>
  /** The card as it is served. */
  card(agent: string, as?: { key?: string; version?: string }): Promise<Shown>
}

export function openAgents(
  store: Store,
  options: WorldOptions & Partial<AgentDoorsOptions> = {},
): AgentsWorld {
  const world = openWorld(store, options)
  const { clock, log, sealer } = world.ports
  const doors = agentDoors({
    ...policiesFor(publicUrl),
    core: world.core,
    operations: chatOperations,
    clock,
    log,
    sealer,
    name: 'Abode',
    publicUrl,
    ...options,
  })
  const post: AgentsWorld['post'] = (agent, body, sent) =>
    doors.at(agent).handle(posted(body, asOne(sent)))
  const rpc: AgentsWorld['rpc'] = async (agent, method, params, sent) =>
    jsonOf(await post(agent, request(method, params), sent))
  return {
    ...world,
    doors,
    post,
    rpc,
    rpc03: (agent, method, params, sent) =>
      rpc(agent, method, params, { ...sent, headers: { 'a2a-version': '0.3' } }),
    async *stream(agent, method, params, sent) {
      yield* eventsOf(await post(agent, request(method, params), sent))
    },
    async card(agent, { key: credential, version = '1.0' } = {}) {
      const asked = { credential, version, address: '127.0.0.0', requestId: 'req_1' }
      // The test says what it expects of it.
      return JSON.parse((await doors.card(agent, asked)).text) as Shown
    },
  }
}

let messages = 0

/** The params of SendMessage: words, or the parts that are given. */
export function saying(
  content: string | object[],
  more: Record<string, unknown> = {},
  configuration?: Record<string, unknown>,
): { message: Record<string, unknown>; configuration?: Record<string, unknown> } {
  messages += 1
  const parts = typeof content === 'string' ? [{ text: content }] : content
  return {
    message: { messageId: `a-message-of-the-tests-${messages}`, role: 'ROLE_USER', parts, ...more },
    ...(configuration && { configuration }),
  }
}

/** The task in an answer to SendMessage; fails the test when there is none. */
export function taskIn({ result, error }: RpcAnswer): Shown {
  const task = result?.['task']
  if (!task) throw new Error(`there is no task: ${JSON.stringify(error)}`)
  return task
}

/** An agent that everybody may speak to. */
export function talker(id: string, tasks: readonly object[], chat = 'public'): object {
  const visibility = { profile_visibility: 'public', ability_access: { chat } }
  return { id, name: id, visibility, heart: { tasks } }
}

export const echo = {
  task_id: 'echo',
  name: 'Echo',
  runtime: 'template',
  prompt: 'Heard: {{input}}',
}
export const think = { task_id: 'think', name: 'Think', prompt: 'Think of {{input}}', order: 1 }
