import type { Outcome } from '#src/core/door.ts'
import { isObject } from '../short-form.ts'
import type { ItemShown, ItemStanding } from './items.ts'
import { itemTaskId, type ItemForm, type ItemTaskName } from './names.ts'
import { pollMs, pollWaitingMs, type Task } from './wire.ts'

/**
 * The task that a call has become whose items are read from now on; undefined where a part of what was sent is refused,
 * which the caller is told at once.
 */
export function begunReading({ answer }: Outcome): Task | undefined {
  const learned = answer && learnedIn(JSON.parse(answer.text))
  const [first] = learned?.items ?? []
  if (!learned || !first) return undefined
  // One commit has them read, at one time.
  const { as, items } = learned
  const name = { itemIds: items.map(({ id }) => id), as, since: first.updated_at }
  const taskId = itemTaskId(name)
  const standings = items.map((item) => ({ item, settled_at: null }))
  return taskId === undefined ? undefined : readingTask(taskId, name, standings)
}

function learnedIn(value: unknown): { as: ItemForm; items: ItemShown[] } | undefined {
  if (isItem(value)) return { as: 'item', items: [value] }
  const rows: unknown = isObject(value) ? value['items'] : undefined
  if (!Array.isArray(rows)) return undefined
  if (rows.every(isItem)) return { as: 'items', items: rows }
  const items = rows.map((row: unknown) => (isObject(row) ? row['item'] : undefined))
  return items.every(isItem) ? { as: 'urls', items } : undefined
}

function isItem(value: unknown): value is ItemShown {
  // What has these is described by the operation's output.
  return isObject(value) && typeof value['status'] === 'string' && typeof value['id'] === 'string'
}

/** Whether the reading has ended that a task waits for: it may be read again by now. */
export function isRead({ item, settled_at }: ItemStanding, { since }: ItemTaskName): boolean {
  if (item.status !== 'queued' && item.status !== 'fetching') return true
  return since !== undefined && settled_at !== null && settled_at > since
}

/** Items of which some are still read, as a task. */
export function readingTask(
  taskId: string,
  name: ItemTaskName,
  standings: readonly ItemStanding[],
): Task {
  const left = standings.filter((one) => !isRead(one, name))
  const isPutOff = left.every(({ item }) => item.status === 'queued' && item.error !== null)
  return {
    ...factsOf(taskId, name, standings),
    status: 'working',
    statusMessage: left.length === 1 && left[0] ? stateOf(left[0].item) : countOf(standings, left),
    pollIntervalMs: isPutOff ? pollWaitingMs : pollMs,
  }
}

/** Items that were all read, as a task with the result that its call would have had. */
export function readTask(
  taskId: string,
  name: ItemTaskName,
  standings: readonly ItemStanding[],
  result: object,
): Task {
  const [only, ...others] = standings
  const statusMessage =
    only && others.length === 0
      ? stateOf(only.item)
      : `Of ${standings.length} items ${standings.filter(hasFailed).length} could not be read.`
  return { ...factsOf(taskId, name, standings), status: 'completed', statusMessage, result }
}

/** Whether an item could not be read. */
export function hasFailed({ item }: ItemStanding): boolean {
  return item.status === 'failed'
}

/** What the call would have answered, had it waited. */
export function readAnswer({ as }: ItemTaskName, standings: readonly ItemStanding[]): unknown {
  const items = standings.map(({ item }) => item)
  if (as === 'item') return items[0]
  return { items: as === 'items' ? items : items.map((item) => ({ url: item.url ?? '', item })) }
}

function factsOf(
  taskId: string,
  { since }: ItemTaskName,
  standings: readonly ItemStanding[],
): Pick<Task, 'taskId' | 'createdAt' | 'lastUpdatedAt' | 'ttlMs'> {
  const items = standings.map(({ item }) => item)
  const made = items.map(({ created_at }) => created_at).sort()
  const changed = items.map(({ updated_at }) => updated_at).sort()
  return {
    taskId,
    createdAt: since ?? made[0] ?? '',
    lastUpdatedAt: changed.at(-1) ?? '',
    ttlMs: null,
  }
}

/** In our own words: titles and addresses are those of others. */
function stateOf({ id, status, error }: ItemShown): string {
  return `The item ${id} is ${status}${error ? `: ${error.code}` : ''}.`
}

function countOf(all: readonly ItemStanding[], left: readonly ItemStanding[]): string {
  return `Of ${all.length} items ${left.length} are still read.`
}
