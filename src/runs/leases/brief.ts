import * as z from 'zod'
import { lackOfBuiltin } from '#src/agents/tasks/tool.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Context } from '#src/core/context.ts'
import { newFence, type Fence } from '#src/core/text/fence.ts'
import { marks, marksOf } from '#src/core/text/untrusted.ts'
import { recalled, type Recalled } from '#src/knowledge/recall.ts'
import { heldAtGate } from '../approvals/gate.ts'
import { briefedTools, systemPrompt } from '../brain-prompt.ts'
import { conversationText } from '../chat/history.ts'
import { leaseEnd } from '../claim.ts'
import type { Outcome } from '../ended.ts'
import type { Parking } from '../ending/park.ts'
import { noteDegraded, unequipped, type MissingTool } from '../degraded.ts'
import { scrubOf } from '../ending/scrub.ts'
import { RunFailure } from '../failure.ts'
import { saidEvent } from '../output/said.ts'
import type { Write } from '#src/ports/store.ts'
import { subjectOfRun } from '../generation/leased.ts'
import { leasedWording } from '../generation/texts.ts'
import { subjectsOf } from '../lease.ts'
import { publicRun } from '../new-run.ts'
import { Run, type StoredRun } from '../run.ts'
import { handedSchema, schemaWords } from '../output/handed-schema.ts'
import { tainted } from '../output/taint.ts'
import { leasedStep } from './step.ts'
import { render, variablesOf } from '../template.ts'

export const Lease = z
  .object({
    run: Run.nullable(),
    reason: z.string().nullable().describe('Why there is no run.'),
    lease_token: z.string().nullable(),
    expires_at: z.string().nullable(),
    system_prompt: z.string().nullable(),
    prompt: z.string().nullable(),
    tools: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        url: z.string().nullable(),
        required: z.boolean().optional().describe('If it is not there, end with <runs.fail>.'),
      }),
    ),
    output_schema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('JSON Schema that the output is held to.'),
    input_schema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('JSON Schema of the output that was handed on as the input.'),
    knowledge: z.array(z.object({ title: z.string(), text: z.string(), ...marks })),
    traceparent: z
      .string()
      .optional()
      .describe('The trace that the work is part of; send it with what the work calls.'),
  })
  .meta({ id: 'Lease' })
/** A run that an agent holds, with who to be and what to do; without a run, the reason. */
export type Lease = z.infer<typeof Lease>

/** A lease of nothing. */
export const noLease: Lease = {
  run: null,
  reason: 'none_waiting',
  lease_token: null,
  expires_at: null,
  system_prompt: null,
  prompt: null,
  tools: [],
  knowledge: [],
}

/**
 * What the brain is told of a claimed run; or, where it cannot be done now, how it ends or what it is
 * parked for. Nothing is written but the tools that the run does without.
 */
export async function briefOf(
  context: Context<'key'>,
  run: StoredRun,
  token: string,
): Promise<{ lease: Lease; said?: Write[] } | { settle: Parking | Outcome }> {
  const { character, task } = await subjectsOf(context, run)
  const subject = subjectOfRun(run)
  if (character && subject) {
    const { system, prompt } = leasedWording(character, subject)
    return { lease: { ...(await leaseOf(context, run, token)), system_prompt: system, prompt } }
  }
  if (!character || !task) {
    const reason = character ? 'task_deleted' : 'character_deleted'
    return { settle: { status: 'cancelled', error: null, reason } }
  }
  const held = await heldAtGate(context, run, task)
  if (held) return { settle: held }
  try {
    const missing = missingOf(task, context.settings.hasCommons)
    const unfit = unequipped(missing)
    if (unfit) throw unfit
    const fence = newFence()
    const prompt = render(task.prompt, run.input, variablesOf(task, run), {
      fence: run.untrusted ? fence : undefined,
    })
    const handed = await handedSchema(context.store, run)
    await noteDegraded(
      context,
      run,
      missing.map(({ name }) => name),
    )
    const pieces = await recalled(context, run, run.input, prompt)
    const told = await toldOf(context, {
      run,
      token,
      fence,
      pieces,
      prompt: withSchema(prompt, task),
    })
    const system = systemPrompt(character)
    const lease: Lease = {
      ...told,
      system_prompt: fence.isUsed ? `${system}\n\n${fence.rule}` : system,
      tools: briefedTools(character, task),
      ...(task.output_schema && { output_schema: task.output_schema }),
      ...(handed && { input_schema: handed }),
    }
    return { lease, said: [await saidOf(context, run, task, lease, pieces)] }
  } catch (cause) {
    if (!(cause instanceof RunFailure)) throw cause
    const error = { code: cause.code, message: cause.message }
    return { settle: { status: cause.status, error } }
  }
}

interface Asked {
  run: StoredRun
  token: string
  fence: Fence
  pieces: readonly Recalled[]
  prompt: string
}

/** The lease with what its holder is told besides who to be: the prompt, what was said before, what is known. */
async function toldOf(context: Context<'key'>, asked: Asked): Promise<Lease> {
  const { run, token, fence, pieces, prompt } = asked
  const conversation = await conversationText(context.store, run, fence)
  const source = pieces.find(({ untrusted }) => untrusted)?.source ?? conversation?.source
  const whole = conversation === undefined ? prompt : `${conversation.text}\n\n${prompt}`
  const lease = await leaseOf(context, tainted(run, source), token)
  const knowledge = pieces.map(({ title, text, ...rest }) => ({ title, text, ...marksOf(rest) }))
  return { ...lease, prompt: whole, knowledge }
}

function withSchema(prompt: string, task: StoredTask): string {
  return task.output_schema ? `${prompt}\n\n${schemaWords(task.output_schema)}` : prompt
}

/** The write of what the brain is given, for those who look at the run later. */
async function saidOf(
  context: Context<'key'>,
  run: StoredRun,
  task: StoredTask,
  { system_prompt, prompt, tools }: Lease,
  pieces: readonly Recalled[],
): Promise<Write> {
  const said = {
    system_prompt: system_prompt ?? '',
    prompt: prompt ?? '',
    knowledge: pieces.map(({ id }) => id),
    tools: tools.map(({ name }) => name),
  }
  const scrub = await scrubOf(context, task)
  return { in: 'run_events', insert: await saidEvent(context, run, 'lease.given', said, scrub) }
}

/** The tools of a task that this server is to bring and does not; others are the brain's to reach. */
function missingOf({ tools }: StoredTask, hasCommons: boolean): MissingTool[] {
  return tools
    .filter((tool) => tool.enabled && tool.type === 'builtin' && lackOfBuiltin(tool, hasCommons))
    .map(({ name, required }) => ({ name, required: required === true }))
}

/** A lease before its prompts are added. */
async function leaseOf(context: Context<'key'>, run: StoredRun, token: string): Promise<Lease> {
  const expires_at = run.claim ? await leaseEnd(context, run.claim) : null
  const traceparent = leasedStep(context, run)
  return {
    ...noLease,
    run: publicRun(run),
    reason: null,
    lease_token: token,
    expires_at,
    ...(traceparent !== undefined && { traceparent }),
  }
}
