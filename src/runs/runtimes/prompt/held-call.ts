import { approvalParking } from '#src/runs/approvals/open.ts'
import type { StoredApproval } from '#src/runs/approvals/approval.ts'
import { Parking } from '#src/runs/ending/park.ts'
import { RunFailure } from '#src/runs/failure.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { timestamp } from '#src/core/time.ts'
import { shortened } from '#src/core/text/fence.ts'
import type { Desk } from './desk.ts'
import { pausedBefore } from './paused-before.ts'
import type { RunTool } from './tool.ts'

/** Of the arguments, in the question: the approval has all of them. */
const askedAtMost = 3000
const resultAtMost = 20_000

/** A call of a tool as it would be made: without the secrets that a model may have written. */
interface Call {
  tool: string
  input: unknown
}

/**
 * Whether a person decides this call: the task is `supervised`, the run knows words of strangers, and the tool may
 * spend, delete or change access.
 */
export function isHeld({ work: { run, task } }: Desk, tool: RunTool | undefined): boolean {
  return tool?.needsPerson === true && task.autonomy === 'supervised' && run.untrusted === true
}

/**
 * Pauses the run until a person has decided one call of a tool. The run that goes on makes exactly this call.
 * @throws RunFailure `approval_unreachable`
 */
export async function heldCall(
  { work, scrub }: Desk,
  { tool, input }: Call,
  usage: StoredRun['usage'],
): Promise<Parking> {
  const { ports, run, task } = work
  const gate = task.approval_gate
  const sent = shortened(JSON.stringify(input ?? null), askedAtMost)
  const terms = {
    kind: 'tool',
    prompt: scrub(
      `May the task "${task.name}" of the agent "${run.char_id}" call the tool "${tool}" with this? It has read what strangers wrote.\n${sent}`,
    ).toWellFormed(),
    approvers: gate?.approvers ?? [],
    needed: 1,
    requirePerson: true,
    allowEdit: false,
    timeoutSeconds: gate?.timeout_seconds ?? null,
    fallbackAgentId: null,
    onReject: gate?.on_reject ?? 'abandon',
    toolCall: { tool, arguments: input ?? null },
  } as const
  const { parked, writes } = await approvalParking(ports, run, task, terms, ports.clock.now())
  return new Parking({ ...parked, usage }, writes)
}

/**
 * What a run is told that goes on after a person approved one call: that call is made first, once, and by the server,
 * so that it is the one that was approved. Undefined where the run follows none.
 * @param tools what the run may use
 * @throws RunFailure `tool_unavailable` where the tool is not there: the approval is kept, for a retry
 */
export async function approvedCall(
  desk: Desk,
  tools: ReadonlyMap<string, RunTool>,
  make: (call: Call, tool: RunTool, approvalId: string) => Promise<string>,
): Promise<string | undefined> {
  const paused = await pausedBefore(desk.work, 'tool')
  const { id, tool_call } = paused?.approval ?? {}
  if (!paused || id === undefined || !tool_call) return undefined
  const tool = tools.get(tool_call.tool)
  if (!tool) {
    const message = `The tool "${tool_call.tool}", of which a call was approved, is not there.`
    throw new RunFailure('tool_unavailable', message)
  }
  const call = { tool: tool_call.tool, input: tool_call.arguments }
  const isFirst = await isTaken(desk, paused.approval)
  const result = isFirst ? await make(call, tool, id) : await answerBefore(desk, paused.approval)
  return [
    `A person has approved this call of "${call.tool}", and it has been made: do not make it again. Go on from there.`,
    desk.fence.around('its arguments', shortened(JSON.stringify(call.input), resultAtMost)),
    desk.fence.around('its answer', shortened(result, resultAtMost)),
  ].join('\n\n')
}

/** Whether this run is the one that makes the call: no other attempt has begun to. */
async function isTaken({ work: { ports, run } }: Desk, { id }: StoredApproval): Promise<boolean> {
  const made = { run_id: run.id, at: timestamp(ports.clock.now()) }
  const free = { id, follow_up_run_id: run.id, made: { $exists: false } } as const
  return (await ports.store.approvals.update(free, { $set: { made } })) !== undefined
}

/** What an attempt was answered that lost its worker afterwards, or failed. */
async function answerBefore({ work }: Desk, { id }: StoredApproval): Promise<string> {
  const { store } = work.ports
  const run_id = (await store.approvals.get(id))?.made?.run_id ?? work.run.id
  const events = await store.run_events.find(
    { run_id, type: 'tool.answered' },
    { sort: { seq: 1 }, limit: 1000 },
  )
  const result = events.find(({ data }) => data['approval_id'] === id)?.data['result']
  return typeof result === 'string'
    ? result
    : 'It is not known what it was answered: the run was interrupted meanwhile.'
}
