import type { Outcome } from '#src/core/door.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Standing } from '#protocol/run-shown.ts'
import type { Runs, Serving } from '#protocol/runs.ts'
import type { Exchange } from '../exchange.ts'
import { toolResult } from '../results.ts'
import { decisionIn, openApproval } from './asked.ts'
import type { LegacyTasks } from './legacy.ts'
import type { RunTaskName } from './names.ts'
import { notYet, unknownTask } from './refusals.ts'
import { endedTask, isSettled, openTask } from './run-task.ts'
import { followingAs, servingAs } from './sender.ts'
import type { ClientCapabilities, InputResponses, Task, TaskSource } from './wire.ts'

/** What the tasks of one request are made with. */
export interface TaskTerms {
  runs: Runs
  /** Reads a run. */
  read: Operation
  /** Reads its events. */
  events: Operation | undefined
  exchange: Exchange
  client: ClientCapabilities
  signal: AbortSignal
  /** Results are given as text alone. */
  asText: boolean
}

/**
 * A run as a task: it is its run, and nothing else is stored of it. So it outlives every process, any of them
 * answers for it, and who may not read the run learns nothing of the task.
 */
export class RunTasks implements TaskSource, LegacyTasks {
  readonly #name: RunTaskName
  readonly #terms: TaskTerms

  constructor(name: RunTaskName, terms: TaskTerms) {
    this.#name = name
    this.#terms = terms
  }

  async get(taskId: string): Promise<Task> {
    const standing = await this.#found(taskId)
    const { client, exchange } = this.#terms
    if (this.#name.events) return this.#awaited(taskId, standing)
    const open = openTask(taskId, standing, client, exchange.words)
    return open ?? endedTask(taskId, standing, await this.#resultOf(standing))
  }

  /** A wait is over as soon as the run has ended, or waits for what this client cannot ask its person. */
  async #awaited(taskId: string, standing: Standing): Promise<Task> {
    const { runId: run_id, events: page } = this.#name
    const { client, exchange, events } = this.#terms
    const { run } = standing
    // Once it is continued by another one it has ended.
    const isOver = run.id !== run_id || run.finished_at !== null
    const open = isOver ? undefined : openTask(taskId, standing, client, exchange.words)
    if (open?.status === 'input_required' || (open && !isSettled(run))) return open
    if (!events) throw new Error('a wait for events without events')
    const outcome = await this.#serving({ counted: true }).serve(events, { ...page, run_id })
    const { refusal } = outcome
    if (refusal) throw refusal
    return endedTask(taskId, standing, this.#wireResult(events, outcome))
  }

  /**
   * The result of a task, once it has ended.
   * @throws Refusal `run_under_way` when the time is up before
   */
  async result(taskId: string): Promise<object> {
    await this.#found(taskId)
    const { runs, exchange, signal } = this.#terms
    const serving = followingAs(exchange, signal)
    for await (const standing of runs.follow(this.#name.runId, serving, { signal })) {
      if (!('run' in standing) || standing.run.finished_at === null) continue
      return this.#resultOf(standing)
    }
    throw notYet()
  }

  async cancel(taskId: string): Promise<void> {
    const standing = await this.#found(taskId)
    // Who waits no more has not cancelled what it waited for.
    if (this.#name.events) return
    // One that ends meanwhile is undefined, and has ended all the same.
    if (standing.run.finished_at === null) {
      await this.#terms.runs.cancel(standing.run.id, this.#serving())
    }
  }

  /** Answers by other keys than that of the open approval are of what is not asked any more. */
  async update(taskId: string, responses: InputResponses): Promise<void> {
    const standing = await this.#found(taskId)
    const open = openApproval(standing)
    const decision = open && decisionIn(open, responses)
    if (!decision) return
    const { refusal } = await this.#terms.runs.decide(decision, this.#serving())
    // Someone else was faster, at another host or at the page.
    if (refusal && refusal.code !== 'approval_decided') throw refusal
  }

  async #found(taskId: string): Promise<Standing> {
    const serving = this.#serving({ counted: true })
    const standing = await this.#terms.runs.look(this.#name.runId, serving)
    if (standing) return standing
    throw unknownTask(taskId)
  }

  /** What the call would have been answered with at the end of its run. */
  async #resultOf({ run, answer }: Standing): Promise<object> {
    const { read } = this.#terms
    const { shown } = this.#name
    const outcome = shown
      ? await this.#serving({ counted: true }).serve(read, { run_id: run.id, ...shown })
      : answer && { answer }
    if (!outcome) throw new Error('a run was seen without its text')
    const result = this.#wireResult(read, outcome)
    return run.status === 'completed' ? result : { ...result, isError: true }
  }

  /** As the result of a call is on the wire: the official client expects its type here too. */
  #wireResult(operation: Operation, outcome: Outcome): object {
    const { exchange, asText } = this.#terms
    return { resultType: 'complete', ...toolResult(operation, outcome, exchange, asText) }
  }

  #serving(always?: { counted: true }): Serving {
    const { exchange, signal } = this.#terms
    return servingAs(exchange, signal, always)
  }
}
