import type { StoredCharacter } from '#src/agents/character.ts'
import { refuse } from '#src/core/errors.ts'
import type { Store } from '#src/ports/store.ts'
import { listens } from '../triggers/listens.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

/** Who wants a task done. */
export interface Asker {
  /** The agent itself, or its account. */
  isOwn: boolean
  /** The agent that their key acts as. */
  charId: string | undefined
}

type Needed = Pick<Store, 'tasks' | 'apps'>

/** A task that a message may start. */
export interface Choice {
  task: StoredTask
  /** It has a trigger for messages of this sender. */
  listens: boolean
}

/** Whether others than its owner may start a task at all: one that is only ever started by hand is not. */
export function isRunnable({
  enabled,
  autonomy,
}: Pick<StoredTask, 'enabled' | 'autonomy'>): boolean {
  return enabled && autonomy !== 'manual'
}

/** Whether everybody who may speak to the agent may start the task: what is sold is ordered, not asked for. */
export function isOpenTask(task: StoredTask): boolean {
  return task.public && isRunnable(task) && !isSold(task)
}

function isSold({ service_enabled, price_cents, payment_price_id }: StoredTask): boolean {
  return service_enabled && ((price_cents ?? 0) > 0 || !!payment_price_id)
}

/** All tasks of an agent, in their order. */
export async function tasksOf(
  { tasks }: Pick<Store, 'tasks'>,
  { id, owner_id }: Pick<StoredCharacter, 'id' | 'owner_id'>,
): Promise<StoredTask[]> {
  const all = await tasks.find({ char_id: id }, { sort: { order: 1 } })
  return all.filter((task) => task.owner_id === owner_id)
}

/**
 * Those of the tasks that somebody may start by a message, in their order: its account any that runs
 * without a hand; others those that listen for their messages or, where they listen for nobody's, are
 * public, and are not sold.
 */
export async function choicesOf(
  store: Needed,
  tasks: readonly StoredTask[],
  { isOwn, charId = '' }: Asker,
): Promise<Choice[]> {
  const choices: Choice[] = []
  for (const task of tasks) {
    if (!isRunnable(task)) continue
    const mayListen = task.triggers.some(({ type, enabled }) => type === 'message' && enabled)
    const isListening = mayListen && (await listens(store, task, charId))
    // A trigger that names its sender says that others do not start the task.
    const isOpen = mayListen ? isListening && !isSold(task) : isOpenTask(task)
    if (isOwn || isOpen) choices.push({ task, listens: isListening })
  }
  return choices
}

/**
 * The task that a message starts: the one that it names, else the first that listens for messages,
 * else the first of all.
 * @throws Refusal `task_not_found`, the same for a task that is not there and one that is not open
 */
export async function chosenTask(
  store: Needed,
  agent: Pick<StoredCharacter, 'id' | 'owner_id'>,
  asker: Asker,
  named: string | undefined,
): Promise<StoredTask> {
  const choices = await choicesOf(store, await tasksOf(store, agent), asker)
  const found =
    named === undefined
      ? (choices.find((choice) => choice.listens) ?? choices[0])
      : choices.find(({ task }) => task.task_id === named)
  if (found) return found.task
  const ids = choices.slice(0, 20).map(({ task }) => task.task_id)
  if (named !== undefined) {
    return refuse(
      'task_not_found',
      `"${agent.id}" has no task "${named.slice(0, 128)}" that you may start.`,
      {
        hint: ids.length > 0 ? `These you may: ${ids.join(', ')}.` : nothing,
      },
    )
  }
  return refuse('task_not_found', `"${agent.id}" has no task that a message could start.`, {
    hint: nothing,
  })
}

const nothing =
  'A message starts a task that is enabled, not of autonomy manual, and for others than its account public and not for sale.'
