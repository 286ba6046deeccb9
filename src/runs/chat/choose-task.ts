import type { StoredCharacter } from '#src/agents/character.ts'
import { refuse } from '#src/core/errors.ts'
import type { Store } from '#src/ports/store.ts'
import { listens } from '../triggers/listens.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'
import type { Ports } from '#src/core/context.ts'

/** The caller that wants a task done. */
export interface Asker {
  /** The agent itself, or its account. */
  isOwn: boolean
  /** The agent that its key acts as. */
  charId: string | undefined
}

type Needed = Pick<Store, 'tasks' | 'apps'>

/** A task that a message may start. */
export interface Choice {
  task: StoredTask
  /** It has a trigger for messages of this sender. */
  listens: boolean
}

/** Whether anyone but a person may start a task at all: not if it is disabled or only started by hand. */
export function isRunnable({
  enabled,
  autonomy,
}: Pick<StoredTask, 'enabled' | 'autonomy'>): boolean {
  return enabled && autonomy !== 'manual'
}

/** Whether everyone that may message the agent may start the task: tasks for sale are ordered instead. */
export function isOpenTask(task: StoredTask): boolean {
  return task.public && isRunnable(task) && !isSold(task)
}

function isSold({ service_enabled, price_cents, payment_price_id }: StoredTask): boolean {
  return service_enabled && ((price_cents ?? 0) > 0 || !!payment_price_id)
}

/**
 * Those of the tasks that the asker may start by a message, in order. The agent's account may start any
 * that is not manual. Others may start tasks that listen for their messages or, without an enabled message
 * trigger, are public; never tasks for sale.
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
    // A trigger that names its sender excludes others.
    const isOpen = mayListen ? isListening && !isSold(task) : isOpenTask(task)
    if (isOwn || isOpen) choices.push({ task, listens: isListening })
  }
  return choices
}

/**
 * The task that a message starts: the one that it names, otherwise the first that listens for messages,
 * otherwise the first of all.
 * @throws Refusal `task_not_found`, the same for a missing task and one that is not open
 */
export async function chosenTask(
  ports: Pick<Ports, 'store' | 'clock'>,
  agent: Pick<StoredCharacter, 'id' | 'owner_id'>,
  asker: Asker,
  named: string | undefined,
): Promise<StoredTask> {
  const { id, owner_id } = agent
  const choices = await choicesOf(ports.store, await tasksOf(ports, [id], { owner_id }), asker)
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
