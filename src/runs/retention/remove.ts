import { approvalBytes } from '../approvals/approval.ts'
import { seatIdsOf } from '../approvals/viewer-row.ts'
import type { Ports } from '#src/core/context.ts'
import { removePushBodies } from '../chat/push/body.ts'
import { orderTrigger } from '../triggers/order-trigger.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { countRun } from './bytes.ts'

type Needed = Pick<Ports, 'store' | 'quotas'>

/** The members of an ended run that its removal needs. */
export type Leaving = Pick<
  StoredRun,
  'id' | 'owner_id' | 'root_run_id' | 'approval_id' | 'sender'
> & {
  chat_id?: string | undefined
  trigger: { type: string; caller?: Record<string, unknown> | undefined }
  /** The bytes counted for it. */
  bytes: number
}

/**
 * Whether a run must stay: the first run of a chain counts those that it has set off, and an order looks
 * for the run that it began.
 */
export async function isNeeded(
  { runs, orders }: Pick<Store, 'runs' | 'orders'>,
  { id, root_run_id, trigger }: Leaving,
): Promise<boolean> {
  // Everything that depends on a later run of the chain depends on the first one too.
  if (id !== root_run_id) return false
  const open = { root_run_id, waits_for: { $ne: null } } as const
  if ((await runs.pick(['id'], open, { limit: 1 })).length > 0) return true
  const orderId = trigger.type === orderTrigger ? trigger.caller?.order_id : undefined
  if (typeof orderId !== 'string') return false
  return (await orders.pick(['id'], { id: orderId, status: 'in_progress' })).length > 0
}

/**
 * Deletes ended runs with everything that depends on them: their events, their approvals, the bodies of
 * their notifications, and the chat tasks that they began, which get no more notifications. The runs that
 * they set off stay. The bytes that they counted are returned.
 * @param runs as many, and as large, as one turn of the event loop can handle
 * @returns the ids of those that existed: another process may have been faster
 */
export async function removeRuns(ports: Needed, runs: readonly Leaving[]): Promise<string[]> {
  const { store, quotas } = ports
  if (runs.length === 0) return []
  for (const run of runs) await removeApproval(ports, run)
  const ids = runs.map(({ id }) => id)
  const chats = runs.flatMap(({ id, chat_id }) => (chat_id === id ? [id] : []))
  const hanging: Write[] = [
    { in: 'run_events', delete: { run_id: { $in: ids } } },
    { in: 'run_texts', delete: { id: { $in: ids } } },
  ]
  if (chats.length > 0) {
    hanging.push(
      { in: 'push_targets', delete: { chat_id: { $in: chats } } },
      { in: 'chats', delete: { id: { $in: chats } } },
    )
  }
  await store.commit(hanging)
  await removePushBodies(ports, ids)
  // The runs go last, so that leftovers of a crash are found by them; each by itself, so that of two
  // processes that delete it only one returns the bytes that it counted.
  const there = await Promise.all(
    runs.map(async (run) => {
      if ((await store.runs.delete({ id: run.id, waits_for: null })) === 0) return []
      countRun(quotas, run, -run.bytes)
      return [run.id]
    }),
  )
  return there.flat()
}

async function removeApproval(
  { store, quotas }: Needed,
  { id, approval_id }: Leaving,
): Promise<void> {
  const approval = approval_id === null ? undefined : await store.approvals.get(approval_id)
  if (approval?.run_id !== id || approval.state === 'pending') return
  await store.commit([{ in: 'approval_seats', delete: { id: { $in: seatIdsOf(approval) } } }])
  if ((await store.approvals.delete({ id: approval.id })) === 0) return
  countRun(quotas, approval, -approvalBytes(approval))
}
