import { taskAt } from '#src/agents/tasks/of-run.ts'
import * as z from 'zod'
import { timestamp } from '#src/core/time.ts'
import { runOf } from '#src/runs/triggers/message.ts'
import { DuplicateKey, Unmet, type Write } from '#src/ports/store.ts'
import { awaitEnd, type Awaited } from '#src/runs/await-end.ts'
import { counted } from '#src/runs/ending/handoff.ts'
import { sourceOfStart } from '#src/runs/new-run.ts'
import { runEvent } from '#src/runs/events.ts'
import { hasEnded, type Run, type StoredRun } from '#src/runs/run.ts'
import { taint } from '#src/runs/output/taint.ts'
import type { TaskTool } from '#src/agents/tasks/tool.ts'
import type { Work } from '#src/runs/runtimes/runtime.ts'
import { unknownTaskWords } from '#src/agents/tasks/access.ts'
import { ownTool, ToolFault, type RunTool } from '../tool.ts'
import { callKeys, type CallKeys } from './calls.ts'
import { reached, roomLeft } from './reach.ts'

/** How long a run waits for the end of one that it set off. */
const waitSeconds = 60
const tries = 5
const idsAtMost = 128

/** A task of another agent, run by the rules of a handoff; undefined where the tool names none. */
export function agentTool(
  work: Work,
  { config, require_person = false }: TaskTool,
  name: string,
): RunTool | undefined {
  const agentId = textOf(config.agent_id) ?? textOf(config.target_agent_id)
  const taskId = textOf(config.task_id) ?? textOf(config.target_task_id)
  if (!agentId || !taskId) return undefined
  const description =
    textOf(config.description) ?? `Has the agent "${agentId}" do its task "${taskId}".`
  const input = z.strictObject({ input: z.json().describe('What the task is given.') })
  const keyOf = callKeys(work.run, name)
  const tool = ownTool(name, description, input, (sent, signal) =>
    done(work, { agentId, taskId, input: sent.input }, keyOf, signal),
  )
  return { ...tool, needsPerson: require_person }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= idsAtMost ? value : undefined
}

interface Wanted {
  agentId: string
  taskId: string
  input: unknown
}

async function done(
  work: Work,
  wanted: Wanted,
  keyOf: CallKeys,
  signal: AbortSignal,
): Promise<string> {
  const { started, ending } = await startedOnce(work, wanted, keyOf, signal)
  if (started.status === 'skipped') {
    ending.giveUp()
    throw new ToolFault(`The task was not started: ${started.reason}.`)
  }
  const settled = await ending.settled()
  signal.throwIfAborted()
  if (!settled) return JSON.stringify({ run_id: started.id, status: 'still going' })
  // A run as we stored it ourselves.
  const ended = JSON.parse(settled.row.text) as Run
  taint(work.run, sourceOfStart(work.run.owner_id, { parent: { ...started, ...ended } }))
  const { id: run_id, status, output, error } = ended
  return JSON.stringify({ run_id, status, output, ...(error && { error }) })
}

interface Begun {
  started: StoredRun
  ending: Awaited
}

/**
 * Starts the run that a call asks for, or finds the one that the same call of this run has started before its worker
 * was lost. One that did not do its work is started again.
 */
async function startedOnce(
  work: Work,
  wanted: Wanted,
  keyOf: CallKeys,
  signal: AbortSignal,
): Promise<Begun> {
  const { ports } = work
  for (;;) {
    const callId = keyOf([wanted.agentId, wanted.taskId, wanted.input])
    for (;;) {
      const event = await ports.store.run_events.get(callId)
      const before = event && (await ports.store.runs.get(String(event.data['run_id'])))
      if (event && (!before || (hasEnded(before) && before.status !== 'completed'))) break
      if (before) return again(work, before, signal)
      try {
        return await start(work, { ...wanted, callId }, signal)
      } catch (cause) {
        // Another worker of this run was quicker.
        if (!(cause instanceof DuplicateKey && cause.in === 'run_events')) throw cause
      }
    }
  }
}

/** Waits for a run that may have ended by now. */
function again({ ports }: Work, started: StoredRun, signal: AbortSignal): Begun {
  const ending = awaitEnd(ports, started.id, waitSeconds, signal)
  ports.waiting.tell(started.id)
  return { started, ending }
}

async function start(
  work: Work,
  { agentId, taskId, input, callId }: Wanted & { callId: string },
  signal: AbortSignal,
): Promise<Begun> {
  const { ports, run } = work
  const agent = await reached(work, agentId, 'run_task')
  for (let left = tries; ; left--) {
    await roomLeft(work)
    const task = await taskAt(ports.store, agent.id, taskId)
    if (!task) throw new ToolFault(unknownTaskWords(agentId, taskId))
    const now = ports.clock.now()
    const caller = { char_id: run.char_id, task_id: run.task_id, run_id: run.id }
    const trigger = { type: 'message', at: timestamp(now), caller }
    const started = await runOf(ports, task, { trigger, input, parent: run }, now)
    const ending = awaitEnd(ports, started.id, waitSeconds, signal)
    try {
      const said = { agent_id: agentId, task_id: taskId, run_id: started.id }
      const event = { ...runEvent(run.id, 'agent.called', now, said), id: callId }
      const writes: Write[] = [
        { in: 'runs', insert: started },
        { in: 'run_events', insert: event },
        ...counted(run, 1),
      ]
      await ports.store.commit(writes)
      return { started, ending }
    } catch (cause) {
      ending.giveUp()
      if (!(cause instanceof Unmet)) throw cause
      if (left === 0) throw new ToolFault('The task could not be started: try again later.')
    }
  }
}
