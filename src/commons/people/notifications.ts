import * as z from 'zod'
import type { Ports } from '#src/core/context.ts'

/** How long notifications are kept, in days. */
export const notificationDays = 90

/** How many are marked in one commit, before other calls get their turn. */
const markedAtOnce = 200

/** The id of a notification, or any other of the same form: ids sort by time. */
export const NotificationId = z
  .string()
  .regex(/^ntf_[0-9a-f]{32}$/, 'must be the id of a notification')

/**
 * Marks a member's notifications as read, up to and including an id; returns how many were unread.
 * Each batch is a commit of its own: a call that is cut short has marked a part, and can be repeated.
 */
export async function markUpTo(
  { store, signal }: Pick<Ports, 'store'> & { signal: AbortSignal | undefined },
  handle: string,
  upTo: string,
): Promise<number> {
  let marked = 0
  for (;;) {
    const rows = await store.commons_notifications.text(
      { handle, read: false, id: { $lte: upTo } },
      { limit: markedAtOnce },
    )
    // Lazily, so that each batch is one commit.
    const updates = rows.map(({ id }) =>
      store.commons_notifications.update(
        { id, read: false },
        { $set: { read: true } },
        { lazy: true },
      ),
    )
    for (const update of await Promise.all(updates)) if (update) marked += 1
    if (rows.length < markedAtOnce || signal?.aborted) return marked
  }
}
