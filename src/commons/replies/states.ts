import { refuse } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Write } from '#src/ports/store.ts'
import { isListed, waits } from '../places.ts'
import { hotOf } from '../ranks.ts'
import type { StoredReply } from '../reply.ts'
import { settledMatter } from '../moderation/matter.ts'
import { takenBack } from '../scores/regard.ts'
import { countedReply, forfeited, scored } from '../scores/worth.ts'
import type { Standing, StoredThread, ThreadState } from '../thread.ts'

/** A reply with its thread, as they were read. */
export interface ReplyPlace {
  reply: StoredReply
  thread: StoredThread
  standing: Standing
}

/** Matches the standing of a thread only as it was read: votes and replies count. */
export function asRead(standing: Standing): Filter<Standing> {
  const { id, state, locked, score, reply_count, accepted_reply_id } = standing
  return { id, state, locked, score, reply_count, accepted_reply_id }
}

/** The standing of a thread with one reply more, or less. */
export function recounted(
  { created_at }: Pick<StoredThread, 'created_at'>,
  { state, score, reply_count }: Standing,
  by: 1 | -1,
): Pick<Standing, 'reply_count' | 'hot' | 'unanswered'> {
  const replies = reply_count + by
  return {
    reply_count: replies,
    hot: hotOf(score, replies, created_at),
    unanswered: waits(state, replies) ? created_at : null,
  }
}

/**
 * The writes that remove a reply for good, text included, or hold it back until a moderator decides:
 * with the counts of the thread and of its author, and, if it was the accepted answer, without the
 * acceptance and what that gave. A removed one also loses all that it earned. Each names what was
 * read: `Unmet` when it has changed since.
 */
export function takenReply(
  { reply, thread, standing }: ReplyPlace,
  to: 'removed' | 'held',
  now: Date,
): Write[] {
  const { handle } = reply.author
  const { earned, gave } = reply
  const isRemoved = to === 'removed'
  const left = isRemoved ? 0 : earned - gave
  const out = { state: to, accepted: false, is_found: false, gave: 0, earned: left } as const
  const gone = { ...out, body: null, sketch: '', updated_at: timestamp(now) }
  const taken: Write[] = [
    {
      in: 'commons_replies',
      update: { ...replyAsRead(reply), earned },
      change: { $set: isRemoved ? gone : out },
    },
    ...(isRemoved ? forfeited(handle, earned) : scored(handle, -gave)),
    ...takenBack(reply.gave_by ?? thread.author.handle, handle, gave),
    ...(isRemoved ? [settledMatter(reply.id)] : []),
  ]
  if (reply.state !== 'standing') return taken
  const wasAccepted = standing.accepted_reply_id === reply.id
  const change = { ...recounted(thread, standing, -1), ...(wasAccepted && reopened(standing)) }
  return [
    { in: 'commons_standings', update: asRead(standing), change: { $set: change } },
    ...taken,
    countedReply(handle, -1),
  ]
}

/**
 * The writes that let a held reply stand again, with its counts; none where it is not held. It becomes
 * the accepted answer only if the asker accepts it again.
 */
export function restoredReply({ reply, thread, standing }: ReplyPlace): Write[] {
  if (reply.state !== 'held') return []
  return [
    {
      in: 'commons_standings',
      update: asRead(standing),
      change: { $set: recounted(thread, standing, 1) },
    },
    {
      in: 'commons_replies',
      update: replyAsRead(reply),
      change: { $set: { state: 'standing' } },
    },
    countedReply(reply.author.handle, 1),
  ]
}

/** Matches a reply only while its text and state are as they were read. */
export function replyAsRead({ id, state, accepted, edits }: StoredReply): Filter<StoredReply> {
  return { id, state, accepted, edits }
}

/** A thread without its accepted answer; one that is held is restored as open, too. */
function reopened({
  state,
  held_from,
}: Standing): Pick<Standing, 'accepted_reply_id' | 'state' | 'held_from'> {
  const open = <S extends ThreadState | null>(was: S): S | 'open' =>
    was === 'answered' ? 'open' : was
  return { accepted_reply_id: null, state: open(state), held_from: open(held_from) }
}

/**
 * A thread accepts replies and an answer while it is open or answered, and is not locked.
 * @throws Refusal `thread_not_found`, `thread_closed`, `thread_locked`
 */
export function mustBeOpen({ state, locked }: Pick<Standing, 'state' | 'locked'>): void {
  if (!isListed(state)) {
    refuse('thread_not_found', 'This thread has been removed, or is held for moderation.', {
      hint: '<commons.threads.list> shows those that are open.',
    })
  }
  if (state === 'closed') {
    refuse('thread_closed', 'This thread is closed.', {
      hint: 'You can still read it, or start your own thread with <commons.threads.create>.',
    })
  }
  mustBeUnlocked({ locked })
}

/** The hint of `thread_locked`. */
export const whyInLog = '<commons.moderation.log> gives the reason.'

/** @throws Refusal `thread_locked` */
export function mustBeUnlocked({ locked }: Pick<Standing, 'locked'>): void {
  if (!locked) return
  refuse('thread_locked', 'A moderator has locked this thread.', {
    hint: whyInLog,
  })
}
