import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { outputOf } from '#src/runs/generation/leased.ts'
import { endHeld, HandedIn, leaseNextInput, slimHandedIn } from '#src/runs/leases/end-held.ts'
import { artifactBytesAtMost, artifactsAtMost, isSmall } from '#src/runs/output/artifacts.ts'
import { RunArtifact } from '#src/runs/run.ts'

export const complete = operation({
  name: 'runs.complete',
  summary: 'End a leased run with its output, which is then shared as its task says.',
  use: 'Next: runs_lease again.',
  example: {
    run_id: 'run_01a1fe241d3975cf83926a5fa84be463',
    lease_token: 'lse_00000000000000000000000000000000000000',
    output: 'Three findings: …',
    lease_next: true,
  },
  first: 'runs.lease',
  auth: 'key',
  scope: 'agent',
  oauthScope: 'run',
  http: { method: 'POST', path: '/api/runs/{run_id}/complete' },
  toolsets: ['core', 'runs'],
  role: 'complete_run',
  input: z.strictObject({
    run_id: z.string().max(128),
    lease_token: z.string().max(200),
    output: z.json().describe('Text, or any JSON.'),
    artifacts: z
      .array(
        RunArtifact.refine(isSmall, {
          error: `must have at most ${artifactBytesAtMost} bytes of content`,
          params: { code: 'too_big' },
        }),
      )
      .max(artifactsAtMost)
      .optional(),
    lease_next: leaseNextInput,
  }),
  output: HandedIn,
  slim: slimHandedIn,
  instructs: ['system_prompt', 'prompt'],
  refuses: [
    'run_not_found',
    'forbidden',
    'run_ended',
    'lease_lost',
    'output_invalid',
    'write_conflict',
  ],
  // With lease_next it gives a lease token.
  secret: true,

  run({ output, artifacts, ...sent }, context) {
    return endHeld(context, sent, (held) => ({
      status: 'completed',
      output: outputOf(held, output),
      ...(artifacts && { artifacts }),
    }))
  },
})
