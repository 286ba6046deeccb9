import { AgentCard } from '@a2a-js/sdk'
import type {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
  TaskState,
} from '@a2a-js/sdk'
import type { StreamEvent } from '#src/core/answer.ts'
import { nothingToFollow } from '#protocol/a2a/refusals.ts'
import { awaited } from '../await-end.ts'
import type { Version } from '#protocol/a2a/names.ts'
import type { MethodHandler } from '#protocol/a2a/protocol.ts'
import { PushConfigs } from '#protocol/a2a/push/configs.ts'
import { TextArtifact } from '../text-artifact.ts'
import { statusEvent, taskEvent, wholeOf, withHistory } from '../task-view.ts'
import { isSettled, isTerminal } from '#protocol/a2a/states.ts'
import type { Exchange } from '#protocol/a2a/exchange.ts'
import { beginTask } from './begin.ts'
import { Conversation, type Followed } from './conversation.ts'
import type { AgentDesk } from './desk.ts'
import { listed } from './list.ts'
import { outputArtifact } from './tasks.ts'

/** The key of run events in a stream that is read by the agent's own account. */
const eventKey = 'abode/event'

/** The protocol's methods at the door of one agent, for one request. */
export class AgentMessages implements MethodHandler {
  fault: unknown
  readonly #desk: AgentDesk
  readonly #exchange: Exchange
  readonly #version: Version
  readonly #tasks: Conversation
  readonly #push: PushConfigs

  constructor(desk: AgentDesk, exchange: Exchange, version: Version) {
    const { agent = '' } = exchange.request
    this.#desk = desk
    this.#exchange = exchange
    this.#version = version
    this.#tasks = new Conversation(desk, exchange, agent, version)
    this.#push = new PushConfigs(desk.operations.push, agent, exchange, version)
  }

  sendMessage(params: SendMessageRequest): Promise<Task> {
    return this.#kept(async () => {
      const { returnImmediately, historyLength } = params.configuration ?? {}
      let task = await beginTask(this.#desk, this.#exchange, this.#tasks, params)
      if (!isSettled(task.status?.state)) {
        // A message sent again gets its first answer, but the run has continued since.
        task = returnImmediately ? await this.#tasks.get(task.id) : await this.#awaited(task)
      }
      return withHistory(task, historyLength)
    })
  }

  async *sendMessageStream(params: SendMessageRequest): AsyncGenerator<StreamResponse, void> {
    const task = await beginTask(this.#desk, this.#exchange, this.#tasks, params)
    const shown = withHistory(task, params.configuration?.historyLength)
    if (!isTerminal(task.status?.state)) {
      yield taskEvent(shown)
      yield* this.#changes(task, isSettled)
      return
    }
    yield* wholeOf(shown)
  }

  getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.#kept(async () => withHistory(await this.#tasks.get(id), historyLength))
  }

  listTasks(params: ListTasksRequest): Promise<ListTasksResponse> {
    return this.#kept(() => listed(this.#tasks, params))
  }

  cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return this.#kept(() => this.#tasks.cancel(id))
  }

  async *resubscribe({ id }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void> {
    const task = await this.#tasks.get(id)
    if (isTerminal(task.status?.state)) {
      throw nothingToFollow()
    }
    yield taskEvent(task)
    yield* this.#changes(task, isTerminal)
  }

  /** Clients of 0.3 get a stream only if the card says that streams are supported. */
  getAgentCard(): Promise<AgentCard> {
    return Promise.resolve(AgentCard.fromJSON({ capabilities: { streaming: true } }))
  }

  getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    return this.#kept(async () => this.#desk.extendedCard(await this.#tasks.face(), this.#version))
  }

  createTaskPushNotificationConfig(
    params: TaskPushNotificationConfig,
  ): Promise<TaskPushNotificationConfig> {
    return this.#kept(() => this.#push.create(params))
  }

  getTaskPushNotificationConfig(
    params: GetTaskPushNotificationConfigRequest,
  ): Promise<TaskPushNotificationConfig> {
    return this.#kept(() => this.#push.get(params))
  }

  listTaskPushNotificationConfigs(
    params: ListTaskPushNotificationConfigsRequest,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.#kept(() => this.#push.list(params))
  }

  deleteTaskPushNotificationConfig(params: DeleteTaskPushNotificationConfigRequest): Promise<void> {
    return this.#kept(() => this.#push.delete(params))
  }

  async #kept<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (cause) {
      this.fault = cause
      throw cause
    }
  }

  #awaited(task: Task): Promise<Task> {
    const follow = (signal: AbortSignal): AsyncIterable<Task> =>
      tasksIn(this.#tasks.follow(task.id, { signal }))
    return awaited(task, this.#desk, this.#exchange, follow)
  }

  async *#changes(
    first: Task,
    isLast: (state: TaskState | undefined) => boolean,
  ): AsyncGenerator<StreamResponse, void> {
    const signal = AbortSignal.any([this.#exchange.request.signal, this.#desk.closing])
    let task = first
    const written = new TextArtifact(outputArtifact)
    for await (const next of this.#tasks.follow(first.id, { signal, pieces: true })) {
      if ('piece' in next) {
        yield written.grown(task, next.piece, next.metadata)
        continue
      }
      if ('event' in next) {
        yield statusEvent(withEvent(task, next.event))
        continue
      }
      const { state } = next.task.status ?? {}
      if (isTerminal(state)) yield* written.endOf(next.task)
      else if (state !== task.status?.state) yield statusEvent(next.task)
      task = next.task
      if (isLast(state)) return
    }
  }
}

async function* tasksIn(followed: AsyncIterable<Followed>): AsyncGenerator<Task, void> {
  for await (const next of followed) if ('task' in next) yield next.task
}

function withEvent(task: Task, event: StreamEvent): Task {
  // The event's record, as the operation wrote it.
  const record: unknown = JSON.parse(event.text)
  return { ...task, metadata: { ...task.metadata, [eventKey]: record } }
}
