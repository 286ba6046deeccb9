import type { Artifact, Task } from '@a2a-js/sdk'
import { TaskNotCancelableError, TaskNotFoundError } from '@a2a-js/sdk/errors'
import type { Call } from '#src/core/door.ts'
import type { StreamEvent } from '#src/core/answer.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import { listsTasks } from '#src/core/text/chat.ts'
import type { Exchange } from '#protocol/a2a/exchange.ts'
import { pieceIn, pieceType, type Piece } from '#protocol/piece.ts'
import type { Version } from '#protocol/a2a/names.ts'
import { leading } from '#protocol/a2a/errors/details.ts'
import { onceFor } from '../request/once.ts'
import type { AgentDesk } from './desk.ts'
import { faultOfMessage } from './faults.ts'
import type { ChatPage, ChatShown, Face } from './shown.ts'
import { metadataOf, taskOf } from './tasks.ts'

/** A change of a task, an event inside its run, or a piece of what its model writes. */
export type Followed =
  | { task: Task }
  | { event: StreamEvent }
  | { piece: Piece; metadata: Artifact['metadata'] }

/** The type of the chat.events events that contain the whole task. */
const wholeTask = 'task'

/** The chat operations with one agent, called as the sender of one request. */
export class Conversation {
  readonly version: Version
  readonly #desk: AgentDesk
  readonly #exchange: Exchange
  readonly #charId: string

  constructor(desk: AgentDesk, exchange: Exchange, charId: string, version: Version) {
    this.#desk = desk
    this.#exchange = exchange
    this.#charId = charId
    this.version = version
  }

  /** @throws Refusal; InvalidParams for a notification config that cannot be kept */
  async send(input: object, idempotencyKey: string | undefined): Promise<Task> {
    const { send } = this.#desk.operations
    const { answer, refusal } = await onceFor(input, this.#desk.clock, (mark) => {
      const key = mark === undefined ? idempotencyKey : `${idempotencyKey}:${mark}`
      return this.#serve(send, input, { idempotencyKey: key })
    })
    if (refusal) throw faultOfMessage(refusal, this.version)
    return this.#taskIn(answer.text)
  }

  /** @throws TaskNotFoundError; Refusal */
  async look(id: string): Promise<ChatShown> {
    const { answer, refusal } = await this.#serve(this.#desk.operations.get, { id })
    if (refusal) throw asError(refusal)
    return shownIn(answer.text)
  }

  /** @throws TaskNotFoundError; Refusal */
  async get(id: string): Promise<Task> {
    const { answer, refusal } = await this.#serve(this.#desk.operations.get, { id })
    if (refusal) throw asError(refusal)
    return this.#taskIn(answer.text)
  }

  /** @throws TaskNotFoundError, TaskNotCancelableError; Refusal */
  async cancel(id: string): Promise<Task> {
    const { answer, refusal } = await this.#serve(this.#desk.operations.cancel, { id })
    if (refusal) throw asError(refusal)
    return this.#taskIn(answer.text)
  }

  /** @throws Refusal */
  async page(input: object): Promise<ChatPage> {
    const { answer, refusal } = await this.#serve(this.#desk.operations.list, input)
    if (refusal) throw refusal
    // The form of the operation's output.
    return JSON.parse(answer.text) as ChatPage
  }

  /** The agent, for callers that may see all of it. @throws Refusal */
  async face(): Promise<Face> {
    const { answer, refusal } = await this.#serve(this.#desk.operations.face, { whole: true })
    if (refusal) throw refusal
    // As above.
    return JSON.parse(answer.text) as Face
  }

  /**
   * The task now and at each change of its state, until it has ended or the signal is aborted; with `pieces`
   * also the text of its model as it comes.
   * @throws TaskNotFoundError; Refusal
   */
  async *follow(
    id: string,
    { signal, pieces = false }: { signal: AbortSignal; pieces?: boolean },
  ): AsyncGenerator<Followed, void> {
    const following = { follow: true, signal }
    const input = { id, pieces }
    const { answer, refusal } = await this.#serve(this.#desk.operations.events, input, following)
    if (refusal) throw asError(refusal)
    let metadata: Artifact['metadata']
    for await (const event of answer.events ?? []) {
      if (signal.aborted) return
      if (event.type === pieceType) yield { piece: pieceIn(event.text), metadata }
      else if (event.type === wholeTask) {
        const shown = shownIn(event.text)
        metadata = metadataOf(shown)
        yield { task: this.taskOf(shown) }
      } else yield { event }
    }
  }

  /** A message to this agent as a task of the protocol. */
  taskOf(shown: ChatShown): Task {
    return taskOf(shown, { charId: this.#charId, lease: this.#desk.lease })
  }

  async #taskIn(text: string): Promise<Task> {
    const shown = shownIn(text)
    await this.#exchange.step(this.#desk.clock)
    const task = this.taskOf(shown)
    await this.#exchange.step(this.#desk.clock)
    return task
  }

  async #serve(
    operation: Operation,
    input: object,
    more?: Pick<Call, 'idempotencyKey' | 'follow' | 'signal'>,
  ): ReturnType<Exchange['serve']> {
    const { clock } = this.#desk
    // Built from the message, and not yet checked by the core.
    await this.#exchange.step(clock)
    const whole = { char_id: this.#charId, ...input }
    const outcome = await this.#exchange.serve(operation, whole, more)
    await this.#exchange.step(clock)
    return outcome
  }
}

/** A refusal as an error of the protocol, if there is one for it. */
function asError(refusal: Refusal): Error {
  const { code, message, hint } = refusal
  if (code === 'run_not_found') return leading(TaskNotFoundError, message, hint ?? listsTasks)
  if (code === 'run_ended') return leading(TaskNotCancelableError, message, hint)
  return refusal
}

function shownIn(text: string): ChatShown {
  // The form of the operation's output.
  return JSON.parse(text) as ChatShown
}
