import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { call } from '#src/core/words/reference.ts'
import { ownRun, unknownRun } from '#src/runs/access.ts'
import { countedBytes } from '#src/runs/retention/bytes.ts'
import { isNeeded, removeRuns } from '#src/runs/retention/remove.ts'
import { hasEnded } from '#src/runs/run.ts'

// `delete` is a reserved word.
export const remove = operation({
  name: 'runs.delete',
  summary: 'Delete an ended run, and free the storage that it used.',
  description:
    'Its input, output, artifacts and events are deleted, its approval, and the A2A task that it ' +
    'answered. The runs that it started stay; while one of them has not ended, the first run of ' +
    'the chain stays too.',
  example: { run_id: 'run_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'key',
  http: { method: 'DELETE', path: '/api/runs/{run_id}' },
  toolsets: ['runs'],
  input: z.strictObject({ run_id: z.string().max(128) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['run_not_found', 'forbidden', 'run_under_way'],
  destructive: true,

  async run({ run_id }, context) {
    const run = await ownRun(context, run_id)
    if (!hasEnded(run)) {
      return refuse('run_under_way', `The run is ${run.status}.`, {
        hint: `Cancel it first (${call('runs.cancel', { run_id: run.id })}), or wait for its end.`,
      })
    }
    const leaving = { ...run, bytes: countedBytes(run) }
    if (await isNeeded(context.store, leaving)) {
      return refuse('run_under_way', 'A run that it started has not ended.', {
        hint: `${call('runs.list', { root_run_id: run.id })} shows them: cancel them, or wait for their end.`,
      })
    }
    const [id] = await removeRuns(context, [leaving])
    if (id === undefined) return unknownRun(context, run_id)
    return { id, deleted: true as const }
  },
})
