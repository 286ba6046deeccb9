import type { CallToolResult, Result } from '@modelcontextprotocol/server'
import type { Outcome } from '#src/core/door.ts'
import type { Operation } from '#src/core/operation.ts'
import { inWords } from '#src/core/words/reference.ts'
import type { Exchange } from '../exchange.ts'
import { begunReading } from './item-task.ts'
import { legacyTask } from './legacy.ts'
import { endedTask, goingTask, runIn } from './run-task.ts'
import { runTaskId } from './names.ts'
import type { Task } from './wire.ts'

/**
 * The handle of a task. For a client that does not speak what it declares, the result that the call has had stands in it.
 */
export function handleOf(
  task: Task | undefined,
  { content, _meta }: CallToolResult,
  { words }: Exchange,
): Result | undefined {
  if (!task) return undefined
  const statusMessage = inWords(task.statusMessage ?? '', words)
  return { ...task, statusMessage, resultType: 'task', content, ...(_meta && { _meta }) }
}

/**
 * The task that a client of 2025-11-25 has asked for; undefined where the call has become none.
 * @throws Refusal of the call: no task was made
 */
export function legacyHandleOf(
  operation: Operation,
  input: unknown,
  outcome: Outcome,
  { content }: CallToolResult,
): Result | undefined {
  if (outcome.refusal) throw outcome.refusal
  const task = operation.learns ? begunReading(outcome) : runTask(operation, input, outcome)
  return task && { task: legacyTask(task), content }
}

/** The run of an answer as a task, also where it has ended at once. */
function runTask(operation: Operation, input: unknown, outcome: Outcome): Task | undefined {
  const run = runIn(operation, outcome)
  if (!run) return undefined
  const going = goingTask(runTaskId(run.id, input), run)
  const isError = run.status !== 'completed'
  const standing = { run, begun_at: going.createdAt }
  return run.finished_at ? endedTask(going.taskId, standing, { isError }) : going
}
