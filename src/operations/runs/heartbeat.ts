import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { publicRun } from '#src/runs/new-run.ts'
import { extend, leaseEnd } from '#src/runs/claim.ts'
import { heldRun, leaseLost } from '#src/runs/lease.ts'
import { Run } from '#src/runs/run.ts'

export const heartbeat = operation({
  name: 'runs.heartbeat',
  summary: 'Extend the lease of a run while you work on it, by its full length.',
  description: 'A lease may be extended up to 24 hours in all.',
  use: 'When the work takes longer than expires_at.',
  example: {
    run_id: 'run_01a1fe241d3975cf83926a5fa84be463',
    lease_token: 'lse_00000000000000000000000000000000000000',
  },
  first: 'runs.lease',
  auth: 'key',
  scope: 'agent',
  oauthScope: 'run',
  http: { method: 'POST', path: '/api/runs/{run_id}/heartbeat' },
  toolsets: ['core', 'runs'],
  input: z.strictObject({ run_id: z.string().max(128), lease_token: z.string().max(200) }),
  output: Run.extend({ expires_at: z.string() }),
  refuses: ['run_not_found', 'forbidden', 'run_ended', 'lease_lost'],

  async run({ run_id, lease_token }, context) {
    const held = await heldRun(context, run_id, lease_token)
    const run = await extend(context, held, held.claim, held.claim.seconds ?? 600)
    if (!run?.claim) return leaseLost()
    return { ...publicRun(run), expires_at: await leaseEnd(context, run.claim) }
  },
})
