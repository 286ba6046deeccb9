import { Task, TaskState, type ListTasksRequest, type ListTasksResponse } from '@a2a-js/sdk'
import { portionsOf } from '#src/core/counts/portions.ts'
import { Refusal } from '#src/core/errors.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { contextNeeded } from '#src/core/text/chat.ts'
import type { Desk } from '../desk.ts'
import type { Exchange } from '../exchange.ts'
import type { RunOutline } from '#protocol/runs.ts'
import { isTerminal, nameOf } from '../states.ts'
import { withHistory } from '../task-view.ts'
import { asRunStands, runIdOf } from '../tasks.ts'
import { settle } from './settle.ts'
import type { TaskFacts, TaskQuery } from './task-store.ts'
import { artifactBytesAtMost, isCut, uncut } from './task-text.ts'

const usualPageSize = 50
/** The total size of one page's tasks. */
const charactersAtMost = 2 ** 20

/** Returns the present state of a task, including its result. */
type Whole = (task: Task) => Promise<Task>

interface List {
  desk: Desk
  exchange: Exchange
  params: ListTasksRequest
  whole: Whole
}

/**
 * The caller's own tasks, newest first. If they are large, a page holds fewer than its size.
 * @throws InvalidParams for an invalid page token; Refusal `unauthenticated` for an anonymous caller
 *   that names no context
 */
export async function listTasks(list: List): Promise<ListTasksResponse> {
  const { desk, exchange, params } = list
  const { contextId, statusTimestampAfter, status, pageSize = usualPageSize } = params
  if (exchange.credential === undefined && contextId === '') {
    // An address is shared: only a caller that knows a task's context may see it.
    throw new Refusal('unauthenticated', contextNeeded)
  }
  const query: TaskQuery = {
    contextId: contextId || undefined,
    after: statusTimestampAfter && new Date(statusTimestampAfter).toISOString(),
    state: status === TaskState.TASK_STATE_UNSPECIFIED ? undefined : nameOf(status),
  }
  if (query.after || query.state) await settle(desk, exchange)
  const { owner } = exchange
  const [page, totalSize] = await Promise.all([
    desk.store.page(owner, query, pageSize, params.pageToken || undefined),
    desk.store.count(owner, query),
  ])
  const { tasks, last } = await shownOf(list, page.facts.slice(0, pageSize))
  const isLast = last === undefined || last === page.facts.at(-1)
  const nextPageToken = isLast ? '' : page.tokenAfter(last)
  return { tasks: tasks.sort(newestFirst), nextPageToken, pageSize, totalSize }
}

interface Shown {
  tasks: Task[]
  /** The next page begins after this task. */
  last: TaskFacts | undefined
}

/** As many of them as fit into a page, beginning with the first, at least one. */
async function shownOf(list: List, facts: readonly TaskFacts[]): Promise<Shown> {
  const { desk, exchange } = list
  const tasks: Task[] = []
  let last: TaskFacts | undefined
  let characters = 0
  for (const portion of portionsOf(facts)) {
    await turnOf(desk.clock)
    const kept = await desk.store.loadAll(
      portion.map(({ id }) => id),
      exchange.owner,
    )
    const outlines = await outlinesOf(list, kept)
    for (const one of portion) {
      const task = kept.get(one.id)
      const run = task && outlines.get(runIdOf(task) ?? '')
      if (task) {
        const left = charactersAtMost - characters
        const needsWhole = isWhole(list, task, run)
        // Reading a task that does not fit would cost as much as one that does.
        if (needsWhole && tasks.length > 0 && (await bytesOf(list, task, run)) > left) {
          return { tasks, last }
        }
        if (needsWhole) await turnOf(desk.clock)
        const shown = view(
          list,
          needsWhole ? await list.whole(task) : await outlined(list, task, run),
        )
        const size = JSON.stringify(Task.toJSON(shown)).length
        if (tasks.length > 0 && size > left) return { tasks, last }
        // A task that has just continued may have another state by now.
        if (isAmong(list, shown)) {
          characters += size
          tasks.push(shown)
        }
      }
      last = one
    }
  }
  return { tasks, last }
}

/** Outlines of the runs that are needed, where an outline is enough. */
async function outlinesOf(
  { desk, exchange, params }: List,
  kept: ReadonlyMap<string, Task>,
): Promise<ReadonlyMap<string, RunOutline>> {
  if (params.includeArtifacts) return new Map()
  const runs = [...kept.values()]
    .filter((task) => !isKnown(task, params))
    .flatMap((task) => runIdOf(task) ?? [])
  return desk.runs.outlines([...new Set(runs)], exchange)
}

/** The approximate size of its run. */
async function bytesOf(
  { desk, exchange }: List,
  task: Task,
  known: RunOutline | undefined,
): Promise<number> {
  const id = runIdOf(task) ?? ''
  const run = known ?? (await desk.runs.outlines([id], exchange)).get(id)
  return run?.bytes ?? 0
}

/** Whether the stored task contains all that is to be shown. */
function isKnown(task: Task, { includeArtifacts }: ListTasksRequest): boolean {
  const hasEnded = isTerminal(task.status?.state)
  return runIdOf(task) === undefined || (hasEnded && !(includeArtifacts && isCut(task)))
}

/** Whether its run must be read: for its result, for what it waits for, or to be stored. */
function isWhole({ params }: List, task: Task, run: RunOutline | undefined): boolean {
  if (isKnown(task, params)) return false
  if (!run || params.includeArtifacts || run.status === 'waiting_approval') return true
  return run.finished_at !== null && run.bytes <= artifactBytesAtMost
}

/** The task with the state of its run, and without the run's result. */
async function outlined(
  { desk, exchange }: List,
  task: Task,
  run: RunOutline | undefined,
): Promise<Task> {
  const shown = isCut(task) && runIdOf(task) !== undefined ? uncut(task) : task
  if (!run) return shown
  const now = asRunStands(shown, { run })
  // The result is too large to be stored with it: from now on its end need not be queried.
  if (isTerminal(now.status?.state)) await desk.store.updateStatus(now, exchange)
  return now
}

function isAmong({ params: { status } }: List, task: Task): boolean {
  return status === TaskState.TASK_STATE_UNSPECIFIED || task.status?.state === status
}

/** The requested parts of the task. */
function view({ params }: List, task: Task): Task {
  const { historyLength, includeArtifacts } = params
  return withHistory(includeArtifacts ? task : { ...task, artifacts: [] }, historyLength)
}

function newestFirst(a: Task, b: Task): number {
  const [first = '', second = ''] = [a.status?.timestamp, b.status?.timestamp]
  return first === second ? 0 : first < second ? 1 : -1
}
