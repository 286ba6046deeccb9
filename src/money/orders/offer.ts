import { taskAt } from '#src/agents/tasks/of-run.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { refuse } from '#src/core/errors.ts'
import { call } from '#src/core/words/reference.ts'
import type { Store } from '#src/ports/store.ts'
import { publicAgent } from '#src/agents/public/read.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

/** Whether every caller may order a task. One that is only started by hand cannot be ordered. */
export function isOffered(
  task: Pick<StoredTask, 'public' | 'service_enabled' | 'enabled' | 'autonomy'>,
): boolean {
  return task.public && task.service_enabled && task.enabled && task.autonomy !== 'manual'
}

/**
 * The task that is offered under these ids.
 * @throws Refusal `character_not_found`, `task_not_found` for one that is not public, `service_closed`
 * for one that is public but cannot be ordered now
 */
export async function offeredTask(
  store: Pick<Store, 'accounts' | 'characters' | 'tasks'>,
  charId: string,
  taskId: string,
): Promise<StoredTask> {
  const { owner_id } = await publicAgent(store, charId)
  const task = await taskAt(store, charId, taskId)
  if (!task?.public || task.owner_id !== owner_id) {
    return refuse('task_not_found', `The agent "${charId}" has no public task "${taskId}".`, {
      hint: `${call('public.tasks', { char_id: charId })} lists those that it has.`,
    })
  }
  if (isOffered(task) && !(await isSuspended(store, owner_id))) return task
  return refuse('service_closed', `The task "${taskId}" cannot be ordered now.`, {
    hint: '<public.tasks> shows what the agent offers: tasks with an address under "order" can be ordered.',
  })
}

/** Where a task is ordered. */
export function orderAddress(
  publicUrl: string,
  { char_id, task_id }: Pick<StoredTask, 'char_id' | 'task_id'>,
): string {
  return `${publicUrl}/api/public/agents/${char_id}/tasks/${task_id}/orders`
}

/** The task of an existing order, if it may still begin. */
export async function stillOffered(
  store: Pick<Store, 'accounts' | 'characters' | 'tasks'>,
  order: { char_id: string; task_id: string; owner_id: string },
): Promise<StoredTask | undefined> {
  const [agent, task] = await Promise.all([
    store.characters.get(order.char_id),
    taskAt(store, order.char_id, order.task_id),
  ])
  const isThere = isOpen(agent) && agent.owner_id === order.owner_id
  const isOpenNow = isThere && task?.owner_id === order.owner_id && isOffered(task)
  return isOpenNow && !(await isSuspended(store, order.owner_id)) ? task : undefined
}

/** Nothing of a suspended account runs, and so nothing of it may be paid for. */
async function isSuspended({ accounts }: Pick<Store, 'accounts'>, id: string): Promise<boolean> {
  return (await accounts.get(id))?.suspended_at !== undefined
}

function isOpen(agent: StoredCharacter | undefined): agent is StoredCharacter {
  return (agent?.visibility?.profile_visibility ?? 'private') !== 'private'
}
