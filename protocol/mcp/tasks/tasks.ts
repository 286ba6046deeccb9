import type { CallToolResult, Result, Server, ServerContext } from '@modelcontextprotocol/server'
import type { Outcome } from '#src/core/door.ts'
import { Refusal } from '#src/core/errors.ts'
import { toolName } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { withRole, type Role } from '#src/core/roles.ts'
import { inWords } from '#src/core/words/reference.ts'
import { changesSomething } from '#protocol/named-call.ts'
import { runAnswered, Runs } from '#protocol/runs.ts'
import type { DoorRequest } from '#protocol/door.ts'
import type { ToolDescriptor } from '../descriptor.ts'
import type { Exchange } from '../exchange.ts'
import type { Follow } from '../listener.ts'
import { waitSecondsOf } from '../progress.ts'
import { isObject, type Era } from '../short-form.ts'
import type { ToolTable } from '../tools.ts'
import { addTasks } from './methods.ts'
import { addLegacyTasks, isOfLegacyTasks, legacyTask, legacyTaskSupport } from './legacy.ts'
import { begunTask, endedTask, goingTask, isSettled, mayStartRun, startsRun } from './run-task.ts'
import { runTaskId, taskNamed, waitTaskId } from './names.ts'
import { RunTasks, servingAs } from './run-tasks.ts'
import { taskAddress, taskAt } from './stream.ts'
import {
  capabilitiesIn,
  takesTasks,
  type ClientCapabilities,
  type Task,
  type TaskSource,
} from './wire.ts'

/** What the door has besides. */
interface Behind {
  tools: ToolTable
  /** Reads the states of runs for subscribers; without it no one can follow tasks. */
  standings: Operation | undefined
  /** A call is broken off after this time. */
  waitsAtMostMs: number
}

type McpRequest = Pick<ServerContext['mcpReq'], 'signal' | 'envelope'>

/** A call as its client has sent it. */
interface SentCall {
  mcpReq: McpRequest
  exchange: Exchange
  /** The client of 2025-11-25 asks for a task. */
  asked: unknown
}

/** What a call is answered with; undefined for its own result. */
export type AsTask = (outcome: Outcome, result: CallToolResult) => Result | undefined

type Guard = <T>(work: () => Promise<T>) => Promise<T>

/** What a door knows of tasks; it is shared and never changes. */
export class Tasks {
  readonly #catalog: readonly Operation[]
  readonly #runs: Runs
  readonly #read: Operation
  readonly #behind: Behind
  readonly #events: Operation | undefined
  readonly #begin: ReadonlySet<Operation>
  /** Those that start a run with each call, which clients of 2025-11-25 may call as tasks. */
  readonly #legacy: ReadonlySet<Operation>
  readonly #lists = new WeakMap<readonly ToolDescriptor[], readonly ToolDescriptor[]>()

  /** @param read reads a run */
  constructor(catalog: readonly Operation[], read: Operation, behind: Behind) {
    this.#catalog = catalog
    this.#runs = new Runs({ catalog }, behind.standings)
    this.#read = read
    this.#behind = behind
    this.#events = withRole(catalog, 'follow_run')
    this.#begin = new Set(catalog.filter(mayStartRun))
    this.#legacy = new Set([...this.#begin].filter(startsRun))
  }

  /** Whether calls of an operation may be answered by tasks, for clients that take them. */
  mayBegin(operation: Operation): boolean {
    return this.#begin.has(operation) || operation === this.#events
  }

  /**
   * What a call is answered with in place of its result, and that it need not wait. Undefined where it cannot become a
   * task for its client, or is none in the end.
   */
  async answerFor(
    operation: Operation,
    input: unknown,
    sent: SentCall,
  ): Promise<AsTask | undefined> {
    const { mcpReq, exchange, asked } = sent
    const client = capabilitiesIn(mcpReq.envelope)
    if (takesTasks(client)) {
      const task = await this.#taskFor(operation, input, exchange, mcpReq.signal)
      return task && ((outcome, result) => handleOf(task(outcome), result, exchange))
    }
    const isAsked = isObject(asked) && this.#legacy.has(operation)
    return isAsked && isOfLegacyTasks(exchange.request)
      ? (outcome, result) => legacyHandleOf(operation, input, outcome, result)
      : undefined
  }

  /** As a function of the outcome of a call, the task that it has become. */
  async #taskFor(
    operation: Operation,
    input: unknown,
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<((outcome: Outcome) => Task | undefined) | undefined> {
    if (this.#begin.has(operation)) return (outcome) => begunTask(operation, input, outcome)
    if (operation !== this.#events || waitSecondsOf(operation, input) === 0) return undefined
    const task = await this.#waitFor(input, exchange, signal)
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
    const serving = servingAs(exchange, signal, { counted: true })
    const found = await this.#runs.look(runId, serving).catch((cause: unknown) => {
      // The call itself is refused then, in the words of its operation.
      if (cause instanceof Refusal) return undefined
      throw cause
    })
    const goesOn = found?.run.id === runId && !isSettled(found.run)
    return goesOn ? goingTask(taskId, found.run) : undefined
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

  /**
   * The task that an address of a stream stands for: null where it cannot be shown any more, undefined where it stands
   * for none.
   */
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

  /** The tools of a list, as a client is shown them: in 2025-11-25 each says whether it may be called as a task. */
  inList(
    list: readonly ToolDescriptor[],
    request: DoorRequest,
    era: Era,
  ): readonly ToolDescriptor[] {
    if (era !== 'legacy' || !isOfLegacyTasks(request)) return list
    const known = this.#lists.get(list)
    if (known) return known
    const marked = list.map((tool) => {
      const operation = this.#behind.tools.find(tool.name)
      return operation && this.#legacy.has(operation) ? { ...tool, ...legacyTaskSupport } : tool
    })
    this.#lists.set(list, marked)
    return marked
  }

  /**
   * Adds the methods of tasks to the server of an exchange, in the form of its revision.
   * @param guarded runs what they do, and says what it throws in terms of the protocol
   */
  install(server: Server, exchange: Exchange, era: Era, guarded: Guard): void {
    const changing = (role: Role, work: () => Promise<void>): Promise<void> =>
      guarded(async () => {
        const operation = withRole(this.#catalog, role)
        if (operation && exchange.selection.readonly) throw changesSomething(operation)
        await work()
      })
    if (era === 'modern') {
      addTasks(server, (client, signal): TaskSource => {
        const tasks = this.#of(exchange, client, signal)
        return {
          get: (taskId) => guarded(() => tasks.get(taskId)),
          update: (taskId, responses) =>
            changing('decide_approval', () => tasks.update(taskId, responses)),
          cancel: (taskId) => changing('cancel_run', () => tasks.cancel(taskId)),
        }
      })
    } else if (isOfLegacyTasks(exchange.request)) {
      addLegacyTasks(server, (signal) => {
        const until = AbortSignal.timeout(this.#behind.waitsAtMostMs)
        const tasks = this.#of(exchange, {}, AbortSignal.any([signal, until]))
        return {
          get: (taskId) => guarded(() => tasks.get(taskId)),
          cancel: (taskId) => changing('cancel_run', () => tasks.cancel(taskId)),
          result: (taskId) => guarded(() => tasks.result(taskId)),
        }
      })
    }
  }

  #of(exchange: Exchange, client: ClientCapabilities, signal: AbortSignal): RunTasks {
    const [runs, read, events] = [this.#runs, this.#read, this.#events]
    const asText =
      this.#behind.tools.called(toolName(read), {}, exchange.selection)?.asText ?? false
    return new RunTasks({ runs, read, events, exchange, client, signal, asText })
  }
}

/**
 * The handle of a task. For a client that does not speak what it declares, the result that the call has had stands in it.
 */
function handleOf(
  task: Task | undefined,
  { content, _meta }: CallToolResult,
  { words }: Exchange,
): Result | undefined {
  if (!task) return undefined
  const statusMessage = inWords(task.statusMessage ?? '', words)
  return { ...task, statusMessage, resultType: 'task', content, ...(_meta && { _meta }) }
}

/**
 * The task that a client of 2025-11-25 has asked for; undefined where its caller asked to be shown too little of it.
 * @throws Refusal of the call: no task was made
 */
function legacyHandleOf(
  operation: Operation,
  input: unknown,
  { answer, refusal }: Outcome,
  { content }: CallToolResult,
): Result | undefined {
  if (refusal) throw refusal
  const run = runAnswered(operation, answer.text)
  if (!run) return undefined
  const going = goingTask(runTaskId(run.id, input), run)
  const isError = run.status !== 'completed'
  const standing = { run, begun_at: going.createdAt }
  const task = run.finished_at ? endedTask(going.taskId, standing, { isError }) : going
  return { task: legacyTask(task), content }
}

/** The tasks of a door with these tools; undefined where none of them reads runs. */
export function tasksIn(catalog: readonly Operation[], behind: Behind): Tasks | undefined {
  const read = withRole(catalog, 'read_run')
  return read && new Tasks(catalog, read, behind)
}
