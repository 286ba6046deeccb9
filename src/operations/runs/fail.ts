import * as z from 'zod'
import { pushesOf } from '#src/runs/chat/push/changes.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { publicRun } from '#src/runs/new-run.ts'
import { attemptsAtMost, requeued } from '#src/runs/claim.ts'
import { heldRun } from '#src/runs/lease.ts'
import { announce, endingOf } from '#src/runs/ending/end-run.ts'
import { Run } from '#src/runs/run.ts'

export const fail = operation({
  name: 'runs.fail',
  summary: 'Give up a leased run: it fails, or with transient another worker tries it again.',
  description: `After ${attemptsAtMost} attempts it fails in any case.`,
  example: {
    run_id: 'run_01a1fe241d3975cf83926a5fa84be463',
    lease_token: 'lse_00000000000000000000000000000000000000',
    error: { code: 'source_unreachable', message: 'The source did not answer.' },
  },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/runs/{run_id}/fail' },
  toolsets: ['core', 'runs'],
  input: z.strictObject({
    run_id: z.string().max(128),
    lease_token: z.string().max(200),
    error: z.strictObject({
      code: z.string().min(1).max(100).default('failed'),
      message: z.string().min(1).max(2000),
    }),
    transient: z.boolean().default(false).describe('Trying again may help.'),
  }),
  output: Run,
  refuses: ['run_not_found', 'forbidden', 'run_ended', 'lease_lost', 'write_conflict'],

  run({ run_id, lease_token, error, transient }, context) {
    const { clock, commit } = context
    // A caller that loses the lease in between is refused when the lease is checked again.
    return retryUnmet(async () => {
      const held = await heldRun(context, run_id, lease_token)
      if (transient && held.attempt < attemptsAtMost) {
        const { run, write } = requeued(held)
        const pushes = await pushesOf(context, run, clock.now(), { ifTold: true })
        return commit(publicRun(run), [write, ...pushes])
      }
      const ending = await endingOf(context, held, { status: 'failed', error }, clock.now())
      const answer = await commit(publicRun(ending.run), ending.writes)
      await announce(context, ending)
      return answer
    })
  },
})
