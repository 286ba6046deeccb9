import type { CallToolResult, Result, Server } from '@modelcontextprotocol/server'
import type { Outcome } from '#src/core/door.ts'
import { Refusal } from '#src/core/errors.ts'
import { toolName } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { withRole } from '#src/core/roles.ts'
import { inWords } from '#src/core/words/reference.ts'
import { Runs } from '#protocol/runs.ts'
import type { Exchange } from '../exchange.ts'
import type { Follow } from '../listener.ts'
import { waitSecondsOf } from '../progress.ts'
import { isObject } from '../short-form.ts'
import type { ToolTable } from '../tools.ts'
import { addTasks } from './methods.ts'
import { begunTask, goingTask, isSettled, mayStartRun } from './run-task.ts'
import { taskNamed, waitTaskId } from './names.ts'
import { RunTasks, servingAs } from './run-tasks.ts'
import { taskAddress, taskAt } from './stream.ts'
import { takesTasks, type ClientCapabilities, type Task, type TaskSource } from './wire.ts'

/** What the door has besides. */
interface Behind {
  tools: ToolTable
  /** Reads the states of runs for subscribers; without it no one can follow tasks. */
  standings: Operation | undefined
}

/** What a door knows of tasks; it is shared and never changes. */
export class Tasks {
  readonly #runs: Runs
  readonly #read: Operation
  readonly #tools: ToolTable
  readonly #events: Operation | undefined
  readonly #begin: ReadonlySet<Operation>

  /** @param read reads a run */
  constructor(catalog: readonly Operation[], read: Operation, { tools, standings }: Behind) {
    this.#runs = new Runs({ catalog }, standings)
    this.#read = read
    this.#tools = tools
    this.#events = withRole(catalog, 'follow_run')
    this.#begin = new Set(catalog.filter(mayStartRun))
  }

  /** Whether calls of an operation may be answered by tasks, for clients that take them. */
  mayBegin(operation: Operation): boolean {
    return this.#begin.has(operation) || operation === this.#events
  }

  /**
   * The task that a call of that client may become, and so need not wait: as a function of its outcome, which gives
   * undefined where that is the result. Undefined where it becomes none.
   */
  async taskFor(
    operation: Operation,
    input: unknown,
    sent: { client: ClientCapabilities; exchange: Exchange; signal: AbortSignal },
  ): Promise<((outcome: Outcome) => Task | undefined) | undefined> {
    if (!takesTasks(sent.client)) return undefined
    if (this.#begin.has(operation)) return (outcome) => begunTask(operation, input, outcome)
    if (operation !== this.#events || waitSecondsOf(operation, input) === 0) return undefined
    const task = await this.#waitFor(input, sent.exchange, sent.signal)
    return task && (({ answer }) => answer && task)
  }

  /** The wait for the end of a run that goes on. */
  async #waitFor(
    input: unknown,
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<Task | undefined> {
    const { run_id: runId, ...page } = isObject(input) ? input : {}
    if (typeof runId !== 'string' || !exchange.credential) return undefined
    const taskId = waitTaskId(runId, page)
    if (taskId === undefined || !taskNamed(taskId)) return undefined
    const found = await this.#runs.look(runId, servingAs(exchange, signal, { counted: true }))
    const goesOn = found?.run.id === runId && !isSettled(found.run)
    return goesOn ? goingTask(taskId, found.run) : undefined
  }

  /**
   * The handle of a task. For a client that does not speak what it declares, the result that the call has had stands
   * in it.
   */
  handleOf(task: Task, result: CallToolResult, exchange: Exchange): Result {
    const { content, _meta } = result
    const statusMessage = inWords(task.statusMessage ?? '', exchange.words)
    return { ...task, statusMessage, resultType: 'task', content, ...(_meta && { _meta }) }
  }

  /**
   * The tasks of these that the sender may follow, by the addresses that stand for them in a stream: each is told of
   * as it is now, and at each change, also of the run that continues it.
   */
  async followable(
    taskIds: readonly string[],
    exchange: Exchange,
    most: number,
  ): Promise<ReadonlyMap<string, Follow>> {
    const named = new Map<string, string>()
    for (const taskId of taskIds) {
      const runId = taskNamed(taskId)?.runId
      if (runId !== undefined && named.size < most) named.set(taskId, runId)
    }
    if (!exchange.credential || named.size === 0) return new Map()
    const { signal } = exchange.request
    const seen = await this.#runs.outlines(
      [...new Set(named.values())],
      servingAs(exchange, signal, { counted: true }),
    )
    const followed = [...named].filter(([, runId]) => seen.has(runId))
    return new Map(
      followed.map(([taskId, runId]) => [
        taskAddress(taskId),
        (signal) =>
          this.#runs.follow(runId, servingAs(exchange, signal, { counted: true }), { signal }),
      ]),
    )
  }

  /** The task that an address of a stream stands for: null where it is gone, undefined where it stands for none. */
  async shownAt(
    uri: string,
    exchange: Exchange,
    client: ClientCapabilities,
  ): Promise<Record<string, unknown> | null | undefined> {
    const taskId = taskAt(uri)
    if (taskId === undefined) return undefined
    try {
      return { ...(await this.#of(exchange, client, exchange.request.signal).get(taskId)) }
    } catch (cause) {
      if (cause instanceof Refusal) return null
      throw cause
    }
  }

  /**
   * Adds the methods of tasks to the server of an exchange.
   * @param guarded runs what they do, and says what it throws in terms of the protocol
   */
  install(
    server: Server,
    exchange: Exchange,
    guarded: <T>(work: () => Promise<T>) => Promise<T>,
  ): void {
    addTasks(server, (client, signal): TaskSource => {
      const tasks = this.#of(exchange, client, signal)
      return {
        get: (taskId) => guarded(() => tasks.get(taskId)),
        update: (taskId, responses) => guarded(() => tasks.update(taskId, responses)),
        cancel: (taskId) => guarded(() => tasks.cancel(taskId)),
      }
    })
  }

  #of(exchange: Exchange, client: ClientCapabilities, signal: AbortSignal): RunTasks {
    const [runs, read, events] = [this.#runs, this.#read, this.#events]
    const asText = this.#tools.called(toolName(read), {}, exchange.selection)?.asText ?? false
    return new RunTasks({ runs, read, events, exchange, client, signal, asText })
  }
}

/** The tasks of a door with these tools; undefined where none of them reads runs. */
export function tasksIn(catalog: readonly Operation[], behind: Behind): Tasks | undefined {
  const read = withRole(catalog, 'read_run')
  return read && new Tasks(catalog, read, behind)
}
