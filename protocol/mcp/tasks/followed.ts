import type { Runs, Serving } from '#protocol/runs.ts'
import type { Exchange } from '../exchange.ts'
import type { Follow } from '../listener.ts'
import { isRead } from './item-task.ts'
import type { Items, ItemStanding } from './items.ts'
import { taskNamed, type ItemTaskName, type TaskName } from './names.ts'
import { servingAs } from './sender.ts'
import { taskAddress } from './stream.ts'

/** Ids that are looked at: a request has room for hundreds of thousands, and reading so many would hold up others. */
const idsAtMost = 1000
/** Items that one stream follows. */
const itemsAtMost = 500
/** Items that are looked at in one call. */
const itemsAtOnce = 100

/** What is asked how tasks stand. */
export interface TaskSources {
  runs: Runs
  items: Items | undefined
}

/**
 * The tasks of these that the sender may follow, by the addresses that stand for them in a stream: each is told of
 * as it is now, and at each change, also of the run that continues it.
 * @param most how many of them
 */
export async function followable(
  sources: TaskSources,
  taskIds: readonly string[],
  exchange: Exchange,
  most: number,
): Promise<ReadonlyMap<string, Follow>> {
  const named = namedIn(taskIds, most)
  if (!exchange.credential || named.size === 0) return new Map()
  const serving = servingAs(exchange, exchange.request.signal, { counted: true })
  const runs = [...named.values()].flatMap((name) => ('runId' in name ? [name.runId] : []))
  const items = [...named.values()].flatMap((name) => ('itemIds' in name ? name.itemIds : []))
  const seen = new Set([
    ...(await sources.runs.outlines([...new Set(runs)], serving)).keys(),
    ...(await itemsSeen(sources.items, [...new Set(items)], serving)),
  ])
  const followed = [...named].filter(([, name]) =>
    'runId' in name ? seen.has(name.runId) : name.itemIds.some((id) => seen.has(id)),
  )
  return new Map(
    followed.map(([taskId, name]) => [
      taskAddress(taskId),
      (signal) => followOf(sources, name, exchange, signal),
    ]),
  )
}

/** The first of them that are tasks, each once. */
function namedIn(taskIds: readonly string[], most: number): ReadonlyMap<string, TaskName> {
  const named = new Map<string, TaskName>()
  let left = itemsAtMost
  for (const taskId of taskIds.slice(0, idsAtMost)) {
    if (named.size >= most) break
    const name = named.has(taskId) ? undefined : taskNamed(taskId)
    const items = name && 'itemIds' in name ? name.itemIds.length : 0
    if (!name || items > left) continue
    left -= items
    named.set(taskId, name)
  }
  return named
}

async function itemsSeen(
  items: Items | undefined,
  ids: readonly string[],
  serving: Serving,
): Promise<string[]> {
  const seen: string[] = []
  if (!items) return seen
  for (let from = 0; from < ids.length; from += itemsAtOnce) {
    const standings = await items.look(ids.slice(from, from + itemsAtOnce), serving)
    seen.push(...standings.map(({ item }) => item.id))
  }
  return seen
}

function followOf(
  { runs, items }: TaskSources,
  name: TaskName,
  exchange: Exchange,
  signal: AbortSignal,
): AsyncIterable<unknown> {
  const serving = servingAs(exchange, signal, { counted: true })
  if ('runId' in name) return runs.follow(name.runId, serving, { signal })
  if (!items) throw new Error('items are followed that cannot be read')
  return untilRead(items.follow(name.itemIds, serving, signal), name)
}

async function* untilRead(
  followed: AsyncIterable<readonly ItemStanding[]>,
  name: ItemTaskName,
): AsyncGenerator<readonly ItemStanding[]> {
  for await (const standings of followed) {
    yield standings
    if (standings.every((one) => isRead(one, name))) return
  }
}
