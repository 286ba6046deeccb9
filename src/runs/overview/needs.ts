import * as z from 'zod'
import { idsBefore } from '#src/core/ids.ts'
import type { Store } from '#src/ports/store.ts'
import { viewer } from '../approvals/viewer-row.ts'
import { BoundedCount, countedUpTo, textIn } from '#src/core/counts/bounded.ts'

export const Needs = z
  .object({
    approvals: BoundedCount.extend({
      newest: z.array(
        z.object({
          id: z.string(),
          char_id: z.string(),
          task_id: z.string(),
          run_id: z.string(),
          created_at: z.string(),
          expires_at: z.string().nullable(),
        }),
      ),
    }),
    failed_runs: BoundedCount.extend({
      newest: z.array(
        z.object({
          id: z.string(),
          char_id: z.string(),
          task_id: z.string().nullable(),
          status: z.enum(['failed', 'timed_out']),
          error_code: z.string().nullable(),
          created_at: z.string(),
        }),
      ),
    }),
    paused_tasks: BoundedCount.extend({
      first: z.array(
        z.object({
          char_id: z.string(),
          task_id: z.string(),
          name: z.string(),
          pause_reason: z.string(),
        }),
      ),
    }),
  })
  .meta({ id: 'OverviewNeeds' })
/** What needs the owner of an account, with the first few of each. */
export type Needs = z.infer<typeof Needs>

/** The kinds of what needs an owner. */
export const needKinds = ['approvals', 'failed_runs', 'paused_tasks'] as const

/** How many of each kind are named. */
type Named = Readonly<Record<(typeof needKinds)[number], number>>

/** So many of these kinds, and none of others. */
export function namedOf(kinds: readonly (typeof needKinds)[number][], many: number): Named {
  const of = (kind: (typeof needKinds)[number]): number => (kinds.includes(kind) ? many : 0)
  return {
    approvals: of('approvals'),
    failed_runs: of('failed_runs'),
    paused_tasks: of('paused_tasks'),
  }
}

/** What needs the owner. @param since from when on failed runs count @param named how many of each are named */
export async function needsOf(
  store: Store,
  ownerId: string,
  since: Date,
  named: Named,
): Promise<Needs> {
  const [approvals, failed_runs, paused_tasks] = await Promise.all([
    approvalsOf(store, ownerId, named.approvals),
    failedOf(store, ownerId, since, named.failed_runs),
    pausedOf(store, ownerId, named.paused_tasks),
  ])
  return { approvals, failed_runs, paused_tasks }
}

/** How many approvals an account sees that are not decided yet. */
export function openApprovals(
  { approval_seats }: Pick<Store, 'approval_seats'>,
  ownerId: string,
): Promise<BoundedCount> {
  return countedUpTo(approval_seats, { viewer: viewer(ownerId), state: 'pending' })
}

async function approvalsOf(
  store: Store,
  ownerId: string,
  named: number,
): Promise<Needs['approvals']> {
  const { approval_seats, approvals } = store
  const pending = { viewer: viewer(ownerId), state: 'pending' } as const
  const options = { sort: { approval_id: -1 }, limit: named } as const
  if (named === 0) return { ...(await openApprovals(store, ownerId)), newest: [] }
  const seats = await approval_seats.pick(['approval_id'], pending, options)
  const paths = ['id', 'char_id', 'task_id', 'run_id', 'created_at', 'expires_at'] as const
  const ids = seats.map(([id]) => String(id))
  const rows = await approvals.pick(paths, { id: { $in: ids } }, { sort: { id: -1 } })
  const newest = rows.map(([id, char, task, run, created, expires]) => ({
    id: String(id),
    char_id: String(char),
    task_id: String(task),
    run_id: String(run),
    created_at: String(created),
    expires_at: textIn(expires),
  }))
  return { ...(await openApprovals(store, ownerId)), newest }
}

async function failedOf(
  { runs }: Store,
  owner_id: string,
  since: Date,
  named: number,
): Promise<Needs['failed_runs']> {
  const id = { $gte: idsBefore('run', since) }
  const paths = ['id', 'char_id', 'task_id', 'error.code', 'created_at'] as const
  const options = { sort: { id: -1 }, limit: named } as const
  const each = await Promise.all(
    (['failed', 'timed_out'] as const).map(async (status) => {
      const among = { owner_id, status, id }
      const [counted, rows] = [
        await countedUpTo(runs, among),
        named === 0 ? [] : await runs.pick(paths, among, options),
      ]
      return { counted, rows: rows.map((row) => ({ status, row })) }
    }),
  )
  const newest = each
    .flatMap(({ rows }) => rows)
    .map(({ status, row: [runId, char, task, code, created] }) => ({
      id: String(runId),
      char_id: String(char),
      task_id: textIn(task),
      status,
      error_code: textIn(code),
      created_at: String(created),
    }))
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, named)
  return {
    count: each.reduce((sum, { counted }) => sum + counted.count, 0),
    more: each.some(({ counted }) => counted.more),
    newest,
  }
}

async function pausedOf(
  { tasks }: Store,
  owner_id: string,
  named: number,
): Promise<Needs['paused_tasks']> {
  const among = { owner_id, 'reliability.pause_reason': { $gt: '' } } as const
  const paths = ['char_id', 'task_id', 'name', 'reliability.pause_reason'] as const
  const rows = named === 0 ? [] : await tasks.pick(paths, among, { limit: named })
  const first = rows.map(([char, task, name, reason]) => ({
    char_id: String(char),
    task_id: String(task),
    name: String(name),
    pause_reason: String(reason),
  }))
  return { ...(await countedUpTo(tasks, among)), first }
}
