import type { Actor } from '#src/core/credentials/actor.ts'
import type { Ports } from '#src/core/context.ts'
import { newId } from '#src/core/ids.ts'
import { newRun, senderOfStart, type Start } from '../new-run.ts'
import { listeners, messagedTasks } from './listens.ts'
import { lacksModel } from '../runtimes/prompt/choose-model.ts'
import { reasonNotToHold, reasonToSkip, type Bounds } from '../skip-reason.ts'
import { heldRun } from '../waits/held.ts'
import type { StoredRun } from '../run.ts'
import { isPaused } from '#src/agents/tasks/reliability.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Message } from '#src/agents/messages/message.ts'
import { marked, type Source } from '#src/core/text/untrusted.ts'

/** A message with the runs that it starts. */
export interface Delivery {
  message: Message
  runs: StoredRun[]
  /** How many listening tasks found no room. */
  left: number
  /** How many tasks listen that the sender may not start: they were left alone. */
  unstarted: number
}

/** The run whose result a message carries. */
export interface Parent {
  run: StoredRun
  /** What its task hands over with the result. */
  handed: Record<string, string>
  /** How many runs it may set off. */
  room: number
  /** What the runs are given, where that is not the body. */
  input?: unknown
}

type Draft = Omit<Message, 'id' | 'runs' | 'untrusted' | 'source'> & {
  /** Who leaves it with the account of its receiver, where that is another one. */
  sender?: string | undefined
  /** Whose call sends it. */
  startedBy?: Actor | null
  /** Where it comes from, if that is outside of its receiver's account. */
  source?: Source | undefined
}
type Needed = Pick<Ports, 'store' | 'clock' | 'quotas' | 'models'>

/**
 * What a message sets going: exactly the one task where it is named, else the tasks that listen.
 * @param parent the run whose result it carries, if it is one
 * @param starts whether the sender may start tasks at the receiver; without, it lands in the inbox
 */
export async function messageRuns(
  ports: Needed,
  draft: Draft,
  only: StoredTask | undefined,
  now: Date,
  parent?: Parent,
  starts = true,
): Promise<Delivery> {
  const id = newId('msg')
  const { sender, source, startedBy, ...said } = draft
  const heard = only ? [only] : await heardBy(ports, draft)
  const listening = starts ? heard : []
  const receivers = listening.slice(0, parent?.room)
  const caller = {
    char_id: draft.from,
    message_id: id,
    ...(parent && { task_id: parent.run.task_id, run_id: parent.run.id, ...parent.handed }),
  }
  const trigger = { type: 'message', at: draft.created_at, caller }
  const input = parent?.input ?? said.body
  const runs: StoredRun[] = []
  for (const receiver of receivers) {
    const start = { trigger, input, parent: parent?.run, sender, source, startedBy }
    runs.push(await runOf(ports, receiver, start, now, { beyondQueue: parent !== undefined }))
  }
  const message = { id, ...said, runs: runs.map((run) => run.id), ...marked(source) }
  const left = listening.length - receivers.length
  return { message, runs, left, unstarted: heard.length - listening.length }
}

/** A run of a task that others set going: held while the task is paused, skipped with the reason where it may not be. */
export async function runOf(
  ports: Pick<Ports, 'store' | 'quotas' | 'models'>,
  task: StoredTask,
  start: Pick<
    Start,
    'trigger' | 'input' | 'parent' | 'sender' | 'source' | 'startedBy' | 'firedBy'
  >,
  now: Date,
  bounds?: Bounds,
): Promise<StoredRun> {
  const hasNoModel = lacksModel(ports.models, task)
  const sender = senderOfStart(task.owner_id, start)
  const bound = { ...bounds, sender }
  const hold = isPaused(task) && task.autonomy !== 'manual'
  const skipped = await (hold ? reasonNotToHold : reasonToSkip)(ports, task, bound)
  const run = newRun(task, { ...start, hasNoModel, skipped }, now)
  return hold && !skipped ? heldRun(run, task) : run
}

async function heardBy(ports: Needed, { from, to }: Draft): Promise<StoredTask[]> {
  return listeners(ports.store, await messagedTasks(ports, to), from)
}
