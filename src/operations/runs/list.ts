import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { ownTaskRow, someTask } from '#src/agents/tasks/access.ts'
import { ownApp } from '#src/apps/access.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { unknownFilters, type LookUp } from '#src/core/words/empty-list.ts'
import { pageAnswer, pageInput, warnedPageOf } from '#src/core/page.ts'
import { ownRunRow, ownRuns } from '#src/runs/access.ts'
import { narrowed, narrowingInput, runPage, type Narrowing } from '#src/runs/listed.ts'
import { awaitChain, Chain, chainOf, standOf, type Members } from '#src/runs/chain.ts'
import { Run, slimRun } from '#src/runs/run.ts'

export const list = operation({
  name: 'runs.list',
  summary: 'List runs, newest first.',
  description:
    'root_run_id lists a run with every run that it started; with wait_seconds, once none of ' +
    'them goes on by itself, and chain.next says what to call.',
  use: 'With root_run_id and wait_seconds: waits for a whole chain.',
  example: { char_id: 'ada', status: ['failed', 'timed_out'], limit: 20 },
  auth: 'key',
  scope: 'agent',
  http: {
    method: 'GET',
    path: '/api/runs',
    also: ['/api/characters/{char_id}/runs', '/api/characters/{char_id}/tasks/{task_id}/runs'],
  },
  toolsets: ['core', 'runs'],
  view: 'run',
  role: 'list_runs',
  proposes: { member: 'run_id', from: 'id', narrowedBy: 'char_id', limit: 100 },
  input: z.strictObject({
    ...pageInput,
    ...narrowingInput,
    wait_seconds: z.int().min(0).max(60).optional().describe('With root_run_id.'),
  }),
  output: warnedPageOf(Run).extend({ chain: Chain.optional() }),
  slim: slimRun,
  says: ['chain'],
  refuses: ['character_not_found', 'run_not_found', 'forbidden', 'cursor_invalid'],

  async run({ limit, cursor, wait_seconds, ...sent }, context) {
    if (sent.char_id !== undefined) await ownRow(context, sent.char_id)
    const chain = wait_seconds === undefined ? undefined : await waited(context, sent, wait_seconds)
    const narrow = { ...sent, ...(chain && { root_run_id: chain.root_run_id }) }
    const list = `runs ${context.caller.accountId} ${JSON.stringify(Object.entries(narrow))}`
    const among = narrowed(ownRuns(context), narrow)
    const page = { limit, cursor }
    const { rows, next } = await runPage(context.store, among, narrow.status, page, list)
    const texts = rows.map((row) => row.text)
    const unknown = await unknownFilters({ rows, cursor }, namedIn(context, narrow))
    const more = { ...(chain && { chain: await standOf(context, chain) }), ...unknown }
    return pageAnswer(texts, next, chain || unknown ? more : undefined)
  },
})

function namedIn(
  context: Context<'key'>,
  { char_id, task_id, app_id, root_run_id }: Narrowing,
): Record<string, LookUp | undefined> {
  const task = (id: string) => () =>
    char_id === undefined ? someTask(context, id) : ownTaskRow(context, char_id, id)
  return {
    task_id: task_id === undefined ? undefined : task(task_id),
    app_id: app_id === undefined ? undefined : () => ownApp(context, app_id),
    root_run_id: root_run_id === undefined ? undefined : () => ownRunRow(context, root_run_id),
  }
}

/** The chain of the named run, once no run of it goes on by itself, or the time is up. */
async function waited(
  context: Context<'key'>,
  { root_run_id }: { root_run_id?: string | undefined },
  seconds: number,
): Promise<Members> {
  if (root_run_id === undefined) {
    const message = 'wait_seconds waits for the runs of one chain, which root_run_id names.'
    const errors = [{ pointer: '/root_run_id', message, code: 'required' }]
    return refuse('invalid_input', message, { errors })
  }
  const chain = await chainOf(context, root_run_id)
  if (seconds > 0) await awaitChain(context, chain, seconds)
  return chain
}
