import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { outputOf } from '#src/runs/generation/leased.ts'
import { artifactBytesAtMost, artifactsAtMost, isSmall } from '#src/runs/output/artifacts.ts'
import { endInTurn } from '#src/runs/output/remember.ts'
import { taskOf } from '#src/agents/tasks/of-run.ts'
import { publicRun } from '#src/runs/new-run.ts'
import { heldRun } from '#src/runs/lease.ts'
import { announce, endingOf } from '#src/runs/ending/end-run.ts'
import { Run, RunArtifact } from '#src/runs/run.ts'

export const complete = operation({
  name: 'runs.complete',
  summary: 'End a leased run with its output, which is then shared as its task says.',
  example: {
    run_id: 'run_01a1fe241d3975cf83926a5fa84be463',
    lease_token: 'lse_00000000000000000000000000000000000000',
    output: 'Three findings: …',
  },
  auth: 'key',
  scope: 'agent',
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
  }),
  output: Run,
  refuses: ['run_not_found', 'forbidden', 'run_ended', 'lease_lost', 'write_conflict'],

  run({ run_id, lease_token, output, artifacts }, context) {
    // A caller that loses the lease in between is refused when the lease is checked again.
    return retryUnmet(async () => {
      const held = await heldRun(context, run_id, lease_token)
      const brought = outputOf(held, output)
      const outcome = {
        status: 'completed',
        output: brought,
        ...(artifacts && { artifacts }),
      } as const
      const task = await taskOf(context.store, held)
      const { ending, answer } = await endInTurn(task, async () => {
        const made = await endingOf(context, held, outcome, context.clock.now(), task)
        return { ending: made, answer: await context.commit(publicRun(made.run), made.writes) }
      })
      await announce(context, ending)
      return answer
    })
  },
})
