import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { Run } from '#src/runs/run.ts'
import { standingsOf } from '#src/runs/standings/standings.ts'

export const standings = operation({
  name: 'runs.standings',
  summary: 'Read the states of some runs, without their input and output.',
  example: { run_ids: ['run_01a1fe241d3975cf83926a5fa84be463'] },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/runs/standings' },
  toolsets: ['runs'],
  input: z.strictObject({ run_ids: z.array(z.string().max(128)).max(100) }),
  output: z.object({
    items: z.array(
      Run.pick({
        id: true,
        status: true,
        reason: true,
        error: true,
        approval_id: true,
        created_at: true,
        started_at: true,
        finished_at: true,
      }).extend({
        of: z.string().describe('The requested run, if this one continues it.'),
        bytes: z.int().describe('The approximate size of the whole run.'),
        asked_at: z.string().nullable(),
      }),
    ),
  }),
  refuses: [],
  internal: true,

  async run({ run_ids }, context) {
    const found = await standingsOf(context, run_ids)
    return { items: [...found].map(([of, standing]) => ({ of, ...standing })) }
  },
})
