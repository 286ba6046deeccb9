import { mayActFor, noReach, type Reach } from '../access.ts'
import { refuse } from '#src/core/errors.ts'
import { idHint, idsAtMost } from '#src/core/words/id-hint.ts'
import { call } from '#src/core/words/reference.ts'
import type { Row } from '#src/ports/store.ts'
import { taskAt } from './of-run.ts'
import { taskKey, type StoredTask } from './task.ts'

/** @throws Refusal `character_not_found`, `task_not_found`, `forbidden` */
export async function ownTask(reach: Reach, charId: string, taskId: string): Promise<StoredTask> {
  const task = await taskAt(reach.store, charId, taskId)
  const isOwn = task?.owner_id === reach.caller.accountId && mayActFor(reach.caller, charId)
  return task && isOwn ? task : noTask(reach, charId, taskId)
}

/** The stored text of one of the caller's tasks. @throws Refusal as `ownTask` */
export async function ownTaskRow(reach: Reach, charId: string, taskId: string): Promise<Row> {
  if (mayActFor(reach.caller, charId)) {
    const own = { char_id: charId, owner_id: reach.caller.accountId }
    const filter = { id: taskKey(charId, taskId), ...own }
    const [row] = await reach.store.tasks.text(filter, { limit: 1 })
    if (row) return row
  }
  return noTask(reach, charId, taskId)
}

async function noTask(reach: Reach, charId: string, taskId: string): Promise<never> {
  const { store, caller } = reach
  const owned = { id: charId, owner_id: caller.accountId }
  const [agent] = mayActFor(caller, charId) ? await store.characters.text(owned) : []
  if (!agent) return noReach(reach, charId)
  return unknownTask(reach, charId, taskId)
}

/**
 * Whether one of the agents that the caller acts for has such a task. Where there are more agents than are looked
 * through, it is taken to be there.
 * @throws Refusal `task_not_found` if none has
 */
export async function someTask({ store, caller }: Reach, taskId: string): Promise<void> {
  const own = { owner_id: caller.accountId }
  const agents =
    caller.charId === undefined
      ? (await store.characters.pick(['id'], own, { limit: idsAtMost + 1 })).flat().map(String)
      : [caller.charId]
  if (agents.length > idsAtMost) return
  const keys = agents.map((id) => taskKey(id, taskId))
  const [row] = await store.tasks.pick(['id'], { id: { $in: keys } }, { limit: 1 })
  if (row) return
  const among = { char_id: { $in: agents } }
  const rows = await store.tasks.pick(['task_id'], among, { limit: idsAtMost })
  const [first] = agents
  const list = first === undefined ? '<tasks.create>' : call('tasks.list', { char_id: first })
  const hint = idHint(taskId, { ids: rows.flat(), list })
  refuse('task_not_found', `None of your agents has a task "${taskId}".`, { hint })
}

/** That an agent has no such task, in words. */
export function unknownTaskWords(charId: string, taskId: string): string {
  return `The agent "${charId}" has no task "${taskId}".`
}

/** @throws Refusal `task_not_found` always, with the nearest of the agent's tasks if it is the caller's */
export async function unknownTask(
  { store, caller }: Reach,
  charId: string,
  taskId: string,
): Promise<never> {
  const own = { char_id: charId, owner_id: caller.accountId }
  const options = { sort: { order: 1 }, limit: idsAtMost } as const
  const rows = mayActFor(caller, charId) ? await store.tasks.pick(['task_id'], own, options) : []
  const hint = idHint(taskId, {
    ids: rows.flat(),
    read: (task_id) => call('tasks.get', { char_id: charId, task_id }),
    list: call('tasks.list', { char_id: charId }),
  })
  return refuse('task_not_found', unknownTaskWords(charId, taskId), { hint })
}
