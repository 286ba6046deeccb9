import * as z from 'zod'
import { Answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'
import { ownRunRow } from '#src/runs/access.ts'
import { textWithNext } from '#src/runs/next.ts'
import { Run, slimRun } from '#src/runs/run.ts'

export const get = operation({
  name: 'runs.get',
  summary: 'Read one run: its state, output or error.',
  use: 'For the result of a run. It waits for a worker? runs_lease. For an approval? approvals_decide.',
  example: { run_id: 'run_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/runs/{run_id}' },
  toolsets: ['core', 'runs'],
  view: 'run',
  role: 'read_run',
  input: z.strictObject({ run_id: z.string().max(128) }),
  output: Run,
  says: ['next'],
  slim: slimRun,
  refuses: ['run_not_found', 'forbidden'],

  async run({ run_id }, context) {
    return new Answer(textWithNext((await ownRunRow(context, run_id)).text))
  },
})
