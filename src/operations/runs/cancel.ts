import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { publicRun } from '#src/runs/new-run.ts'
import { ownRun, runEnded } from '#src/runs/access.ts'
import { announce, endingOf } from '#src/runs/ending/end-run.ts'
import { hasEnded, Run } from '#src/runs/run.ts'

export const cancel = operation({
  name: 'runs.cancel',
  summary: 'Cancel a run that has not ended; a worker that holds its lease loses it.',
  use: 'Stop what is no longer wanted.',
  example: { run_id: 'run_01a1fe241d3975cf83926a5fa84be463', reason: 'No longer needed' },
  auth: 'key',
  scope: 'agent',
  oauthScope: 'run',
  http: { method: 'POST', path: '/api/runs/{run_id}/cancel' },
  toolsets: ['core', 'runs'],
  role: 'cancel_run',
  repeatable: true,
  input: z.strictObject({
    run_id: z.string().max(128),
    reason: z.string().max(500).optional(),
  }),
  output: Run,
  refuses: ['run_not_found', 'forbidden', 'run_ended', 'write_conflict'],
  destructive: true,

  run({ run_id, reason = 'cancelled' }, context) {
    return retryUnmet(async () => {
      const run = await ownRun(context, run_id)
      if (hasEnded(run)) return runEnded(run)
      const outcome = { status: 'cancelled', error: null, reason } as const
      const ending = await endingOf(context, run, outcome, context.clock.now())
      const answer = await context.commit(publicRun(ending.run), ending.writes)
      await announce(context, ending)
      return answer
    })
  },
})
