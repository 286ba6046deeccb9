import type { OwnerNotice } from '#src/accounts/notice.ts'
import { taskKey } from '#src/agents/tasks/task.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store } from '#src/ports/store.ts'

type Needed = Pick<Ports, 'store' | 'clock' | 'log'>

/** What of a notice leads to its cause. */
type Open = Pick<
  OwnerNotice,
  'id' | 'type' | 'char_id' | 'task_id' | 'run_id' | 'approval_id' | 'resolved_at'
>

/**
 * The notices with `resolved_at` where their cause is gone, which is looked for when they are read: a later run of the
 * task did its work, the task goes on, the approval is decided, the secrets are set, or there is nothing left that they
 * are about.
 */
export async function withResolved<N extends Open>(
  { store, clock, log }: Needed,
  ownerId: string,
  notices: readonly N[],
): Promise<N[]> {
  const now = timestamp(clock.now())
  return Promise.all(
    notices.map(async (notice) => {
      if (notice.resolved_at !== null) return notice
      const resolved_at = await goneAt(store, ownerId, notice, now)
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
  { id, type, char_id, task_id, run_id, approval_id }: Open,
  now: string,
): Promise<string | null> {
  if (type === 'approval.requested') {
    const approval = await store.approvals.get(approval_id ?? '')
    return approval?.state === 'pending' ? null : (approval?.decided_at ?? now)
  }
  if (type === 'secret.missing') return (await hasSecrets(store, ownerId, id)) ? now : null
  if (char_id === null || task_id === null) return null
  const task = await store.tasks.get(taskKey(char_id, task_id))
  if (task?.owner_id !== ownerId) return now
  if (type === 'task.paused' || type === 'work.held' || type === 'work.skipped') {
    return task.enabled ? task.updated_at : null
  }
  if (type !== 'run.failed' && type !== 'handoff.dropped') return null
  return completedAfter(store, { char_id, task_id, owner_id: ownerId }, run_id ?? '')
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

async function completedAfter(
  { runs }: Pick<Store, 'runs'>,
  place: { char_id: string; task_id: string; owner_id: string },
  after: string,
): Promise<string | null> {
  // One that only asked, and was answered, completes with a reason and has done nothing itself.
  const done = { status: 'completed', reason: null } as const
  const later = { ...place, ...done, id: { $gt: after } }
  const [row] = await runs.pick(['finished_at'], later, { sort: { id: 1 }, limit: 1 })
  return row ? String(row[0]) : null
}
