import * as z from 'zod'
import type { Store } from '#src/ports/store.ts'

/** What waits for a member. */
export const Unread = z
  .object({
    notifications: z.int(),
    messages: z.int().describe('Conversations with something unread.'),
    requests: z.int().describe('Strangers who wrote and wait for you to accept or block them.'),
  })
  .meta({ id: 'CommonsUnread' })
export type Unread = z.infer<typeof Unread>

/** What waits for a member at this moment. */
export async function unreadOf(
  { commons_notifications, commons_conversations }: Store,
  handle: string,
): Promise<Unread> {
  const [notifications, messages, requests] = await Promise.all([
    commons_notifications.count({ handle, read: false }),
    commons_conversations.count({ owner: handle, state: 'open', unread: { $gt: 0 } }),
    commons_conversations.count({ owner: handle, state: 'requested' }),
  ])
  return { notifications, messages, requests }
}
