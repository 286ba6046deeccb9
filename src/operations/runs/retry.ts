import * as z from 'zod'
import { recordUpTo } from '#src/core/input/record.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { textsAtMost } from '#src/core/schema-parts.ts'
import { ownRun } from '#src/runs/access.ts'
import { publicRun } from '#src/runs/new-run.ts'
import { withNext } from '#src/runs/next.ts'
import { retryOf } from '#src/runs/retries/retry.ts'
import { Run } from '#src/runs/run.ts'

export const retry = operation({
  name: 'runs.retry',
  summary: 'Run again what an ended run did, as a new run that names it in retry_of.',
  description:
    'Any ended run, a completed one too; it stays as it is, and may be deleted afterwards. The ' +
    'new run begins a chain of its own, with the same input and variables unless others are ' +
    'sent, also where the task is disabled or paused. A run that failed after its approval keeps ' +
    'that approval if nothing has changed; any other one asks again. An order is neither paid ' +
    'nor delivered again. While its last retry has not ended, a run is not retried again.',
  example: { run_id: 'run_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'key',
  scope: 'agent',
  oauthScope: 'run',
  http: { method: 'POST', path: '/api/runs/{run_id}/retry', status: 202 },
  toolsets: ['runs'],
  input: z.strictObject({
    run_id: z.string().max(128),
    input: z.json().optional().describe('In place of its input.'),
    variables: recordUpTo(textsAtMost, z.string()).optional().describe('In place of its own.'),
  }),
  output: Run,
  says: ['next'],
  refuses: ['run_not_found', 'forbidden', 'run_under_way', 'task_not_found', 'write_conflict'],

  run({ run_id, input, variables }, context) {
    let isAdmitted = false
    return retryUnmet(async () => {
      const old = await ownRun(context, run_id)
      const { run, writes } = await retryOf(context, old, { input, variables }, context.clock.now())
      // The one that counts for the day by being asked comes last, and is asked once.
      if (!isAdmitted) {
        await context.quotas.admit('queued_runs', context.caller)
        await context.quotas.admit('runs_a_day', context.caller)
      }
      isAdmitted = true
      return context.commit(withNext(publicRun(run)), writes, { pending: true })
    })
  },
})
