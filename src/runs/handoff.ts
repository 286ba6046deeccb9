import { agentOf } from '#src/agent-apps/reference.ts'
import type { StoredCharacter } from '#src/characters/character.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { mayDo } from '#src/friends/permission.ts'
import { messageRuns, runOf } from '#src/messages/delivery.ts'
import type { Write } from '#src/ports/store.ts'
import { taskKey, type StoredTask } from '#src/tasks/task.ts'
import type { TaskOutputSharing } from '#src/tasks/sharing.ts'
import type { Consequence } from './consequences.ts'
import { runEvent } from './events.ts'
import type { StoredRun } from './run.ts'

const depthAtMost = 8
const runsARoot = 100

type Needed = Pick<Ports, 'store' | 'quotas'>

/**
 * Shares a run's output as its task says: to exactly the target task; or, when none is named, as a
 * message that starts the tasks which listen for it. What cannot be delivered is an event of the
 * run with the reason, and nothing else.
 */
export const handoffOf: Consequence = (ports, { run, task, outcome, now }) => {
  const sharing = task?.output_sharing
  if (outcome.status !== 'completed' || !task) return []
  if (!sharing?.enabled || !sharing.target_agent_id) return []
  return handed(ports, { run, task, now }, sharing, outcome.output)
}

async function handed(
  ports: Needed,
  { run, task, now }: Pick<Handed, 'run' | 'task' | 'now'>,
  sharing: TaskOutputSharing,
  output: unknown,
): Promise<Write[]> {
  const target = await agentOf(ports.store, run.app_id, sharing.target_agent_id ?? '')
  const receiver = await ports.store.characters.get(target)
  const objection = await objectionTo(ports, run, receiver)
  if (objection) return dropped(run, now, target, objection)
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  const owner = receiver?.owner_id ?? run.owner_id
  const prefixed = (sharing.message_prefix ?? '') + text
  const all: Handed = { run, task, target, owner, now, text: prefixed }
  return sharing.target_task_id ? toTask(ports, all, sharing.target_task_id) : asMessage(ports, all)
}

interface Handed {
  run: StoredRun
  task: StoredTask
  target: string
  /** The account of the target. */
  owner: string
  text: string
  now: Date
}

function dropped(run: StoredRun, now: Date, target: string, reason: string): Write[] {
  const insert = runEvent(run.id, 'handoff.dropped', now, { target_agent_id: target, reason })
  return [{ in: 'run_events', insert }]
}

async function objectionTo(
  { store }: Needed,
  run: StoredRun,
  receiver: StoredCharacter | undefined,
): Promise<string | undefined> {
  if (!receiver) return 'there is no such agent'
  const giver = { id: run.char_id, owner_id: run.owner_id }
  if (!(await mayDo(store, giver, receiver, 'run_task'))) {
    return 'the agents are not friends with the permission run_task'
  }
  return run.depth + 1 > depthAtMost ? `the chain is ${depthAtMost} runs deep` : undefined
}

/** How many more runs the first run may set off. */
async function roomFor({ store }: Needed, run: StoredRun): Promise<number> {
  const root = run.root_run_id === run.id ? run : await store.runs.get(run.root_run_id)
  return Math.max(0, runsARoot - (root?.family ?? 1))
}

const tooMany = `the first run has set off ${runsARoot} runs`

/**
 * Counts runs in their root, in the same commit: of two that hand on at once, the one that would
 * pass the bound fails and decides anew.
 */
function counted(run: StoredRun, by: number): Write[] {
  if (by === 0) return []
  const update = { id: run.root_run_id, family: { $lte: runsARoot - by } }
  return [{ in: 'runs', update, change: { $inc: { family: by } } }]
}

async function toTask(ports: Needed, handed: Handed, taskId: string): Promise<Write[]> {
  const { run, target, text, now } = handed
  if ((await roomFor(ports, run)) < 1) return dropped(run, now, target, tooMany)
  const task = await ports.store.tasks.get(taskKey(target, taskId))
  if (!task) return dropped(run, now, target, `the agent has no task "${taskId}"`)
  const ids = { char_id: run.char_id, task_id: run.task_id, run_id: run.id }
  const caller = { ...ids, ...besides(handed.task) }
  const trigger = { type: 'message', at: timestamp(now), caller }
  const insert = await runOf(ports, task, { trigger, input: text, parent: run }, now)
  return [{ in: 'runs', insert }, ...counted(run, 1)]
}

async function asMessage(ports: Needed, handed: Handed): Promise<Write[]> {
  const { run, target, text, now } = handed
  const draft = {
    from: run.char_id,
    to: target,
    body: text,
    task_id: null,
    run_id: run.id,
    created_at: timestamp(now),
  }
  const room = await roomFor(ports, run)
  const parent = { run, handed: besides(handed.task), room }
  const { message, runs, left } = await messageRuns(ports, draft, undefined, now, parent)
  const owners = { from_owner: run.owner_id, to_owner: handed.owner }
  const writes: Write[] = [
    { in: 'messages', insert: { ...message, ...owners } },
    ...runs.map((insert): Write => ({ in: 'runs', insert })),
    ...counted(run, runs.length),
  ]
  return left === 0 ? writes : [...writes, ...dropped(run, now, target, tooMany)]
}

/** What goes along beside the output. */
function besides({ output_sharing: sharing }: StoredTask): Record<string, string> {
  return {
    ...(sharing?.handoff_artifact && { handoff_artifact: sharing.handoff_artifact }),
    ...(sharing?.handoff_memory_key && { handoff_memory_key: sharing.handoff_memory_key }),
  }
}
