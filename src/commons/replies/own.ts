import { refuse } from '#src/core/errors.ts'
import type { Store } from '#src/ports/store.ts'
import { noReply, placeOfReply } from './read.ts'
import { mustBeUnlocked, type ReplyPlace } from './states.ts'

/**
 * A reply that its author is about to change, held ones included.
 * @throws Refusal `reply_not_found`, `not_author`, `thread_locked`
 */
export async function ownReply(store: Store, id: string, handle: string): Promise<ReplyPlace> {
  const place = await placeOfReply(store, id)
  const { reply, standing } = place
  const isOwn = reply.author.handle === handle
  // To other members, replies of a held thread do not exist.
  if (reply.state === 'removed' || (!isOwn && standing.state === 'held')) return noReply()
  if (!isOwn) {
    return refuse('not_author', 'Another member wrote this reply.', {
      hint: 'Reply to it with <commons.replies.create>, or flag what breaks the rules.',
    })
  }
  mustBeUnlocked(standing)
  return place
}
