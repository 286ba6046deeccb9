import type { Message, SendMessageRequest, Task, TaskPushNotificationConfig } from '@a2a-js/sdk'
import { UnsupportedOperationError } from '@a2a-js/sdk/errors'
import { Refusal } from '#src/core/errors.ts'
import { digest } from '#src/core/ids.ts'
import { leading } from '#protocol/a2a/errors/details.ts'
import { noMessage, otherContext } from '#protocol/a2a/refusals.ts'
import { decisionIn } from '../continue.ts'
import type { Exchange } from '../exchange.ts'
import { PushConfigs, targetIn } from '../push/configs.ts'
import { keyUnder, onceFor } from '../request/once.ts'
import { isTerminal, stateOfRun } from '../states.ts'
import type { Conversation } from './conversation.ts'
import type { AgentDesk } from './desk.ts'
import { sendingOf } from './send-request.ts'
import type { ChatShown } from './shown.ts'

/**
 * A network shares its idempotency keys, so a short message id could collide with another sender's by
 * chance.
 */
const ownAtLeast = 16

/**
 * Does what a message asks for: starts a task of the agent, or decides what a task waits for.
 * @throws errors of the protocol for what it forbids; Refusal
 */
export async function beginTask(
  desk: AgentDesk,
  exchange: Exchange,
  tasks: Conversation,
  params: SendMessageRequest,
): Promise<Task> {
  const { message, configuration } = params
  if (!message) throw noMessage()
  const push = configuration?.taskPushNotificationConfig
  if (message.taskId !== '') return answered(desk, exchange, tasks, { message, push })
  const input = {
    ...sendingOf(message, params),
    ...(push && { push: targetIn(push, tasks.version) }),
  }
  return tasks.send(input, keyOf(message, exchange))
}

function keyOf(message: Message, exchange: Exchange): string | undefined {
  if (exchange.credential === undefined && message.messageId.length < ownAtLeast) return undefined
  return keyUnder('a2a-chat', idOf(message, exchange), undefined)
}

/** What the message is known by: each agent has ids of its own. */
function idOf({ messageId }: Message, { request }: Exchange): string {
  return `${request.agent}\n${messageId}`
}

/** A message to a task decides the approval that the task waits for. */
async function answered(
  desk: AgentDesk,
  exchange: Exchange,
  tasks: Conversation,
  { message, push }: { message: Message; push: TaskPushNotificationConfig | undefined },
): Promise<Task> {
  const shown = await tasks.look(message.taskId)
  if (message.contextId !== '' && message.contextId !== shown.context_id) {
    throw otherContext()
  }
  const { approval } = shown
  if (approval?.state === 'pending') {
    // The decider need not have sent the task, and only its sender may set notifications for it.
    if (push && shown.is_sender) {
      const { agent = '' } = exchange.request
      const configs = new PushConfigs(desk.operations.push, agent, exchange, tasks.version)
      // The same message sent again sets the same config.
      const id = push.id || digest(message.messageId).slice(0, 32)
      await configs.create({ ...push, id, taskId: message.taskId })
    }
    const { refusal } = await decided(desk, exchange, message, approval.id)
    if (refusal) throw refusal
    return tasks.get(shown.id)
  }
  if (shown.status === 'waiting_approval') {
    throw new Refusal('forbidden', 'The task waits for an approval that others decide.')
  }
  // A decision that is sent again is answered with the present task.
  if (approval && (await wasDecidedSo(desk, exchange, message, approval.id))) {
    return tasks.taskOf(shown)
  }
  throw takesNoMessage(shown)
}

async function decided(
  desk: AgentDesk,
  exchange: Exchange,
  message: Message,
  approvalId: string,
): Promise<{ refusal?: Refusal | undefined }> {
  const { decide } = desk
  const input = decisionIn(message, approvalId, decide)
  if (!decide) throw new UnsupportedOperationError('Approvals are not decided here.')
  return onceFor(input, desk.clock, (mark) => {
    const idempotencyKey = keyUnder('a2a-decision', idOf(message, exchange), mark)
    return exchange.serve(decide, input, { idempotencyKey })
  })
}

async function wasDecidedSo(
  desk: AgentDesk,
  exchange: Exchange,
  message: Message,
  approvalId: string,
): Promise<boolean> {
  try {
    const { refusal } = await decided(desk, exchange, message, approvalId)
    return refusal === undefined
  } catch (cause) {
    // What is not a decision now was not one before.
    if (cause instanceof Refusal) return false
    throw cause
  }
}

function takesNoMessage({ status }: ChatShown): UnsupportedOperationError {
  const [message, hint] = isTerminal(stateOfRun(status))
    ? ['The task has ended.', 'Send a message without taskId, with its contextId to go on.']
    : [
        'The task takes a message only where it waits for an approval.',
        'GetTask (tasks/get in 0.3) follows it.',
      ]
  return leading(UnsupportedOperationError, message, hint)
}
