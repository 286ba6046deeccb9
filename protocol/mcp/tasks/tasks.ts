import type { CallToolResult, Result, Server } from '@modelcontextprotocol/server'
import type { Outcome } from '#src/core/door.ts'
import { toolName } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { withRole } from '#src/core/roles.ts'
import { inWords } from '#src/core/words/reference.ts'
import { Runs } from '#protocol/runs.ts'
import type { Exchange } from '../exchange.ts'
import type { ToolTable } from '../tools.ts'
import { addTasks } from './methods.ts'
import { begunTask, mayStartRun } from './run-task.ts'
import { RunTasks } from './run-tasks.ts'
import { takesTasks, type ClientCapabilities, type TaskSource } from './wire.ts'

/** What a door knows of tasks; it is shared and never changes. */
export class Tasks {
  readonly #runs: Runs
  readonly #read: Operation
  readonly #tools: ToolTable
  readonly #begin: ReadonlySet<Operation>

  /** @param read reads a run */
  constructor(catalog: readonly Operation[], read: Operation, tools: ToolTable) {
    this.#runs = new Runs({ catalog })
    this.#read = read
    this.#tools = tools
    this.#begin = new Set(catalog.filter(mayStartRun))
  }

  /** Whether calls of an operation may be answered by tasks, for clients that take them. */
  mayBegin(operation: Operation): boolean {
    return this.#begin.has(operation)
  }

  /** Whether a call of that client may be answered by a task, and so need not wait. */
  areFor(operation: Operation, client: ClientCapabilities): boolean {
    return this.#begin.has(operation) && takesTasks(client)
  }

  /**
   * The handle of the task that a call has become; undefined where its result is final. For a client that does not
   * speak what it declares, the result of the call stands in it.
   */
  handleOf(
    operation: Operation,
    input: unknown,
    { outcome, result, exchange }: { outcome: Outcome; result: CallToolResult; exchange: Exchange },
  ): Result | undefined {
    const task = begunTask(operation, input, outcome)
    if (!task) return undefined
    const { content, _meta } = result
    const statusMessage = inWords(task.statusMessage ?? '', exchange.words)
    return { ...task, statusMessage, resultType: 'task', content, ...(_meta && { _meta }) }
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
    const [runs, read] = [this.#runs, this.#read]
    const asText = this.#tools.called(toolName(read), {}, exchange.selection)?.asText ?? false
    addTasks(server, (client, signal): TaskSource => {
      const tasks = new RunTasks({ runs, read, exchange, client, signal, asText })
      return {
        get: (taskId) => guarded(() => tasks.get(taskId)),
        update: (taskId, responses) => guarded(() => tasks.update(taskId, responses)),
        cancel: (taskId) => guarded(() => tasks.cancel(taskId)),
      }
    })
  }
}

/** The tasks of a door with these tools; undefined where none of them reads runs. */
export function tasksIn(catalog: readonly Operation[], tools: ToolTable): Tasks | undefined {
  const read = withRole(catalog, 'read_run')
  return read && new Tasks(catalog, read, tools)
}
