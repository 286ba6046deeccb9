import { Task } from '@a2a-js/sdk'
import { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import { answersOf, type Owner, type Quotas } from '#src/core/counts/quotas.ts'
import { readPage } from '#src/core/page.ts'
import { secondsAfter } from '#src/core/time.ts'
import type { A2aTask } from '#src/core/collections.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Filter } from '#src/ports/filter.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'
import { InvalidParams } from './checks.ts'
import { artifactOf, textPart } from './tasks.ts'

const keptSeconds = 24 * 3600
/** A task is kept to be found again, not to store what the same message would be answered again. */
const artifactBytesAtMost = 64 * 1024
/** What a row takes beside the task. */
const rowBytes = 500

/** One page of a caller's tasks, the newest first. */
export interface TaskPage {
  tasks: Task[]
  /** Empty on the last page. */
  nextPageToken: string
}

export interface TaskQuery {
  contextId?: string | undefined
  /** RFC 3339. */
  after?: string | undefined
  limit: number
  pageToken?: string | undefined
}

/** Who has sent the message of a task. */
export interface TaskSender {
  /** As idempotency knows them. */
  owner: string
  /** Whose bytes count the task, where they have an account. */
  account?: Owner | undefined
}

type Counts = Pick<Quotas, 'admit' | 'admitKeys' | 'addBytes'>

/** Keeps tasks for a day, each for whoever sent its message and for nobody else. */
export class TaskStore {
  readonly #rows: Store['a2a_tasks']
  readonly #clock: Clock
  readonly #counts: Counts | undefined
  /** What is on its way into the store, by the id of the task. */
  readonly #keeping = new Map<string, Promise<void>>()

  constructor({ a2a_tasks: rows }: Pick<Store, 'a2a_tasks'>, clock: Clock, counts?: Counts) {
    this.#rows = rows
    this.#clock = clock
    this.#counts = counts
  }

  /**
   * Keeps a task that came of an effect, before its sender is told of it.
   * @returns false where the same message had become this task before: then nothing is written
   */
  async keep(task: Task, sender: TaskSender, operation?: Operation): Promise<boolean> {
    try {
      // What has had an effect is found again all the same, without what came of it.
      const full = (await this.#hasRoom(sender)) ? undefined : without(task, noRoom)
      const row = this.#rowOf(task, sender, operation, full)
      await this.#rows.insert(row)
      this.#count(row)
      return true
    } catch (cause) {
      if (cause instanceof DuplicateKey) return false
      throw cause
    }
  }

  /** Keeps a task that changed nothing, soon: a crash may lose it, and the message can be sent again. */
  keepSoon(task: Task, sender: TaskSender, operation?: Operation): void {
    const row = this.#rowOf(task, sender, operation)
    const kept = this.#keepIfRoom(row, sender)
      // Whoever asks for it is told that it is not there.
      .catch(() => undefined)
      .finally(() => this.#keeping.delete(row.id))
    this.#keeping.set(row.id, kept)
  }

  /** Keeps how a task stands now. */
  async update(task: Task, owner: string, operation?: Operation): Promise<void> {
    const $set = { task: textOf(task, operation), updated_at: this.#timeOf(task) }
    await this.#rows.update({ id: task.id, caller: owner }, { $set })
  }

  async load(id: string, owner: string): Promise<Task | undefined> {
    await this.#keeping.get(id)
    const row = await this.#rows.get(id)
    if (!row || row.caller !== owner || row.updated_at < this.#oldest()) return undefined
    return taskOf(row)
  }

  /** @throws InvalidParams for a broken page token */
  async page(owner: string, query: TaskQuery): Promise<TaskPage> {
    const { contextId, limit, pageToken: cursor } = query
    const order = {
      list: `a2a_tasks ${owner} ${contextId ?? ''}`,
      by: 'updated_at',
      direction: -1,
    } as const
    const filter = this.#filter(owner, query)
    await Promise.all(this.#keeping.values())
    const page = readPage(this.#rows, filter, { limit, cursor }, order)
    const { rows, next } = await page.catch((cause: unknown) => {
      const isBroken = cause instanceof Refusal && cause.code === 'cursor_invalid'
      throw isBroken ? new InvalidParams('pageToken', cause.message) : cause
    })
    // The store's own text of a row that `keep` wrote.
    const tasks = rows.map(({ text }) => taskOf(JSON.parse(text) as A2aTask))
    return { tasks, nextPageToken: next ?? '' }
  }

  async count(owner: string, query: Pick<TaskQuery, 'contextId' | 'after'>): Promise<number> {
    await Promise.all(this.#keeping.values())
    return this.#rows.count(this.#filter(owner, query))
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
    const counted = this.#counts && { counts_for: countsFor(sender), bytes: rowBytes + text.length }
    return {
      ...counted,
      id: task.id,
      caller: sender.owner,
      context_id: task.contextId,
      task: text,
      updated_at: this.#timeOf(task),
    }
  }

  #filter(owner: string, query: Pick<TaskQuery, 'contextId' | 'after'>): Filter<A2aTask> {
    const { contextId, after = '' } = query
    const oldest = this.#oldest()
    return {
      caller: owner,
      ...(contextId !== undefined && { context_id: contextId }),
      updated_at: { $gt: after > oldest ? after : oldest },
    }
  }

  #timeOf(task: Task): string {
    return task.status?.timestamp ?? this.#clock.now().toISOString()
  }

  #oldest(): string {
    return secondsAfter(this.#clock.now(), -keptSeconds)
  }
}

function taskOf({ task }: A2aTask): Task {
  return Task.fromJSON(JSON.parse(task))
}

/** Tasks and answers of idempotency keys that one sender has kept share their room. */
function countsFor({ owner, account }: TaskSender): string {
  return account?.accountId ?? answersOf(owner)
}

const noRoom = 'There is no room to keep the answer: send the same message once more.'

const cutMark = 'abode/cut'

/** Whether what the task came to was too large, or too secret, to be kept with it. */
export function isCut(task: Task): boolean {
  return task.metadata?.[cutMark] === true
}

/** The same task, to be shown with all that it came to. */
export function uncut(task: Task): Task {
  const { [cutMark]: _cut, ...metadata } = task.metadata ?? {}
  return { ...task, metadata }
}

/** The task as it is kept: without a secret, which is told once, and without what is too large. */
function textOf(task: Task, operation?: Operation): string {
  if (operation?.secret && task.artifacts.length > 0) {
    return without(task, 'The answer held a secret: it was given once and is not kept.')
  }
  const text = JSON.stringify(Task.toJSON(task))
  if (text.length <= artifactBytesAtMost) return text
  return without(task, 'The answer is too large to be kept: send the same message once more.')
}

function without(task: Task, why: string): string {
  const artifacts = task.artifacts.map(({ name }) => artifactOf(name, [textPart(why)]))
  const metadata = { ...task.metadata, [cutMark]: true }
  return JSON.stringify(Task.toJSON({ ...task, artifacts, metadata }))
}
