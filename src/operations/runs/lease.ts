import * as z from 'zod'
import { heldAtGate } from '#src/runs/approvals/gate.ts'
import { ownRow } from '#src/agents/access.ts'
import { withConversation } from '#src/runs/chat/history.ts'
import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { operation } from '#src/core/operation.ts'
import { tellBeginning } from '#src/runs/ending/run-events.ts'
import { subjectOfRun } from '#src/runs/generation/leased.ts'
import { leasedWording } from '#src/runs/generation/texts.ts'
import { publicRun } from '#src/runs/new-run.ts'
import { ownRuns } from '#src/runs/access.ts'
import { briefedTools, systemPrompt } from '#src/runs/brain-prompt.ts'
import { handBack, leaseEnd, leaseNext, waitingForBrain } from '#src/runs/claim.ts'
import { hasRoom } from '#src/runs/concurrency.ts'
import { RunFailure } from '#src/runs/failure.ts'
import { subjectsOf } from '#src/runs/lease.ts'
import { recalled } from '#src/knowledge/recall.ts'
import type { Outcome } from '#src/runs/ended.ts'
import { brainQueue } from '#src/runs/queue.ts'
import { end } from '#src/runs/ending/end-run.ts'
import { park, Parking } from '#src/runs/ending/park.ts'
import { Run, type StoredRun } from '#src/runs/run.ts'
import { render, variablesOf } from '#src/runs/template.ts'

const Lease = z.object({
  run: Run.nullable(),
  reason: z.string().nullable().describe('Why there is no run.'),
  lease_token: z.string().nullable(),
  expires_at: z.string().nullable(),
  system_prompt: z.string().nullable(),
  prompt: z.string().nullable(),
  tools: z.array(z.object({ name: z.string(), type: z.string(), url: z.string().nullable() })),
  knowledge: z.array(z.object({ title: z.string(), text: z.string() })),
})
type Lease = z.infer<typeof Lease>

const none: Lease = {
  run: null,
  reason: 'none_waiting',
  lease_token: null,
  expires_at: null,
  system_prompt: null,
  prompt: null,
  tools: [],
  knowledge: [],
}

/** A lease before its prompts are added. */
async function leaseOf(context: Context<'key'>, run: StoredRun, token: string): Promise<Lease> {
  const expires_at = run.claim ? await leaseEnd(context, run.claim) : null
  return { ...none, run: publicRun(run), reason: null, lease_token: token, expires_at }
}

export const lease = operation({
  name: 'runs.lease',
  summary: 'Take a run that waits for a brain, and be that brain.',
  description:
    'Do what prompt asks as system_prompt describes, then call runs.complete with the ' +
    'lease_token; runs.heartbeat keeps the lease while you work, runs.fail gives up. run is null ' +
    'when none waits.',
  example: { char_id: 'ada', wait_seconds: 30 },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/runs/lease' },
  toolsets: ['core', 'runs'],
  role: 'lease_run',
  input: z.strictObject({
    char_id: z.string().max(128).optional(),
    task_id: z.string().max(128).optional(),
    wait_seconds: z.int().min(0).max(60).default(0).describe('Wait this long for a run.'),
    lease_seconds: z.int().min(30).max(3600).default(600),
  }),
  output: Lease,
  refuses: ['character_not_found', 'forbidden'],
  // The holder of the lease token can end the run.
  secret: true,

  async run({ char_id, task_id, wait_seconds, lease_seconds }, context) {
    if (char_id !== undefined) await ownRow(context, char_id)
    const among = {
      ...ownRuns(context),
      ...(char_id !== undefined && { char_id }),
      ...(task_id !== undefined && { task_id }),
    }
    const until = context.clock.monotonic() + wait_seconds * 1000
    for (;;) {
      const left = Math.max(0, until - context.clock.monotonic())
      const enough = new AbortController()
      const signal = context.signal
        ? AbortSignal.any([context.signal, enough.signal])
        : enough.signal
      // Registered before reading, so that a run that arrives in between is not missed.
      const told = context.waiting.until(brainQueue(context.caller.accountId), left, signal)
      try {
        const found = await next(context, among, lease_seconds)
        if (found.held) return await handOver(context, found)
        if (left === 0 || context.signal?.aborted) return found.lease
        context.progress?.(`No run is available yet (${found.lease.reason})`)
        await told
      } finally {
        enough.abort(true)
      }
    }
  },
})

interface Found {
  lease: Lease
  /** The run that was claimed, if there is one. */
  held?: StoredRun
}

async function next(
  context: Context<'key'>,
  among: ReturnType<typeof ownRuns>,
  leaseSeconds: number,
): Promise<Found> {
  for (;;) {
    // Checked before the lock is taken: most checks find nothing.
    const waiting = { ...among, status: 'queued', waits_for: 'brain' } as const
    const oldest = { sort: { due_at: 1 }, limit: 1 } as const
    if ((await context.store.runs.text(waiting, oldest)).length === 0) return { lease: none }
    const leased = await leaseNext(context, among, leaseSeconds)
    if (!leased) return { lease: none }
    if (!(await hasRoom(context, leased.run))) {
      await handBack(context, leased.run, waitingForBrain(leased.run))
      return { lease: { ...none, reason: 'concurrency' } }
    }
    const lease = await brief(context, leased.run, leased.token)
    if (lease) return { lease, held: leased.run }
  }
}

/**
 * Records the answer for the call's idempotency key; if it loses to the same call, the run is returned
 * to the queue.
 */
async function handOver(context: Context<'key'>, { lease, held }: Found): Promise<Answer<Lease>> {
  try {
    if (held) await tellBeginning(context, held)
    const answer = await context.commit(lease, [])
    if (held) context.waiting.tell(held.id)
    return answer
  } catch (cause) {
    if (held) await handBack(context, held, waitingForBrain(held))
    throw cause
  }
}

/**
 * What the brain is told; a run that cannot be done, or waits for an approval first, is settled here.
 */
async function brief(
  context: Context<'key'>,
  run: StoredRun,
  token: string,
): Promise<Lease | undefined> {
  const { character, task } = await subjectsOf(context, run)
  const subject = subjectOfRun(run)
  if (character && subject) {
    const { system, prompt } = leasedWording(character, subject)
    return { ...(await leaseOf(context, run, token)), system_prompt: system, prompt }
  }
  if (!character || !task) {
    const reason = character ? 'task_deleted' : 'character_deleted'
    await end(context, run, { status: 'cancelled', error: null, reason })
    return undefined
  }
  const held = await heldAtGate(context, run, task)
  if (held) {
    await (held instanceof Parking ? park(context, run, held) : end(context, run, held, task))
    return undefined
  }
  try {
    const prompt = render(task.prompt, run.input, variablesOf(task, run))
    return {
      ...(await leaseOf(context, run, token)),
      system_prompt: systemPrompt(character),
      prompt: await withConversation(context.store, run, prompt),
      tools: briefedTools(character, task),
      knowledge: await recalled(context, run, run.input, prompt),
    }
  } catch (cause) {
    if (!(cause instanceof RunFailure)) throw cause
    const error = { code: cause.code, message: cause.message }
    const outcome: Outcome = { status: cause.status, error }
    await end(context, run, outcome)
    return undefined
  }
}
