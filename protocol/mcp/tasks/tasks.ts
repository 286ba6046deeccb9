import type { CallToolResult, Result, Server, ServerContext } from '@modelcontextprotocol/server'
import type { Outcome } from '#src/core/door.ts'
import { Refusal } from '#src/core/errors.ts'
import { toolName } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { withRole, type Role } from '#src/core/roles.ts'
import { changesSomething } from '#protocol/named-call.ts'
import { Runs } from '#protocol/runs.ts'
import type { DoorRequest } from '#protocol/door.ts'
import type { ToolDescriptor } from '../descriptor.ts'
import type { Exchange } from '../exchange.ts'
import type { Follow } from '../listener.ts'
import { waitSecondsOf } from '../progress.ts'
import { isObject, type Era } from '../short-form.ts'
import type { ToolTable } from '../tools.ts'
import { addTasks } from './methods.ts'
import { addLegacyTasks, isOfLegacyTasks, legacyTaskSupport, type LegacyTasks } from './legacy.ts'
import { handleOf, legacyHandleOf } from './begun.ts'
import { followable } from './followed.ts'
import { begunReading } from './item-task.ts'
import { ItemTasks } from './item-tasks.ts'
import { Items } from './items.ts'
import { begunTask, goingTask, isSettled, mayStartRun, startsRun } from './run-task.ts'
import { taskNamed, waitTaskId } from './names.ts'
import { unknownTask } from './refusals.ts'
import { RunTasks } from './run-tasks.ts'
import { servingAs } from './sender.ts'
import { taskAt } from './stream.ts'
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
  /** Reads how items of knowledge stand; without it none is a task. */
  itemStandings: Operation | undefined
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
  /** Those whose answers may be runs that they have started. */
  readonly #begin: ReadonlySet<Operation>
  /** Those after whose answers items of knowledge are read. */
  readonly #learn: ReadonlySet<Operation>
  readonly #items: Items | undefined
  /** Those of which each call begins something, which clients of 2025-11-25 may call as tasks. */
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
    const { itemStandings } = behind
    this.#items = itemStandings && new Items(itemStandings)
    this.#learn = new Set(itemStandings ? catalog.filter(({ learns }) => learns) : [])
    this.#legacy = new Set([
      ...[...this.#begin].filter(startsRun),
      ...[...this.#learn].filter(({ learns }) => learns === 'all'),
    ])
  }

  /** Whether calls of an operation may be answered by tasks, for clients that take them. */
  mayBegin(operation: Operation): boolean {
    return this.#begin.has(operation) || this.#learn.has(operation) || operation === this.#events
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
    if (this.#learn.has(operation)) return begunReading
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

  /** The tasks of these that the sender may follow, by the addresses that stand for them in a stream. */
  followable(
    taskIds: readonly string[],
    exchange: Exchange,
    most: number,
  ): Promise<ReadonlyMap<string, Follow>> {
    return followable({ runs: this.#runs, items: this.#items }, taskIds, exchange, most)
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
      const { signal } = exchange.request
      return { ...(await this.#of(taskId, { exchange, client, signal }).get(taskId)) }
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
        const of = (taskId: string) => this.#of(taskId, { exchange, client, signal })
        return {
          get: (taskId) => guarded(() => of(taskId).get(taskId)),
          update: (taskId, responses) =>
            changing('decide_approval', () => of(taskId).update(taskId, responses)),
          cancel: (taskId) => changing('cancel_run', () => of(taskId).cancel(taskId)),
        }
      })
    } else if (isOfLegacyTasks(exchange.request)) {
      addLegacyTasks(server, (sent) => {
        const signal = AbortSignal.any([sent, AbortSignal.timeout(this.#behind.waitsAtMostMs)])
        const of = (taskId: string) => this.#of(taskId, { exchange, client: {}, signal })
        return {
          get: (taskId) => guarded(() => of(taskId).get(taskId)),
          cancel: (taskId) => changing('cancel_run', () => of(taskId).cancel(taskId)),
          result: (taskId) => guarded(() => of(taskId).result(taskId)),
        }
      })
    }
  }

  /** @throws Refusal for an id that is no task's */
  #of(taskId: string, sent: SentRequest): TaskSource & LegacyTasks {
    const name = taskNamed(taskId)
    const [runs, read, events] = [this.#runs, this.#read, this.#events]
    const { tools, itemStandings } = this.#behind
    const { selection } = sent.exchange
    const asText = tools.called(toolName(read), {}, selection)?.asText ?? false
    if (name && 'runId' in name) return new RunTasks(name, { runs, read, events, asText, ...sent })
    if (!name || !this.#items || !itemStandings) throw unknownTask(taskId)
    return new ItemTasks(name, { items: this.#items, standings: itemStandings, asText, ...sent })
  }
}

/** A request about a task. */
interface SentRequest {
  exchange: Exchange
  client: ClientCapabilities
  signal: AbortSignal
}

/** The tasks of a door with these tools; undefined where none of them reads runs. */
export function tasksIn(catalog: readonly Operation[], behind: Behind): Tasks | undefined {
  const read = withRole(catalog, 'read_run')
  return read && new Tasks(catalog, read, behind)
}
