import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { attemptsAtMost, attemptsUsed } from '#src/runs/claim.ts'
import { endHeld, HandedIn, leaseNextInput } from '#src/runs/leases/end-held.ts'

export const fail = operation({
  name: 'runs.fail',
  summary: 'Give up a leased run: it fails, or with transient another worker tries it again.',
  description: `After ${attemptsAtMost} attempts it fails in any case.`,
  use: 'When you cannot do it.',
  example: {
    run_id: 'run_01a1fe241d3975cf83926a5fa84be463',
    lease_token: 'lse_00000000000000000000000000000000000000',
    error: { code: 'source_unreachable', message: 'The source did not answer.' },
  },
  first: 'runs.lease',
  auth: 'key',
  scope: 'agent',
  oauthScope: 'run',
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
    lease_next: leaseNextInput,
  }),
  output: HandedIn,
  instructs: ['system_prompt', 'prompt'],
  refuses: ['run_not_found', 'forbidden', 'run_ended', 'lease_lost', 'write_conflict'],
  // With lease_next it gives a lease token.
  secret: true,

  run({ error, transient, ...sent }, context) {
    return endHeld(context, sent, (run) =>
      transient && attemptsUsed(run) < attemptsAtMost ? 'again' : { status: 'failed', error },
    )
  },
})
