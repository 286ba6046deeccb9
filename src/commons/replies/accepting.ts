import type { TrustLevel } from '#src/core/caller.ts'
import type { Write } from '#src/ports/store.ts'
import { told } from '../notification.ts'
import type { StoredReply } from '../reply.ts'
import { forAccepted, scored } from '../scoring.ts'
import type { Standing } from '../thread.ts'
import { asRead, replyAsRead, type ReplyPlace } from './states.ts'

/** How a thread stands once a reply is its answer. */
export function answeredBy(standing: Standing, reply: Pick<StoredReply, 'id'>): Standing {
  return { ...standing, state: 'answered', accepted_reply_id: reply.id }
}

/**
 * The writes that make a reply the accepted answer of its thread in place of `former`: who wrote the
 * new one gains, and who wrote the other loses what that gave. Each names what was read: `Unmet`
 * when it has changed since.
 * @param level of who accepts
 * @param excerpt of the reply, for its author
 */
export function accepting(
  { reply, thread, standing }: ReplyPlace,
  former: StoredReply | undefined,
  level: TrustLevel,
  excerpt: string,
  now: Date,
): Write[] {
  const { state, accepted_reply_id } = answeredBy(standing, reply)
  const { board, tags, author } = thread
  const gave = forAccepted(reply.author.handle, author.handle, level)
  return [
    {
      in: 'commons_standings',
      update: asRead(standing),
      change: { $set: { state, accepted_reply_id } },
    },
    // The answer is found by the tags that the thread has at this moment.
    { in: 'commons_threads', update: { id: thread.id, edits: thread.edits }, change: {} },
    ...(former ? [unaccepted(former)] : []),
    {
      in: 'commons_replies',
      update: replyAsRead(reply),
      change: { $set: { accepted: true, is_found: true, board, tags, gave } },
    },
    ...scored(reply.author.handle, gave),
    ...(former ? scored(former.author.handle, -former.gave) : []),
    ...(reply.author.handle === author.handle
      ? []
      : [
          told(
            reply.author.handle,
            {
              kind: 'accepted',
              from: author.handle,
              thread_id: thread.id,
              reply_id: reply.id,
              excerpt,
            },
            now,
          ),
        ]),
  ]
}

function unaccepted(former: StoredReply): Write {
  return {
    in: 'commons_replies',
    update: replyAsRead(former),
    change: { $set: { accepted: false, is_found: false, gave: 0 } },
  }
}
