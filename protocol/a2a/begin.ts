import type { Message, Part, SendMessageRequest, Task } from '@a2a-js/sdk'
import type { Refusal } from '#src/core/errors.ts'
import { digest } from '#src/core/ids.ts'
import { isRead } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { timestamp } from '#src/core/time.ts'
import { askingOf, unsupportedPart } from './request.ts'
import { continued } from './continue.ts'
import type { Desk } from './desk.ts'
import type { Exchange } from './exchange.ts'
import type { NewIds } from './ids.ts'
import { isShort } from './kept/history.ts'
import { runAnswered } from './runs.ts'
import {
  asRunStands,
  completedTask,
  dataPart,
  type Frame,
  refusedTask,
  runIdOf,
  runTask,
  textPart,
} from './tasks.ts'
import { noMessage } from './refusals.ts'

/** The task made from a message. */
export interface Begun {
  task: Task
  /** The task is a run that the message started: the sender waits for the run's end. */
  followsRun: boolean
}

/**
 * Does what a message asks for, and stores the resulting task.
 * @throws Refusal when nothing could be done or stored; errors of the protocol for what it forbids
 */
export async function begin(
  desk: Desk,
  exchange: Exchange,
  { message }: SendMessageRequest,
): Promise<Begun> {
  if (!message) throw noMessage()
  const stray = unsupportedPart(message)
  const asking = askingOf(message, desk)
  if (asking.operation && !stray && message.taskId === '') {
    return call(desk, exchange, message, asking.operation, asking.input)
  }
  // The core counts operation calls itself.
  await desk.count(exchange)
  if (stray) throw stray
  if (message.taskId !== '') {
    return { task: await continued(desk, exchange, message), followsRun: true }
  }
  const frame = frameOf(desk, message, desk.ids.next())
  const { text, data } = desk.menu
  const task = asking.refusal
    ? refusedTask(frame, asking.refusal, exchange)
    : completedTask(frame, [textPart(text), dataPart(data)])
  desk.store.keepSoon(task, exchange)
  return { task, followsRun: false }
}

async function call(
  desk: Desk,
  exchange: Exchange,
  message: Message,
  operation: Operation,
  input: unknown,
): Promise<Begun> {
  const { messageId } = message
  // A digest, so that no key sent directly can be the same, regardless of the message id.
  const idempotencyKey = `a2a-message:${digest(messageId)}`
  const { answer, refusal } = await exchange.serve(operation, input, { idempotencyKey })
  if (refusal && isPassing(refusal)) throw refusal
  const hasEffect = answer && operation.http.method === 'POST' && !isRead(operation)
  // A message that took effect before is answered with the task it became then.
  const ids = hasEffect ? desk.ids.ofMessage(exchange.owner, messageId) : desk.ids.next()
  const frame = frameOf(desk, message, ids, operation)
  let task = answer
    ? await answeredTask(desk, exchange, frame, operation, answer.text)
    : refusedTask(frame, refusal, exchange)
  if (!answer || isRead(operation)) desk.store.keepSoon(task, exchange, operation)
  else if (!(await desk.store.keep(task, exchange, operation))) {
    task = await asItIsNow(desk, exchange, task)
    await desk.store.update(task, exchange, operation)
  }
  // Other operations that answer with a run have not started it.
  const mayStart = operation.http.mayAccept === true && answer !== undefined
  return { task, followsRun: mayStart && runIdOf(task) !== undefined }
}

/** The task of a repeated message. It gets its first answer, but a run has continued since. */
async function asItIsNow(desk: Desk, exchange: Exchange, task: Task): Promise<Task> {
  const runId = runIdOf(task)
  const standing = runId === undefined ? undefined : await desk.runs.look(runId, exchange)
  return standing ? asRunStands(task, standing) : task
}

async function answeredTask(
  { runs }: Desk,
  exchange: Exchange,
  frame: Frame,
  operation: Operation,
  text: string,
): Promise<Task> {
  const run = runAnswered(operation, text)
  return run
    ? runTask(frame, await runs.standing(run, exchange))
    : completedTask(frame, [dataPart(JSON.parse(text))])
}

/** A temporary refusal, after which the message may be sent again: no task is made of it. */
function isPassing({ kind }: Refusal): boolean {
  return kind === 'rate_limited' || kind === 'unavailable' || kind === 'internal'
}

function frameOf(desk: Desk, message: Message, ids: NewIds, operation?: Operation): Frame {
  const { taskId: id } = ids
  const contextId = message.contextId || ids.contextId
  const said: Message = {
    ...message,
    taskId: id,
    contextId,
    parts: partsToKeep(message, operation),
    // The metadata of an operation call may be as secret as its input.
    metadata: operation ? undefined : message.metadata,
  }
  return {
    id,
    contextId,
    at: timestamp(desk.clock.now()),
    history: isShort(said) ? [said] : [],
    operation,
  }
}

/** Texts, and the name of the called operation. Its input may contain secrets, and is not stored. */
function partsToKeep({ parts }: Message, operation: Operation | undefined): Part[] {
  const words = parts.filter(({ content }) => content?.$case === 'text')
  return operation ? [dataPart({ operation: operation.name }), ...words] : words
}
