import * as z from 'zod'
import { timestamp } from '#src/core/time.ts'
import { runOf } from '#src/runs/triggers/message.ts'
import { Unmet } from '#src/ports/store.ts'
import { awaitEnd, type Awaited } from '#src/runs/await-end.ts'
import { counted } from '#src/runs/ending/handoff.ts'
import { sourceOfStart } from '#src/runs/new-run.ts'
import type { Run, StoredRun } from '#src/runs/run.ts'
import { taint } from '#src/runs/output/taint.ts'
import { taskKey } from '#src/agents/tasks/task.ts'
import type { TaskTool } from '#src/agents/tasks/tool.ts'
import type { Work } from '#src/runs/runtimes/runtime.ts'
import { unknownTaskWords } from '#src/agents/tasks/access.ts'
import { ownTool, ToolFault, type RunTool } from '../tool.ts'
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
  const tool = ownTool(name, description, input, (sent, signal) =>
    done(work, { agentId, taskId, input: sent.input }, signal),
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

async function done(work: Work, wanted: Wanted, signal: AbortSignal): Promise<string> {
  const { started, ending } = await start(work, wanted, signal)
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

async function start(
  work: Work,
  { agentId, taskId, input }: Wanted,
  signal: AbortSignal,
): Promise<Begun> {
  const { ports, run } = work
  const agent = await reached(work, agentId, 'run_task')
  for (let left = tries; ; left--) {
    await roomLeft(work)
    const task = await ports.store.tasks.get(taskKey(agent.id, taskId))
    if (!task) throw new ToolFault(unknownTaskWords(agentId, taskId))
    const now = ports.clock.now()
    const caller = { char_id: run.char_id, task_id: run.task_id, run_id: run.id }
    const trigger = { type: 'message', at: timestamp(now), caller }
    const started = await runOf(ports, task, { trigger, input, parent: run }, now)
    const ending = awaitEnd(ports, started.id, waitSeconds, signal)
    try {
      await ports.store.commit([{ in: 'runs', insert: started }, ...counted(run, 1)])
      return { started, ending }
    } catch (cause) {
      ending.giveUp()
      if (!(cause instanceof Unmet)) throw cause
      if (left === 0) throw new ToolFault('The task could not be started: try again later.')
    }
  }
}
