import type { Message, Task } from '@a2a-js/sdk'
import { UnsupportedOperationError } from '@a2a-js/sdk/errors'
import { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Desk } from './desk.ts'
import type { Exchange } from './exchange.ts'
import { isShort, notKept, withMessage } from './kept/history.ts'
import { keyUnder, onceFor } from './request/once.ts'
import { isTerminal } from './states.ts'
import { asRunStands, runIdOf } from './tasks.ts'
import { leading } from './errors/details.ts'
import { noTask, otherContext } from './refusals.ts'

/**
 * Does what a message to a task asks for: decides the approval that the task waits for. A repeated
 * message is answered with the present task.
 * @throws TaskNotFoundError, InvalidParams, UnsupportedOperationError; Refusal of the decision
 */
export async function continued(desk: Desk, exchange: Exchange, message: Message): Promise<Task> {
  const kept = await desk.store.load(message.taskId, exchange.owner)
  if (!kept) throw noTask(message.taskId, exchange.words)
  if (message.contextId !== '' && message.contextId !== kept.contextId) {
    throw otherContext()
  }
  const isRepeated = kept.history.some(({ messageId }) => messageId === message.messageId)
  const runId = runIdOf(kept)
  const standing = runId === undefined ? undefined : await desk.runs.look(runId, exchange)
  const task = standing ? asRunStands(kept, standing) : kept
  const { run, approval, decide } = standing ?? {}
  const isAsked = run && approval && run.status === 'waiting_approval'
  // Clients use ids again: a decision under the id of the message before it is no repetition.
  if (isRepeated && !(isAsked && hasData(message))) return task
  if (!isAsked) throw takesNoMessage(task)
  const decision = decisionIn(message, approval.id, decide)
  const { refusal } = await onceFor(decision, desk.clock, (mark) =>
    desk.runs.decide(decision, exchange, keyUnder('a2a-message', message.messageId, mark)),
  )
  if (refusal) throw refusal
  const decided = await desk.runs.look(run.id, exchange)
  const said = keptMessage(message, kept.contextId)
  const told = { ...task, history: withMessage(task.history, said) }
  const now = decided ? asRunStands(told, decided) : told
  await desk.store.update(now, exchange)
  return now
}

function hasData({ parts }: Message): boolean {
  return parts.some(({ content }) => content?.$case === 'data')
}

/** What is stored of an executed message: that it arrived, and its text if that is short. */
function keptMessage(message: Message, contextId: string): Message {
  const said = { ...message, contextId }
  return isShort(said) ? said : { ...said, parts: [notKept], metadata: undefined }
}

/** A task accepts a message while it waits for an approval; otherwise it ends by itself. */
function takesNoMessage({ status }: Task): UnsupportedOperationError {
  return isTerminal(status?.state)
    ? leading(UnsupportedOperationError, 'The task has ended.', 'Send a message without taskId.')
    : leading(UnsupportedOperationError, takesDecisions, 'GetTask (tasks/get in 0.3) follows it.')
}

const takesDecisions =
  'The task is a run, which takes a message only where it waits for an approval.'

const hint =
  'Send a data part {"decision": "approve"} or {"decision": "reject", "reason": "…"}; as_char_id names which of your agents votes.'

/**
 * The input of the operation that decides approvals: the members of the one data part, which may also
 * be a call of that operation. Two decisions are refused, because it is unclear which one is meant.
 * @throws Refusal `invalid_input`
 */
export function decisionIn(
  { parts }: Message,
  approvalId: string,
  decide: Operation | undefined,
): object {
  const [part, ...others] = parts.filter(({ content }) => content?.$case === 'data')
  const data: unknown = part?.content?.value
  if (!isObject(data) || others.length > 0) {
    throw new Refusal('invalid_input', 'The task waits for a decision.', { hint })
  }
  const isCall = decide !== undefined && data['operation'] === decide.name
  const input = isCall && isObject(data['params']) ? data['params'] : data
  if (input['approval_id'] !== undefined && input['approval_id'] !== approvalId) {
    throw new Refusal('invalid_input', `The task waits for the approval ${approvalId}.`, { hint })
  }
  return { ...input, approval_id: approvalId }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
