import type { Version } from './names.ts'
import type {
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskState,
} from '@a2a-js/sdk'
import { TaskNotCancelableError } from '@a2a-js/sdk/errors'
import type { Piece } from '#protocol/piece.ts'
import type { Runs } from '#protocol/runs.ts'
import { afterEnd } from '#src/core/text/chat.ts'
import { timestamp } from '#src/core/time.ts'
import { awaited } from './await-end.ts'
import { begin } from './begin.ts'
import type { Desk } from './desk.ts'
import type { Exchange } from './exchange.ts'
import { listTasks } from './kept/list-tasks.ts'
import { TextArtifact } from './text-artifact.ts'
import type { MethodHandler } from './protocol.ts'
import { statusEvent, taskEvent, wholeOf, withHistory } from './task-view.ts'
import { isSettled, isTerminal } from './states.ts'
import { isCut, uncut } from './kept/task-text.ts'
import { asRunStands, droppedTask, isAsking, runArtifact, runIdOf } from './tasks.ts'
import { leading } from './errors/details.ts'
import { noPush, noTask, nothingToFollow } from './refusals.ts'

/**
 * The protocol's methods, for one request. It replaces the SDK's own handler, which follows only what
 * runs in its process, cancels what it does not run by recording it as cancelled, and discloses an
 * executor's errors to the caller.
 */
export class Messages implements MethodHandler {
  fault: unknown
  readonly #desk: Desk
  readonly #exchange: Exchange
  readonly #version: Version

  constructor(desk: Desk, exchange: Exchange, version: Version) {
    this.#desk = desk
    this.#exchange = exchange
    this.#version = version
  }

  sendMessage(params: SendMessageRequest): Promise<Task> {
    return this.#kept(async () => {
      const { task, followsRun } = await begin(this.#desk, this.#exchange, params)
      const { returnImmediately, historyLength } = params.configuration ?? {}
      const waits = followsRun && !returnImmediately && !isSettled(task.status?.state)
      return withHistory(waits ? await this.#awaited(task) : task, historyLength)
    })
  }

  async *sendMessageStream(params: SendMessageRequest): AsyncGenerator<StreamResponse, void> {
    const { task } = await begin(this.#desk, this.#exchange, params)
    const shown = withHistory(task, params.configuration?.historyLength)
    if (!isTerminal(task.status?.state)) {
      yield taskEvent(shown)
      yield* this.#changes(task, isSettled)
      return
    }
    yield* wholeOf(shown)
  }

  getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.#kept(async () => withHistory(await this.#found(id), historyLength))
  }

  listTasks(params: ListTasksRequest): Promise<ListTasksResponse> {
    const whole = (task: Task): Promise<Task> => this.#asItStands(task)
    return this.#kept(() =>
      listTasks({ desk: this.#desk, exchange: this.#exchange, params, whole }),
    )
  }

  cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return this.#kept(async () => {
      const task = await this.#found(id)
      const runId = runIdOf(task)
      if (isAsking(task)) return this.#update(droppedTask(task, timestamp(this.#desk.clock.now())))
      if (isTerminal(task.status?.state) || runId === undefined) throw ended(task)
      const standing = await this.#desk.runs.cancel(runId, this.#exchange)
      if (!standing) throw ended(task)
      return this.#update(asRunStands(task, standing))
    })
  }

  async *resubscribe({ id }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void> {
    const task = await this.#found(id)
    if (isTerminal(task.status?.state)) {
      throw nothingToFollow()
    }
    yield taskEvent(task)
    yield* this.#changes(task, isTerminal)
  }

  getAgentCard(): Promise<AgentCard> {
    return Promise.resolve(this.#desk.card)
  }

  /** For everyone: what it describes is published elsewhere too. */
  getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    return this.#kept(() => this.#desk.extendedCard(this.#version))
  }

  createTaskPushNotificationConfig(): Promise<never> {
    return Promise.reject(noPush())
  }

  getTaskPushNotificationConfig(): Promise<never> {
    return Promise.reject(noPush())
  }

  listTaskPushNotificationConfigs(): Promise<never> {
    return Promise.reject(noPush())
  }

  deleteTaskPushNotificationConfig(): Promise<never> {
    return Promise.reject(noPush())
  }

  async #kept<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (cause) {
      this.fault = cause
      throw cause
    }
  }

  async #found(id: string): Promise<Task> {
    const task = await this.#desk.store.load(id, this.#exchange.owner)
    if (!task) throw noTask(id, this.#exchange.words)
    return this.#asItStands(task)
  }

  async #asItStands(task: Task): Promise<Task> {
    const runId = runIdOf(task)
    if (runId === undefined || (isTerminal(task.status?.state) && !isCut(task))) return task
    const standing = await this.#desk.runs.look(runId, this.#exchange)
    if (!standing) return task
    // The part that was cut off is stored with the run, and need not be stored again.
    if (isCut(task)) return asRunStands(uncut(task), standing)
    return this.#update(asRunStands(task, standing))
  }

  /** Only a task's end is stored: until then its run is queried each time. */
  async #update(task: Task): Promise<Task> {
    if (isTerminal(task.status?.state)) await this.#desk.store.update(task, this.#exchange)
    return task
  }

  #awaited(task: Task): Promise<Task> {
    const follow = (signal: AbortSignal): AsyncIterable<Task> =>
      tasksIn(this.#followed(task, { signal }))
    return awaited(task, this.#desk, this.#exchange, follow)
  }

  async *#changes(
    task: Task,
    isLast: (state: TaskState | undefined) => boolean,
  ): AsyncGenerator<StreamResponse, void> {
    const signal = AbortSignal.any([this.#exchange.request.signal, this.#desk.closing])
    let state = task.status?.state
    const written = new TextArtifact(runArtifact)
    for await (const next of this.#followed(task, { signal, pieces: true })) {
      if ('text' in next) {
        yield written.grown(task, next)
        continue
      }
      if (isTerminal(next.status?.state)) yield* written.endOf(next)
      else if (next.status?.state !== state) yield statusEvent(next)
      state = next.status?.state
      if (isLast(state)) return
    }
  }

  async *#followed(
    task: Task,
    following: Parameters<Runs['follow']>[2],
  ): AsyncGenerator<Task | Piece, void> {
    const runId = runIdOf(task)
    if (runId === undefined) return
    for await (const next of this.#desk.runs.follow(runId, this.#exchange, following)) {
      yield 'text' in next ? next : await this.#update(asRunStands(task, next))
    }
  }
}

async function* tasksIn(followed: AsyncIterable<Task | Piece>): AsyncGenerator<Task, void> {
  for await (const next of followed) if (!('text' in next)) yield next
}

function ended({ id }: Task): TaskNotCancelableError {
  return leading(TaskNotCancelableError, `The task "${id}" has ended.`, afterEnd)
}
