import * as z from 'zod'
import { approvalParking } from '#src/runs/approvals/open.ts'
import type { ToolCall } from '#src/ports/model.ts'
import { Parking } from '#src/runs/ending/park.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { Source } from '#src/core/text/untrusted.ts'
import { taint } from '#src/runs/output/taint.ts'
import type { Work } from '../runtime.ts'
import type { Desk } from './desk.ts'
import { shortened } from '#src/core/text/fence.ts'
import { pausedBefore } from './paused-before.ts'
import { ownTool, type RunTool } from './tool.ts'

const questionAtMost = 4000
const stepsRemembered = 40
const stepAtMost = 500

const Question = z.strictObject({
  question: z
    .string()
    .min(1)
    .max(questionAtMost)
    .describe('What you want to do, and why, for someone who knows nothing about this run.'),
})

/** The tool by which a run asks to go on. Its call ends the conversation, so it is never called itself. */
export const approvalTool: RunTool = ownTool(
  'request_approval',
  'Asks for an approval before something that should not be done without one. The run pauses; ' +
    'where it is given, a new run of this task goes on and is told so.',
  Question,
  () => Promise.resolve(''),
)

/** What a call of the tool asks; undefined where its arguments do not fit. */
export function questionOf({ name, input }: ToolCall): string | undefined {
  if (name !== approvalTool.offer.name) return undefined
  return Question.safeParse(input).data?.question
}

/**
 * Pauses the run until its question is decided: by the approvers of the task's gate where it names
 * some, else by the owning agent. @throws RunFailure `approval_unreachable`
 */
export async function asked(
  { work, scrub }: Desk,
  question: string,
  usage: StoredRun['usage'],
): Promise<Parking> {
  const { ports, run, task } = work
  const gate = task.approval_gate
  const terms = {
    kind: 'request',
    prompt: scrub(question).toWellFormed(),
    approvers: gate?.approvers ?? [],
    needed: gate?.min_approvals ?? 1,
    requirePerson: gate?.require_person === true,
    allowEdit: gate?.allow_edit === true,
    timeoutSeconds: gate?.timeout_seconds ?? null,
    fallbackAgentId: null,
    onReject: gate?.on_reject ?? 'abandon',
  } as const
  const { parked, writes } = await approvalParking(ports, run, task, terms, ports.clock.now())
  return new Parking({ ...parked, usage }, writes)
}

/**
 * What a run that goes on after an approval of its own question is told: what was asked, that it
 * was approved, and what had been done. Undefined where it follows none.
 */
export async function resumption(desk: Desk): Promise<string | undefined> {
  const held = await pausedBefore(desk.work, 'tool')
  if (held) return doneWords(desk, await doneBefore(desk.work, held.run))
  const paused = await pausedBefore(desk.work, 'request')
  if (!paused) return undefined
  const { approval, run } = paused
  const reasons = approval.votes.flatMap(({ reason }) => (reason ? [reason] : []))
  const done = await doneBefore(desk.work, run)
  return [
    'An earlier run of this task paused to ask for an approval, and it was given. Go on from there: ' +
      'do what was approved, and do not ask for the same again.',
    desk.fence.around('what was asked, and is approved', approval.prompt),
    approval.edited_input === undefined
      ? ''
      : 'As it was approved the input was changed: where the question says otherwise, the input holds.',
    reasons.length > 0 ? desk.fence.around('what the approvers said', reasons.join('\n')) : '',
    doneWords(desk, done),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function doneWords({ fence }: Desk, done: readonly string[]): string {
  return done.length > 0 ? fence.around('what the earlier run had done', done.join('\n')) : ''
}

/** The tools that a run has called, with their results, from its events. */
async function doneBefore({ ports, run }: Work, paused: StoredRun): Promise<string[]> {
  const events = await ports.store.run_events.find(
    { run_id: paused.id, type: { $in: ['tool.called', 'tool.answered'] } },
    { sort: { seq: 1 }, limit: stepsRemembered },
  )
  return events.map(({ type, data }) => {
    const { tool, arguments: sent, result, source } = data
    // Who approved the question has not read what the tools had answered.
    taint(run, Source.safeParse(source).data)
    const said = type === 'tool.called' ? `called with ${text(sent)}` : `answered ${text(result)}`
    return `${text(tool)} ${said}`
  })
}

function text(value: unknown): string {
  return shortened(typeof value === 'string' ? value : JSON.stringify(value ?? null), stepAtMost)
}
