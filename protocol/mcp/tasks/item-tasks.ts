import { answer } from '#src/core/answer.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Exchange } from '../exchange.ts'
import { toolResult } from '../results.ts'
import type { LegacyTasks } from './legacy.ts'
import type { Items, ItemStanding } from './items.ts'
import { hasFailed, isRead, readAnswer, readingTask, readTask } from './item-task.ts'
import type { ItemTaskName } from './names.ts'
import { notYet, unknownTask } from './refusals.ts'
import { followingAs, servingAs } from './sender.ts'
import type { Task, TaskSource } from './wire.ts'

/** What the tasks of one request are made with. */
interface ItemTerms {
  items: Items
  /** Whose result it is. */
  standings: Operation
  exchange: Exchange
  signal: AbortSignal
  /** Results are given as text alone. */
  asText: boolean
}

/**
 * Items of knowledge that are read, as a task: it is its items, and nothing else is stored of it. What its caller may
 * not see any more, such as what was deleted, is not a part of it.
 */
export class ItemTasks implements TaskSource, LegacyTasks {
  readonly #name: ItemTaskName
  readonly #terms: ItemTerms

  constructor(name: ItemTaskName, terms: ItemTerms) {
    this.#name = name
    this.#terms = terms
  }

  async get(taskId: string): Promise<Task> {
    return this.#shown(taskId, await this.#found(taskId))
  }

  /** Nothing is asked of anyone while they are read. */
  async update(taskId: string): Promise<void> {
    await this.#found(taskId)
  }

  /** Only to forget an item stops its reading, which is another wish than not to wait for it. */
  async cancel(taskId: string): Promise<void> {
    await this.#found(taskId)
  }

  async result(taskId: string): Promise<object> {
    const { items, exchange, signal } = this.#terms
    const { itemIds } = this.#name
    await this.#found(taskId)
    for await (const standings of items.follow(itemIds, followingAs(exchange, signal), signal)) {
      if (standings.every((one) => isRead(one, this.#name))) return this.#result(standings)
    }
    // It was deleted, or the time is up.
    await this.#found(taskId)
    throw notYet()
  }

  #shown(taskId: string, standings: readonly ItemStanding[]): Task {
    return standings.every((one) => isRead(one, this.#name))
      ? readTask(taskId, this.#name, standings, this.#result(standings))
      : readingTask(taskId, this.#name, standings)
  }

  async #found(taskId: string): Promise<readonly ItemStanding[]> {
    const { items, exchange, signal } = this.#terms
    const serving = servingAs(exchange, signal, { counted: true })
    const standings = await items.look(this.#name.itemIds, serving)
    if (standings.length === 0) throw unknownTask(taskId, 'knowledge_not_found')
    return standings
  }

  /** An error where none of them could be read. */
  #result(standings: readonly ItemStanding[]): object {
    const { standings: operation, exchange, asText } = this.#terms
    const outcome = { answer: answer(readAnswer(this.#name, standings)) }
    const result = toolResult(operation, outcome, exchange, asText)
    return {
      resultType: 'complete',
      ...result,
      ...(standings.every(hasFailed) && { isError: true }),
    }
  }
}
