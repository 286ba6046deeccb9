import * as z from 'zod'
import { idsBefore } from '#src/core/ids.ts'
import { readPage, rowsThatFit, sealCursor } from '#src/core/page.ts'
import type { Order, Page, RowPage } from '#src/core/page.ts'
import { Moment } from '#src/core/schema-parts.ts'
import { timestamp } from '#src/core/time.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Store } from '#src/ports/store.ts'
import { runStatuses, type StoredRun } from './run.ts'

/** What sets runs going, as `trigger.type` says it. */
export const runTriggers = [
  'manual',
  'cron',
  'heartbeat',
  'webhook',
  'event',
  'hook',
  'action',
  'message',
  'workflow',
  'router',
  'order',
  'generation',
] as const

/** A text of several names between commas is a list of them; a text that is JSON is left as it is. */
function asList(sent: unknown): unknown {
  const several = typeof sent === 'string' && !sent.startsWith('[') ? [sent] : sent
  if (!Array.isArray(several)) return several
  return several.flatMap((one: unknown) =>
    typeof one === 'string' ? one.split(',').map((name) => name.trim()) : [one],
  )
}

/** One or several of these statuses. */
export function statusesOf<const S extends readonly StoredRun['status'][]>(statuses: S) {
  return z
    .preprocess(asList, z.array(z.enum(statuses)).min(1).max(statuses.length))
    .describe('Several too.')
}

/** The members by which runs are chosen, apart from those of a page. */
export const narrowingInput = {
  char_id: z.string().max(128).optional(),
  task_id: z.string().max(128).optional(),
  app_id: z.string().max(128).optional(),
  status: statusesOf(runStatuses).optional(),
  trigger: z.enum(runTriggers).optional(),
  error_code: z.string().max(100).optional(),
  since: Moment.optional(),
  until: Moment.optional(),
  root_run_id: z.string().max(128).optional(),
}

/** What was sent of them. */
export interface Narrowing {
  char_id?: string | undefined
  task_id?: string | undefined
  app_id?: string | undefined
  status?: readonly StoredRun['status'][] | undefined
  trigger?: string | undefined
  error_code?: string | undefined
  since?: string | undefined
  until?: string | undefined
  root_run_id?: string | undefined
}

/** Ids are made right after the time that their run shows, by the same clock. */
const laterMs = 86_400_000

/** The runs that are chosen, in any status. @param own the runs that the caller may see */
export function narrowed(own: Filter<StoredRun>, sent: Narrowing): Filter<StoredRun> {
  const { status: _status, trigger, error_code: code, since, until, ...equal } = sent
  const [from, to] = [since, until].map((text) => (text === undefined ? null : new Date(text)))
  return {
    ...equal,
    ...own,
    ...(trigger !== undefined && { 'trigger.type': trigger }),
    ...(code !== undefined && { 'error.code': code }),
    ...((from ?? to) && {
      created_at: { ...(from && { $gte: timestamp(from) }), ...(to && { $lt: timestamp(to) }) },
      // The index is read between these.
      id: {
        ...(from && { $gte: idsBefore('run', from) }),
        ...(to && { $lt: idsBefore('run', new Date(to.getTime() + laterMs)) }),
      },
    }),
  }
}

/** One page of the chosen runs, newest first; of several statuses each is read by its own index, and merged. */
export async function runPage(
  { runs }: Pick<Store, 'runs'>,
  among: Filter<StoredRun>,
  statuses: readonly StoredRun['status'][] | undefined,
  page: Page,
  list: string,
): Promise<RowPage> {
  const order: Order = { list, by: 'id', direction: -1 }
  const each = [...new Set(statuses)]
  if (each.length < 2) {
    const [status] = each
    return readPage(runs, { ...among, ...(status && { status }) }, page, order)
  }
  const pages = await Promise.all(
    each.map((status) => readPage(runs, { ...among, status }, page, order)),
  )
  return merged(pages, page.limit, order)
}

function merged(pages: readonly RowPage[], limit: number, order: Order): RowPage {
  // Below the end of a page that goes on there may be rows that it does not show.
  const ends = pages.flatMap(({ rows, next }) => (next === null ? [] : (rows.at(-1)?.id ?? [])))
  const end = ends.sort().at(-1) ?? ''
  const all = pages.flatMap(({ rows }) => rows)
  const newest = all.filter(({ id }) => id >= end).sort((a, b) => (a.id < b.id ? 1 : -1))
  const some = newest.slice(0, limit)
  const rows = some.slice(0, rowsThatFit(some))
  const last = rows.at(-1)
  const isAll = ends.length === 0 && rows.length === all.length
  return { rows, next: isAll || !last ? null : sealCursor(order, [last.id, last.id]) }
}
