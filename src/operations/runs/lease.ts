import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { ownTaskRow } from '#src/agents/tasks/access.ts'
import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { operation } from '#src/core/operation.ts'
import { tellBeginning } from '#src/runs/ending/run-events.ts'
import { Lease } from '#src/runs/leases/brief.ts'
import { giveBack, takeNext, type Taken } from '#src/runs/leases/take.ts'
import { brainQueue } from '#src/runs/queue.ts'

export const lease = operation({
  name: 'runs.lease',
  summary: 'Take a run that waits for a brain, and be that brain.',
  description:
    'Do what prompt asks as system_prompt describes, then call runs.complete with the ' +
    'lease_token; runs.heartbeat keeps the lease while you work, runs.fail gives up. run is null ' +
    'when none waits.',
  use: 'To do the waiting work of an agent as its worker: follow system_prompt and prompt, then runs_complete.',
  aliases: ['lease task'],
  example: { char_id: 'ada', wait_seconds: 30 },
  auth: 'key',
  scope: 'agent',
  oauthScope: 'run',
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
  instructs: ['system_prompt', 'prompt'],
  refuses: ['character_not_found', 'forbidden', 'task_not_found'],
  // The holder of the lease token can end the run.
  secret: true,

  async run({ char_id, task_id, wait_seconds, lease_seconds }, context) {
    if (char_id !== undefined) await ownRow(context, char_id)
    const wanted = {
      ...(char_id !== undefined && { char_id }),
      ...(task_id !== undefined && { task_id }),
    }
    let isTaskThere = false
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
        const found = await takeNext(context, wanted, lease_seconds)
        if (found.held) return await handOver(context, found)
        // Of a task that is not there no run will ever wait.
        if (!isTaskThere && found.lease.reason === 'none_waiting') {
          const charId = char_id ?? context.caller.charId
          if (charId !== undefined && task_id !== undefined) {
            await ownTaskRow(context, charId, task_id)
          }
          isTaskThere = true
        }
        if (left === 0 || context.signal?.aborted) return found.lease
        context.progress?.(`No run is available yet (${found.lease.reason})`)
        await told
      } finally {
        enough.abort(true)
      }
    }
  },
})

/**
 * Records the answer for the call's idempotency key; if it loses to the same call, the run is returned
 * to the queue.
 */
async function handOver(
  context: Context<'key'>,
  { lease, held, said = [] }: Taken,
): Promise<Answer<Lease>> {
  try {
    if (held) await tellBeginning(context, held)
    const answer = await context.commit(lease, said)
    if (held) context.waiting.tell(held.id)
    return answer
  } catch (cause) {
    if (held) await giveBack(context, held, cause)
    throw cause
  }
}
