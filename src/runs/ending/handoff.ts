import { taskAt } from '#src/agents/tasks/of-run.ts'
import { agentOf } from '#src/agents/app/agent-reference.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { messageReceived } from '../triggers/message-events.ts'
import { isLetIn, mayDo } from '#src/agents/friends/permission.ts'
import { messageRuns, runOf } from '../triggers/message.ts'
import { schemaMark } from '../output/handed-schema.ts'
import { handedInput, handedMemory, isSelected } from '../output/handoff-input.ts'
import { workOf, type Work } from '../output/result.ts'
import type { Write } from '#src/ports/store.ts'
import { isByAgent } from '#src/agents/tasks/policy/provenance.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { TaskOutputSharing } from '#src/agents/tasks/output-sharing.ts'
import type { Consequence } from '../ended.ts'
import { noticePlace } from '../notices/untold.ts'
import { runEvent } from '../events.ts'
import { sourceOfStart } from '../new-run.ts'
import type { StoredRun } from '../run.ts'

/** How deep a chain of runs may be, the first one being at 0. */
export const depthAtMost = 8
/** How many runs one may set off, including itself. */
export const runsARoot = 100

type Needed = Pick<Ports, 'store' | 'clock' | 'quotas' | 'models'>

/**
 * Shares a run's output as its task says: with exactly the target task or, if none is named, as a message
 * that starts the listening tasks; with the named artifact, and into the named memory entry. A failed
 * delivery only adds an event to the run, with the reason.
 */
export const handoffOf: Consequence = (ports, { run, task, outcome, now }) => {
  const sharing = task?.output_sharing
  const named = sharing?.target_agent_id
  if (!task || !sharing?.enabled || !named) return []
  const work = workOf(outcome)
  return work ? handed(ports, { run, task, sharing, named, now }, work) : []
}

async function handed(
  ports: Needed,
  handing: Pick<Handed, 'run' | 'task' | 'sharing' | 'named' | 'now'>,
  { output, text }: Work,
): Promise<Write[]> {
  const { run, task, sharing, named, now } = handing
  const target = await agentOf(ports.store, run.app_id, named)
  if (!isSelected(task.selected_connections, [named, target])) {
    return dropped(run, now, target, 'the task does not select this connection')
  }
  const receiver = await ports.store.characters.get(target)
  if (!receiver) return dropped(run, now, target, 'there is no such agent')
  const letIn = await letInBy(ports, handing, receiver)
  const objection = objectionTo(handing, letIn)
  if (objection) return dropped(run, now, target, objection)
  const owner = receiver.owner_id
  const prefixed = (sharing.message_prefix ?? '') + text
  const { input, notes } = handedInput({ run, now }, sharing, prefixed)
  const all: Handed = { ...handing, target, owner, letIn, text: prefixed, input, output }
  const taskId = sharing.target_task_id
  const writes = await (taskId ? toTask(ports, all, taskId) : asMessage(ports, all))
  return [...notes, ...writes]
}

interface Handed {
  run: StoredRun
  task: StoredTask
  sharing: TaskOutputSharing
  /** The target as named in the task. */
  named: string
  target: string
  /** The account of the target. */
  owner: string
  letIn: LetIn
  /** The output as text, after the prefix. */
  text: string
  /** The input of the receiving runs. */
  input: unknown
  output: unknown
  now: Date
}

function dropped(run: StoredRun, now: Date, target: string, reason: string): Write[] {
  const insert = runEvent(run.id, 'handoff.dropped', now, { target_agent_id: target, reason })
  // The owner is told that the result went nowhere.
  const untold = noticePlace(run)
  return [
    { in: 'run_events', insert },
    { in: 'runs', update: { id: run.id }, change: { $set: { untold } } },
  ]
}

/** Whether a result may start tasks at its receiver or only reach its inbox, and on what ground. */
type LetIn = 'by_owner' | 'by_friendship' | 'to_inbox' | 'no'

/** Sharing set by a key that acts as the agent starts tasks of other agents only over a friendship. */
async function letInBy(
  { store }: Needed,
  { run, task }: Pick<Handed, 'run' | 'task'>,
  receiver: StoredCharacter,
): Promise<LetIn> {
  const giver = { id: run.char_id, owner_id: run.owner_id }
  const isSibling = receiver.owner_id === run.owner_id && receiver.id !== run.char_id
  if (isSibling && isByAgent(task, 'output_sharing')) {
    return (await isLetIn(store, giver, receiver, 'run_task')) ? 'by_friendship' : 'to_inbox'
  }
  return (await mayDo(store, giver, receiver, 'run_task')) ? 'by_owner' : 'no'
}

function objectionTo(
  { run, sharing }: Pick<Handed, 'run' | 'sharing'>,
  letIn: LetIn,
): string | undefined {
  if (letIn === 'no' || (letIn === 'to_inbox' && sharing.target_task_id)) {
    return 'the agents are not friends with the permission run_task'
  }
  return run.depth + 1 > depthAtMost ? `the chain is ${depthAtMost} runs deep` : undefined
}

/** How many more runs the first run of a chain may set off. */
export async function roomFor(
  { store }: Needed,
  run: Pick<StoredRun, 'root_run_id'>,
): Promise<number> {
  // Read again even if it is the run itself, which may have set off some since it was read.
  const root = await store.runs.get(run.root_run_id)
  return Math.max(0, runsARoot - (root?.family ?? 1))
}

const tooMany = `the first run has set off ${runsARoot} runs`

/**
 * Counts runs in their root, in the same commit: of two concurrent handoffs, the one that would
 * exceed the bound fails and decides again.
 */
export function counted(run: Pick<StoredRun, 'root_run_id'>, by: number): Write[] {
  if (by === 0) return []
  const update = { id: run.root_run_id, family: { $lte: runsARoot - by } }
  return [{ in: 'runs', update, change: { $inc: { family: by } } }]
}

async function toTask(ports: Needed, handed: Handed, taskId: string): Promise<Write[]> {
  const { run, target, input, now } = handed
  if ((await roomFor(ports, run)) < 1) return dropped(run, now, target, tooMany)
  const task = await taskAt(ports.store, target, taskId)
  if (!task) return dropped(run, now, target, `the agent has no task "${taskId}"`)
  const ids = { char_id: run.char_id, task_id: run.task_id, run_id: run.id }
  const caller = { ...ids, ...extrasOf(handed) }
  const trigger = { type: 'message', at: timestamp(now), caller }
  const start = { trigger, input, parent: run }
  const insert = await runOf(ports, task, start, now, { beyondQueue: true })
  const memory = await memoryOf(ports, handed, task.memory_namespace)
  return [{ in: 'runs', insert }, ...counted(run, 1), ...memory]
}

function memoryOf(ports: Needed, handed: Handed, namespace: string | null): Promise<Write[]> {
  const { target: charId, owner: ownerId, sharing, output, letIn } = handed
  // The owner's tasks rely on the content of their namespaces.
  const own = letIn === 'by_owner' ? namespace : null
  return handedMemory(ports, handed, sharing, { charId, ownerId, namespace: own }, output)
}

async function asMessage(ports: Needed, handed: Handed): Promise<Write[]> {
  const { run, target, text, input, now } = handed
  const draft = {
    from: run.char_id,
    to: target,
    body: text,
    task_id: null,
    run_id: run.id,
    created_at: timestamp(now),
    source: sourceOfStart(handed.owner, { parent: run }),
  }
  const room = await roomFor(ports, run)
  const parent = { run, handed: extrasOf(handed), room, input }
  const starts = handed.letIn !== 'to_inbox'
  const delivery = await messageRuns(ports, draft, undefined, now, parent, starts)
  const { message, runs, left } = delivery
  const owners = { from_owner: run.owner_id, to_owner: handed.owner }
  const sent = { ...message, ...owners }
  if (!starts) {
    // No event: tasks that listen to it would be started anyway.
    const reason = 'it lies in the inbox: the agents are not friends with the permission run_task'
    const note = delivery.unstarted > 0 ? dropped(run, now, target, reason) : []
    return [{ in: 'messages', insert: sent }, ...note]
  }
  const writes: Write[] = [
    { in: 'messages', insert: sent },
    ...(await messageReceived(ports.store, sent, run, now)),
    ...runs.map((insert): Write => ({ in: 'runs', insert })),
    ...counted(run, runs.length),
    ...(await memoryOf(ports, handed, null)),
  ]
  return left === 0 ? writes : [...writes, ...dropped(run, now, target, tooMany)]
}

/** What is handed over in addition to the output. */
function extrasOf({ sharing, task }: Handed): Record<string, string> {
  const { handoff_artifact, handoff_memory_key } = sharing
  return {
    ...schemaMark(task),
    ...(handoff_artifact && { handoff_artifact }),
    ...(handoff_memory_key && { handoff_memory_key }),
  }
}
