import { Task } from '@a2a-js/sdk'
import { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Owner } from '#src/core/counts/quota-table.ts'
import { answersOf, type Quotas } from '#src/core/counts/quotas.ts'
import { after, openCursor, sealCursor, type Key, type Order } from '#src/core/page.ts'
import { secondsAfter } from '#src/core/time.ts'
import type { A2aTask } from '#src/core/collections.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Filter } from '#src/ports/filter.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'
import { brokenToken } from '../refusals.ts'
import { nameOf, unendedStates } from '../states.ts'
import { runIdOf } from '../tasks.ts'
import { noRoom, textOf, textWithout, tooLarge } from './task-text.ts'

const keptSeconds = 24 * 3600
/** The size of a row in addition to the task. */
const rowBytes = 500

/** Selects some of a caller's tasks. */
export interface TaskQuery {
  contextId?: string | undefined
  /** RFC 3339. */
  after?: string | undefined
  /** In the protocol's terms. */
  state?: string | undefined
}

/** The facts about a stored task that need no parsing. */
export interface TaskFacts {
  id: string
  updatedAt: string
  /** Undefined for older records. */
  state: string | undefined
  runId: string | undefined
  bytes: number
}

/** Some of a caller's tasks, newest first. */
export interface TaskPage {
  facts: TaskFacts[]
  /** The token of the page that begins after this task. */
  tokenAfter(facts: TaskFacts): string
}

/** The sender of a task's message. */
export interface TaskSender {
  /** The owner in the sense of idempotency keys. */
  owner: string
  /** The account that the task's bytes count for, if there is one. */
  account?: Owner | undefined
}

type Counts = Pick<Quotas, 'admit' | 'admitKeys' | 'addBytes'>

/** Stores tasks for a day, each only for the sender of its message. */
export class TaskStore {
  readonly #rows: Store['a2a_tasks']
  readonly #clock: Clock
  readonly #counts: Counts | undefined
  /** Pending writes, by the id of the task. */
  readonly #keeping = new Map<string, Promise<void>>()

  constructor({ a2a_tasks: rows }: Pick<Store, 'a2a_tasks'>, clock: Clock, counts?: Counts) {
    this.#rows = rows
    this.#clock = clock
    this.#counts = counts
  }

  /**
   * Stores a task that resulted from an effect, before its sender gets the answer.
   * @returns false if the same message had become this task before: then nothing is written
   */
  async keep(task: Task, sender: TaskSender, operation?: Operation): Promise<boolean> {
    try {
      // A task with an effect must be found again in any case, even without its result.
      const full = (await this.#hasRoom(sender)) ? undefined : textWithout(task, noRoom)
      const row = this.#rowOf(task, sender, operation, full)
      await this.#rows.insert(row)
      this.#count(row)
      return true
    } catch (cause) {
      if (cause instanceof DuplicateKey) return false
      throw cause
    }
  }

  /** Stores a task that changed nothing, soon: a crash may lose it, and the message can be sent again. */
  keepSoon(task: Task, sender: TaskSender, operation?: Operation): void {
    const row = this.#rowOf(task, sender, operation)
    const kept = this.#keepIfRoom(row, sender)
      // A caller that asks for it gets "not found".
      .catch(() => undefined)
      .finally(() => this.#keeping.delete(row.id))
    this.#keeping.set(row.id, kept)
  }

  /** Stores the present state of a task; growth needs room, and counts for the owner of the task. */
  update(task: Task, sender: TaskSender, operation?: Operation): Promise<void> {
    return this.#write(task, sender, textOf(task, operation))
  }

  /** The same without the result, which is stored with its run. */
  updateStatus(task: Task, sender: TaskSender): Promise<void> {
    return this.#write(task, sender, textWithout(task, tooLarge))
  }

  /** Notes the state of a task whose text will show it when it is next read. */
  async note(task: TaskFacts, owner: string, now: { state: string; at: string }): Promise<void> {
    const { id, state = null } = task
    const $set = { state: now.state, updated_at: now.at }
    await this.#rows.update({ id, caller: owner, state }, { $set }, { lazy: true })
  }

  async load(id: string, owner: string): Promise<Task | undefined> {
    await this.#keeping.get(id)
    const row = await this.#rows.get(id)
    if (!row || row.caller !== owner || row.updated_at < this.#oldest()) return undefined
    return taskOf(row)
  }

  /** The tasks with these ids, if they still exist. */
  async loadAll(ids: readonly string[], owner: string): Promise<Map<string, Task>> {
    const rows = await this.#rows.find({ id: { $in: ids }, caller: owner })
    return new Map(rows.map((row) => [row.id, taskOf(row)]))
  }

  /**
   * The tasks that match a query, up to the limit plus one.
   * @throws InvalidParams for an invalid page token
   */
  async page(owner: string, query: TaskQuery, limit: number, token?: string): Promise<TaskPage> {
    const { contextId = '', state = '' } = query
    const list = `a2a_tasks ${JSON.stringify([owner, contextId, state])}`
    const order = { list, by: 'updated_at', direction: -1 } as const
    const filter = this.#filter(owner, query)
    const narrowed = token === undefined ? filter : after(filter, order, keyIn(order, token))
    await Promise.all(this.#keeping.values())
    const facts = await this.#facts(narrowed, limit + 1)
    return { facts, tokenAfter: ({ updatedAt, id }) => sealCursor(order, [updatedAt, id]) }
  }

  /** The tasks that are not known to have ended, newest first. */
  async unended(owner: string, limit: number): Promise<TaskFacts[]> {
    const filter = this.#filter(owner, {})
    // One query per state can be read from the index.
    const states = [...unendedStates, null].map((state) => this.#facts({ ...filter, state }, limit))
    const all = (await Promise.all(states)).flat()
    return all.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)).slice(0, limit)
  }

  async count(owner: string, query: TaskQuery): Promise<number> {
    await Promise.all(this.#keeping.values())
    return this.#rows.count(this.#filter(owner, query))
  }

  async #facts(filter: Filter<A2aTask>, limit: number): Promise<TaskFacts[]> {
    const paths = ['id', 'updated_at', 'state', 'run_id', 'bytes'] as const
    const rows = await this.#rows.pick(paths, filter, { sort: { updated_at: -1 }, limit })
    return rows.map(([id, updatedAt, state, runId, bytes]) => ({
      id: String(id),
      updatedAt: String(updatedAt),
      state: typeof state === 'string' ? state : undefined,
      runId: typeof runId === 'string' ? runId : undefined,
      bytes: Number(bytes ?? 0),
    }))
  }

  async #write(task: Task, sender: TaskSender, asItStands: string): Promise<void> {
    const among = { id: task.id, caller: sender.owner }
    let text = asItStands
    for (;;) {
      const [found] = await this.#rows.pick(['counts_for', 'bytes'], among, { limit: 1 })
      if (!found) return
      const [countsFor, read = null] = found
      const before = Number(read ?? 0)
      if (sizeOf(text) > before && !(await this.#hasRoom(sender))) text = textWithout(task, noRoom)
      const bytes = sizeOf(text)
      const $set = { task: text, ...this.#standingOf(task), bytes }
      // Concurrent writers each move the count from the value that the previous one left.
      if (!(await this.#rows.update({ ...among, bytes: read }, { $set }))) continue
      if (typeof countsFor === 'string') this.#counts?.addBytes(countsFor, bytes - before)
      return
    }
  }

  async #keepIfRoom(row: A2aTask, sender: TaskSender): Promise<void> {
    if (!(await this.#hasRoom(sender))) return
    await this.#rows.insert(row, { lazy: true })
    this.#count(row)
  }

  async #hasRoom(sender: TaskSender): Promise<boolean> {
    try {
      if (sender.account) await this.#counts?.admit('stored_bytes', sender.account)
      else await this.#counts?.admitKeys(countsFor(sender))
      return true
    } catch (cause) {
      if (cause instanceof Refusal) return false
      throw cause
    }
  }

  #count({ counts_for, bytes = 0 }: A2aTask): void {
    if (counts_for !== undefined) this.#counts?.addBytes(counts_for, bytes)
  }

  #rowOf(
    task: Task,
    sender: TaskSender,
    operation?: Operation,
    text = textOf(task, operation),
  ): A2aTask {
    return {
      ...(this.#counts && { counts_for: countsFor(sender) }),
      bytes: sizeOf(text),
      id: task.id,
      caller: sender.owner,
      context_id: task.contextId,
      task: text,
      ...this.#standingOf(task),
    }
  }

  #filter(owner: string, { contextId, state, after = '' }: TaskQuery): Filter<A2aTask> {
    const oldest = this.#oldest()
    return {
      caller: owner,
      ...(contextId !== undefined && { context_id: contextId }),
      ...(state !== undefined && { state }),
      updated_at: { $gt: after > oldest ? after : oldest },
    }
  }

  #standingOf(task: Task): Pick<A2aTask, 'updated_at' | 'state' | 'run_id'> {
    const runId = runIdOf(task)
    return {
      updated_at: task.status?.timestamp ?? this.#clock.now().toISOString(),
      state: nameOf(task.status?.state),
      ...(runId !== undefined && { run_id: runId }),
    }
  }

  #oldest(): string {
    return secondsAfter(this.#clock.now(), -keptSeconds)
  }
}

function keyIn(order: Order, token: string): Key {
  try {
    return openCursor(order, token)
  } catch (cause) {
    const isBroken = cause instanceof Refusal && cause.code === 'cursor_invalid'
    throw isBroken ? brokenToken(cause.message) : cause
  }
}

function sizeOf(text: string): number {
  return rowBytes + text.length
}

function taskOf({ task }: A2aTask): Task {
  return Task.fromJSON(JSON.parse(task))
}

/** Tasks and answers of idempotency keys of one sender share their room. */
function countsFor({ owner, account }: TaskSender): string {
  return account?.accountId ?? answersOf(owner)
}
