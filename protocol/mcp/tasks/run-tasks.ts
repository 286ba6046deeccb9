import { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Standing } from '#protocol/run-shown.ts'
import type { Runs, Serving } from '#protocol/runs.ts'
import type { Exchange } from '../exchange.ts'
import { toolResult } from '../results.ts'
import { decisionIn, openApproval } from './asked.ts'
import { taskNamed, type TaskName } from './names.ts'
import { endedTask, openTask } from './run-task.ts'
import type { ClientCapabilities, InputResponses, Task, TaskSource } from './wire.ts'

/** What the tasks of one request are made with. */
export interface TaskTerms {
  runs: Runs
  /** Reads a run. */
  read: Operation
  exchange: Exchange
  client: ClientCapabilities
  signal: AbortSignal
  /** Results are given as text alone. */
  asText: boolean
}

/**
 * Runs as tasks: a task is its run, and nothing else is stored of it. So it outlives every process, any of them
 * answers for it, and who may not read the run learns nothing of the task.
 */
export class RunTasks implements TaskSource {
  readonly #terms: TaskTerms

  constructor(terms: TaskTerms) {
    this.#terms = terms
  }

  async get(taskId: string): Promise<Task> {
    const { name, standing } = await this.#found(taskId)
    const { client, exchange } = this.#terms
    const open = openTask(taskId, standing, client, exchange.words)
    return open ?? endedTask(taskId, standing, await this.#resultOf(standing, name))
  }

  async cancel(taskId: string): Promise<void> {
    const { standing } = await this.#found(taskId)
    // One that ends meanwhile is undefined, and has ended all the same.
    if (standing.run.finished_at === null) {
      await this.#terms.runs.cancel(standing.run.id, this.#serving())
    }
  }

  /** Answers by other keys than that of the open approval are of what is not asked any more. */
  async update(taskId: string, responses: InputResponses): Promise<void> {
    const { standing } = await this.#found(taskId)
    const open = openApproval(standing)
    const decision =
      open && Object.hasOwn(responses, open.id) ? decisionIn(open, responses[open.id]) : undefined
    if (!decision) return
    const { refusal } = await this.#terms.runs.decide(decision, this.#serving())
    // Someone else was faster, at another host or at the page.
    if (refusal && refusal.code !== 'approval_decided') throw refusal
  }

  async #found(taskId: string): Promise<{ name: TaskName; standing: Standing }> {
    const name = taskNamed(taskId)
    const { runs } = this.#terms
    const standing = name && (await runs.look(name.runId, this.#serving({ counted: true })))
    if (name && standing) return { name, standing }
    throw new Refusal('run_not_found', `There is no task "${taskId.slice(0, 100)}".`, {
      hint: 'A task is known by the taskId that its tools/call was answered with, to the account of that call.',
    })
  }

  /** What the call would have been answered with at the end of its run. */
  async #resultOf({ run, answer }: Standing, { shown }: TaskName): Promise<object> {
    const { read, exchange, asText } = this.#terms
    const outcome = shown
      ? await this.#serving({ counted: true }).serve(read, { run_id: run.id, ...shown })
      : answer && { answer }
    if (!outcome) throw new Error('a run was seen without its text')
    const result = toolResult(read, outcome, exchange, asText)
    return run.status === 'completed' ? result : { ...result, isError: true }
  }

  #serving(always?: { counted: true }): Serving {
    const { exchange, signal } = this.#terms
    return servingAs(exchange, signal, always)
  }
}

/**
 * Calls as the sender of an exchange.
 * @param own ends a call that has no signal of its own
 * @param always `counted` where the request is counted already, and its calls are a part of it
 */
export function servingAs(
  exchange: Exchange,
  own: AbortSignal,
  always?: { counted: true },
): Serving {
  return {
    serve: (operation, input, { signal = own, follow, counted } = {}) =>
      exchange.serve(operation, input, undefined, signal, { follow, counted, ...always }),
  }
}
