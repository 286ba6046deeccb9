import type { Message, Part, SendMessageRequest, Task } from '@a2a-js/sdk'
import type { Refusal } from '#src/core/errors.ts'
import { isRead } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { timestamp } from '#src/core/time.ts'
import { keyUnder, onceFor } from './request/once.ts'
import { askingOf, unsupportedPart, wordsOf, type Asking } from './request/call.ts'
import { continued } from './continue.ts'
import type { Desk } from './desk.ts'
import type { Exchange } from './exchange.ts'
import type { NewIds } from './ids.ts'
import { isShort, notKept, withMessage } from './kept/history.ts'
import { offerFor, type Offer } from './request/offer.ts'
import { runAnswered } from '#protocol/runs.ts'
import {
  asRunStands,
  askingTask,
  completedTask,
  dataPart,
  type Frame,
  isAsking,
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
  const open = stray ? undefined : await openTask(desk, exchange, message)
  if (asking.operation && !stray && (message.taskId === '' || open)) {
    return call(desk, exchange, message, asking, open)
  }
  // The core counts operation calls itself.
  await desk.count(exchange)
  if (stray) throw stray
  if (message.taskId !== '' && !open) {
    return { task: await continued(desk, exchange, message), followsRun: true }
  }
  const frame = frameOf(desk, message, idsFor(open) ?? desk.ids.next(), { open })
  const task = asking.refusal
    ? refusedTask(frame, asking.refusal, exchange)
    : askingTask(frame, offerParts(offerFor(desk, exchange, wordsOf(message))))
  if (open) await desk.store.update(task, exchange)
  else desk.store.keepSoon(task, exchange)
  return { task, followsRun: false }
}

function offerParts({ text, data }: Offer): Part[] {
  return [textPart(text), dataPart(data)]
}

/** The task that a message continues, if it has asked what is wanted and was not answered yet. */
async function openTask(
  { store }: Desk,
  { owner }: Exchange,
  { taskId, contextId }: Message,
): Promise<Task | undefined> {
  if (taskId === '') return undefined
  const task = await store.load(taskId, owner)
  if (!task || !isAsking(task)) return undefined
  return contextId === '' || contextId === task.contextId ? task : undefined
}

function idsFor(open: Task | undefined): NewIds | undefined {
  return open && { taskId: open.id, contextId: open.contextId }
}

async function call(
  desk: Desk,
  exchange: Exchange,
  message: Message,
  { operation, input, isText, understood: read }: Extract<Asking, { operation: Operation }>,
  open: Task | undefined,
): Promise<Begun> {
  const { messageId } = message
  const sent = { operation: operation.name, input }
  const done = await onceFor(sent, desk.clock, (mark) => {
    const idempotencyKey = keyUnder('a2a-message', messageId, mark)
    return exchange.serve(operation, input, { idempotencyKey, understood: read })
  })
  const { answer, whole, refusal, understood, mark } = done
  if (refusal && isPassing(refusal)) throw refusal
  const hasEffect = answer && operation.http.method === 'POST' && !isRead(operation)
  // A message that took effect before is answered with the task it became then.
  const ids = hasEffect ? desk.ids.ofMessage(exchange.owner, messageId, mark) : desk.ids.next()
  const frame = {
    ...frameOf(desk, message, idsFor(open) ?? ids, { operation, isText, open }),
    understood,
  }
  let task = answer
    ? await answeredTask(desk, exchange, frame, operation, { answer, whole })
    : refusedTask(frame, refusal, exchange)
  if (open) await desk.store.update(task, exchange, operation)
  else if (!answer || isRead(operation)) desk.store.keepSoon(task, exchange, operation)
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
  { answer, whole }: Answered,
): Promise<Task> {
  // Who asks for less of the run that a call starts has its task all the same; who reads one gets what was asked for.
  const told = isRead(operation) && whole ? undefined : (whole ?? answer)
  const run = told && runAnswered(operation, told.text)
  return run
    ? runTask(frame, await runs.standing(run, exchange))
    : completedTask(frame, [dataPart(JSON.parse(answer.text))])
}

/** An answer, and all of it where less was asked for. */
interface Answered {
  answer: { text: string }
  whole?: { text: string } | undefined
}

/** A temporary refusal, after which the message may be sent again: no task is made of it. */
function isPassing({ kind }: Refusal): boolean {
  return kind === 'rate_limited' || kind === 'unavailable' || kind === 'internal'
}

/** How the message of a task came to be. */
interface Origin {
  operation?: Operation
  /** The call was written in the text. */
  isText?: boolean
  /** The task that it continues. */
  open?: Task | undefined
}

function frameOf(desk: Desk, message: Message, ids: NewIds, origin: Origin): Frame {
  const { operation, open } = origin
  const { taskId: id } = ids
  const contextId = message.contextId || ids.contextId
  const said: Message = {
    ...message,
    taskId: id,
    contextId,
    parts: partsToKeep(message, origin),
    // The metadata of an operation call may be as secret as its input.
    metadata: operation ? undefined : message.metadata,
  }
  return {
    id,
    contextId,
    at: timestamp(desk.clock.now()),
    history: historyWith(open?.history ?? [], said),
    operation,
  }
}

function historyWith(earlier: readonly Message[], said: Message): Message[] {
  return isShort(said) ? withMessage(earlier, said) : [...earlier]
}

/** Texts, and the name of the called operation. Its input may contain secrets, and is not stored. */
function partsToKeep({ parts }: Message, { operation, isText }: Origin): Part[] {
  if (isText && operation) return [dataPart({ operation: operation.name })]
  const words = parts.filter(({ content }) => content?.$case === 'text')
  if (operation) return [dataPart({ operation: operation.name }), ...words]
  return words.length > 0 ? words : [notKept]
}
