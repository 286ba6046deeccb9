import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { answer } from '#src/core/answer.ts'
import { refuse } from '#src/core/errors.ts'
import { recordUpTo } from '#src/core/input/record.ts'
import { operation } from '#src/core/operation.ts'
import { pageInput } from '#src/core/page.ts'
import { textsAtMost } from '#src/core/schema-parts.ts'
import { ownRuns } from '#src/runs/access.ts'
import { narrowed, narrowingInput, statusesOf } from '#src/runs/listed.ts'
import { Portion, retryable, retryPortion } from '#src/runs/retries/retry-all.ts'
import { endedStatuses } from '#src/runs/run.ts'

const unless = ['failed', 'timed_out'] as const

export const retryAll = operation({
  name: 'runs.retry_all',
  summary: 'Retry the ended runs that a filter matches, oldest first; dry_run shows them first.',
  description:
    'The filter is that of runs.list, with at least one member; without status, what failed or ' +
    'timed out. Each run is retried as by runs.retry, in one commit of its own, and at most ' +
    'once: one that was retried before is left out (retry its retry instead). A call takes up ' +
    'to limit runs, and next_cursor goes on after them, with runs that began before the first ' +
    'call. left_out says which runs could not be retried, and why.',
  example: { char_id: 'ada', since: '2026-01-01T00:00:00Z', dry_run: true },
  auth: 'key',
  oauthScope: 'run',
  http: { method: 'POST', path: '/api/runs/retry', status: 202, mayPreview: true },
  toolsets: ['runs'],
  input: z.strictObject({
    ...pageInput,
    limit: z.int().min(1).max(100).default(100).describe('Runs a call.'),
    ...narrowingInput,
    status: statusesOf(endedStatuses).optional(),
    dry_run: z.boolean().default(false).describe('Retry nothing; say what would be.'),
    input: z.json().optional().describe('In place of the input of each.'),
    variables: recordUpTo(textsAtMost, z.string()).optional(),
  }),
  output: z.object({
    dry_run: z.boolean(),
    matched: z.int().describe('How many runs the filter matched before this call.'),
    run_ids: z.array(z.string()).describe('Those of this call.'),
    retries: z.array(z.object({ run_id: z.string(), retry_run_id: z.string() })),
    left_out: z.array(z.object({ run_id: z.string(), reason: z.string() })),
    next_cursor: z.string().nullable(),
  }),
  refuses: ['character_not_found', 'forbidden', 'cursor_invalid', 'write_conflict'],

  async run({ limit, cursor, dry_run, input, variables, status = unless, ...sent }, context) {
    const members = Object.keys(narrowingInput)
    if (Object.keys(sent).length === 0 && status === unless) {
      return refuse('invalid_input', `At least one of ${members.join(', ')} has to narrow it.`, {
        errors: [{ pointer: '', message: 'Nothing narrows it.', code: 'required' }],
      })
    }
    if (sent.char_id !== undefined) await ownRow(context, sent.char_id)
    const own = narrowed(ownRuns(context), sent)
    const among = retryable({ ...own, status: { $in: status } })
    const narrow = JSON.stringify([Object.entries(sent), status])
    const list = `retries ${context.caller.accountId} ${narrow}`
    const matched = await context.store.runs.count(among)
    const portion = await Portion.of(context, among, { limit, cursor }, list)
    const told = { dry_run, matched, run_ids: portion.ids }
    if (dry_run) {
      const nothing = { retries: [], left_out: [], next_cursor: portion.next }
      return answer({ ...told, ...nothing }, { preview: true })
    }
    const { next, ...done } = await retryPortion(context, portion, { input, variables })
    return context.commit({ ...told, ...done, next_cursor: next }, [])
  },
})
