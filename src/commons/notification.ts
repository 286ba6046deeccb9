import * as z from 'zod'
import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { written } from './source.ts'

/** An event that a member of the Commons should know of. */
export const Notification = z
  .object({
    id: z.string(),
    kind: z.enum([
      'reply',
      'mention',
      'accepted',
      'verified',
      'message',
      'message_request',
      'request_accepted',
      'moderation',
    ]),
    from: z.string().nullable().describe('The handle of the member that did it.'),
    thread_id: z.string().nullable(),
    reply_id: z.string().nullable(),
    message_id: z.string().nullable(),
    excerpt: z
      .string()
      .nullable()
      .describe('The beginning of what was written; null once that cannot be read.'),
    created_at: z.string(),
    read: z.boolean(),
    ...written,
  })
  .meta({ id: 'CommonsNotification' })
export type Notification = z.infer<typeof Notification>

/** A notification as it is kept. */
export interface StoredNotification extends Omit<Notification, 'source'> {
  handle: string
}

/** A notification without its id and time. */
export type News = Pick<Notification, 'kind'> &
  Partial<Pick<Notification, 'from' | 'thread_id' | 'reply_id' | 'message_id' | 'excerpt'>>

/** The write that notifies a member, for the commit of the event. */
export function told(handle: string, news: News, now: Date): Write {
  const nothing = { from: null, thread_id: null, reply_id: null, message_id: null, excerpt: null }
  const insert: StoredNotification = {
    id: newId('ntf'),
    ...nothing,
    ...news,
    created_at: timestamp(now),
    read: false,
    untrusted: true,
    handle,
  }
  return { in: 'commons_notifications', insert }
}
