import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'
import { ownRuns } from '#src/runs/access.ts'
import { Run, runStatuses } from '#src/runs/run.ts'

export const list = operation({
  name: 'runs.list',
  summary: 'List runs, newest first.',
  description: 'root_run_id lists a run with every run that it started.',
  example: { char_id: 'ada', status: 'completed', limit: 20 },
  auth: 'key',
  scope: 'agent',
  http: {
    method: 'GET',
    path: '/api/runs',
    also: ['/api/characters/{char_id}/runs', '/api/characters/{char_id}/tasks/{task_id}/runs'],
  },
  toolsets: ['core', 'runs'],
  proposes: { member: 'run_id', from: 'id', narrowedBy: 'char_id', limit: 100 },
  input: z.strictObject({
    ...pageInput,
    char_id: z.string().max(128).optional(),
    task_id: z.string().max(128).optional(),
    status: z.enum(runStatuses).optional(),
    root_run_id: z.string().max(128).optional(),
  }),
  output: pageOf(Run),
  refuses: ['character_not_found', 'forbidden', 'cursor_invalid'],

  async run({ limit, cursor, ...narrow }, context) {
    if (narrow.char_id !== undefined) await ownRow(context, narrow.char_id)
    const list = `runs ${context.caller.accountId} ${JSON.stringify(Object.entries(narrow))}`
    const filter = { ...ownRuns(context), ...narrow }
    const order = { list, by: 'id', direction: -1 } as const
    const { rows, next } = await readPage(context.store.runs, filter, { limit, cursor }, order)
    return pageAnswer(
      rows.map((row) => row.text),
      next,
    )
  },
})
