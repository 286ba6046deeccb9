import { TaskState, type ListTasksRequest, type ListTasksResponse, type Task } from '@a2a-js/sdk'
import { Refusal } from '#src/core/errors.ts'
import { InvalidParams } from './checks.ts'
import type { Desk } from './desk.ts'
import type { Exchange } from './exchange.ts'
import type { TaskQuery } from './task-store.ts'

const usualPageSize = 50
/** How many of the newest tasks are looked through for those of one state. */
const lookedThrough = 1000
const atOnce = 100

/** Gives a task as it stands now. */
type Refresh = (task: Task) => Promise<Task>

/**
 * The caller's own tasks, the newest first.
 * @throws InvalidParams for a broken page token; Refusal `unauthenticated` for nobody in particular
 */
export async function listTasks(
  desk: Desk,
  exchange: Exchange,
  params: ListTasksRequest,
  refresh: Refresh,
): Promise<ListTasksResponse> {
  const { contextId, statusTimestampAfter, pageSize = usualPageSize } = params
  if (exchange.credential === undefined && contextId === '') {
    // An address is shared: only who knows the context of a task can be told of it.
    throw new Refusal('unauthenticated', 'Without an API key, name the contextId of your tasks.')
  }
  const query: TaskQuery = {
    contextId: contextId || undefined,
    after: statusTimestampAfter && new Date(statusTimestampAfter).toISOString(),
    limit: pageSize,
    pageToken: params.pageToken || undefined,
  }
  const page =
    params.status === TaskState.TASK_STATE_UNSPECIFIED
      ? await allOf(desk, exchange.owner, query, refresh)
      : await thoseIn(params.status, desk, exchange.owner, query, refresh)
  const tasks = page.tasks.sort(newestFirst)
  return {
    ...page,
    pageSize,
    tasks: params.includeArtifacts ? tasks : tasks.map((task) => ({ ...task, artifacts: [] })),
  }
}

type Found = Omit<ListTasksResponse, 'pageSize'>

async function allOf(
  { store }: Desk,
  owner: string,
  query: TaskQuery,
  refresh: Refresh,
): Promise<Found> {
  const [page, totalSize] = await Promise.all([store.page(owner, query), store.count(owner, query)])
  return { ...page, tasks: await Promise.all(page.tasks.map(refresh)), totalSize }
}

/** The state is in the kept text, so no filter of the store can tell it. */
async function thoseIn(
  state: TaskState,
  { store }: Desk,
  owner: string,
  { pageToken: after, limit, ...query }: TaskQuery,
  refresh: Refresh,
): Promise<Found> {
  const found: Task[] = []
  let pageToken: string | undefined
  for (let looked = 0; looked < lookedThrough && pageToken !== ''; looked += atOnce) {
    const page = await store.page(owner, { ...query, limit: atOnce, pageToken })
    const tasks = await Promise.all(page.tasks.map(refresh))
    found.push(...tasks.filter((task) => task.status?.state === state))
    pageToken = page.nextPageToken
  }
  const start = after === undefined ? 0 : found.findIndex((task) => task.id === after) + 1
  if (after !== undefined && start === 0) {
    throw new InvalidParams('pageToken', 'This page token is broken or belongs to another list.')
  }
  const tasks = found.slice(start, start + limit)
  const last = start + limit < found.length ? tasks.at(-1) : undefined
  return { tasks, nextPageToken: last?.id ?? '', totalSize: found.length }
}

function newestFirst(a: Task, b: Task): number {
  const [first = '', second = ''] = [a.status?.timestamp, b.status?.timestamp]
  return first === second ? 0 : first < second ? 1 : -1
}
