import { taskAt } from '#src/agents/tasks/of-run.ts'
import type { OwnerNotice } from '#src/accounts/notice.ts'
import { taskKey } from '#src/agents/tasks/task.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store } from '#src/ports/store.ts'

type Needed = Pick<Ports, 'store' | 'clock' | 'log'>

/** What of a notice leads to its cause. */
type Open = Pick<
  OwnerNotice,
  'id' | 'type' | 'next' | 'char_id' | 'task_id' | 'run_id' | 'approval_id' | 'resolved_at'
>

/**
 * The notices with `resolved_at` where their cause is gone, which is looked for when they are read: a later run of the
 * task did its work, the task goes on, the approval is decided, the secrets are set, the consent is given, the call has arrived, the webhook is
 * enabled, or there is nothing left that they are about.
 */
export async function withResolved<N extends Open>(
  { store, clock, log }: Needed,
  ownerId: string,
  notices: readonly N[],
): Promise<N[]> {
  const now = timestamp(clock.now())
  const completed = await completions(store, ownerId, notices)
  return Promise.all(
    notices.map(async (notice) => {
      if (notice.resolved_at !== null) return notice
      const resolved_at = completed.get(notice.id) ?? (await goneAt(store, ownerId, notice, now))
      if (resolved_at === null) return notice
      const open = { id: notice.id, resolved_at: null }
      await store.notices
        .update(open, { $set: { resolved_at } }, { lazy: true })
        .catch((cause: unknown) => log.warn('a notice could not be marked as resolved', { cause }))
      return { ...notice, resolved_at }
    }),
  )
}

/** Since when its cause is gone; null while it is not. @param now for what does not say when */
async function goneAt(
  store: Store,
  ownerId: string,
  { id, type, next, char_id, task_id, approval_id }: Open,
  now: string,
): Promise<string | null> {
  if (type === 'approval.requested') {
    const approval = await store.approvals.get(approval_id ?? '')
    return approval?.state === 'pending' ? null : (approval?.decided_at ?? now)
  }
  if (type === 'delivery.failed') {
    const { delivery_id, run_id: cause } = next[0]?.input ?? {}
    if (cause !== undefined) return retriedAt(store, cause, now)
    if (delivery_id === undefined) return null
    const delivery = await store.deliveries.get(delivery_id)
    return delivery && delivery.status !== 'delivered' ? null : (delivery?.last_attempt_at ?? now)
  }
  if (type === 'webhook.disabled') {
    const { app_id } = next[0]?.input ?? {}
    if (app_id === undefined) return null
    return (await store.apps.get(app_id))?.webhook?.state === 'disabled' ? null : now
  }
  if (type === 'secret.missing') return (await hasSecrets(store, ownerId, id)) ? now : null
  if (type === 'connection.needs_consent') return (await hasConsent(store, id)) ? now : null
  if (char_id === null || task_id === null) return null
  const task = await taskAt(store, char_id, task_id)
  if (task?.owner_id !== ownerId) return now
  if (type === 'task.paused' || type === 'work.held' || type === 'work.skipped') {
    return task.enabled ? task.updated_at : null
  }
  return null
}

/** When the run that a call was about was done again, or is gone; null while neither is so. */
async function retriedAt(
  { runs }: Pick<Store, 'runs'>,
  id: string,
  now: string,
): Promise<string | null> {
  const run = await runs.get(id)
  if (!run) return now
  const retry = run.retry_id ? await runs.get(run.retry_id) : undefined
  return retry?.status === 'completed' ? retry.finished_at : null
}

/**
 * When the tasks of failed runs completed for the first time since, by the notice. The oldest of a task first: what is
 * found for one holds for those after it, so that no run is looked at twice, however many notices there are.
 */
async function completions(
  store: Pick<Store, 'runs'>,
  owner_id: string,
  notices: readonly Open[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const asked = notices.filter(isOfFailedRun)
  const ofTasks = Map.groupBy(asked, ({ char_id, task_id }) => taskKey(char_id, task_id))
  const look = async (ofTask: readonly OfFailedRun[]): Promise<void> => {
    let first: Completed | undefined
    for (const { id, char_id, task_id, run_id } of ofTask.toSorted(byRun)) {
      if (!first || first.id <= run_id) {
        first = await completedAfter(store, { owner_id, char_id, task_id }, run_id)
        if (!first) return
      }
      found.set(id, first.at)
    }
  }
  await Promise.all([...ofTasks.values()].map(look))
  return found
}

type OfFailedRun = Open & { char_id: string; task_id: string; run_id: string }

function isOfFailedRun(one: Open): one is OfFailedRun {
  const { type, char_id, task_id, run_id, resolved_at } = one
  const isNamed = char_id !== null && task_id !== null && run_id !== null
  return isNamed && resolved_at === null && (type === 'run.failed' || type === 'handoff.dropped')
}

function byRun(a: OfFailedRun, b: OfFailedRun): number {
  return a.run_id < b.run_id ? -1 : Number(a.run_id > b.run_id)
}

/** Whether each agent has the secrets that a notice says it lacks; one that is gone needs none. */
async function hasSecrets(
  { notices, secrets, characters }: Pick<Store, 'notices' | 'secrets' | 'characters'>,
  owner_id: string,
  noticeId: string,
): Promise<boolean> {
  const missing = (await notices.get(noticeId))?.missing
  if (!missing) return false
  const ids = { id: { $in: [...new Set(missing.map(({ char_id }) => char_id))] }, owner_id }
  const agents = new Set((await characters.pick(['id'], ids)).map(([id]) => String(id)))
  const shelves = new Map((await secrets.find(ids)).map((shelf) => [shelf.id, shelf.secrets]))
  return missing.every(
    ({ char_id, name }) => !agents.has(char_id) || Object.hasOwn(shelves.get(char_id) ?? {}, name),
  )
}

/** Whether nothing is asked any more of the connection that a notice is about. */
async function hasConsent(
  { notices, outbound_connections }: Pick<Store, 'notices' | 'outbound_connections'>,
  noticeId: string,
): Promise<boolean> {
  const id = (await notices.get(noticeId))?.connection_id
  if (id === undefined) return false
  const connection = await outbound_connections.get(id)
  return connection === undefined || connection.reason === null
}

interface Completed {
  id: string
  at: string
}

async function completedAfter(
  { runs }: Pick<Store, 'runs'>,
  place: { char_id: string; task_id: string; owner_id: string },
  after: string,
): Promise<Completed | undefined> {
  // One that only asked, and was answered, completes with a reason and has done nothing itself.
  const done = { status: 'completed', reason: null } as const
  const later = { ...place, ...done, id: { $gt: after } }
  const [row] = await runs.pick(['id', 'finished_at'], later, { sort: { id: 1 }, limit: 1 })
  return row && { id: String(row[0]), at: String(row[1]) }
}
