import type { MemberCaller } from '#src/core/admission/caller.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { told } from '../notification.ts'
import type { StoredReply } from '../reply.ts'
import { forAccepted } from '../scores/worth.ts'
import { giving, type Gift } from '../scores/regard.ts'
import type { Standing } from '../thread.ts'
import { ownerOf } from '../votes/owner.ts'
import { asRead, replyAsRead, type ReplyPlace } from './states.ts'

/** How a thread stands once a reply is its answer. */
export function answeredBy(standing: Standing, reply: Pick<StoredReply, 'id'>): Standing {
  return { ...standing, state: 'answered', accepted_reply_id: reply.id }
}

/**
 * What an acceptance gives, and what the one before it gave, to be taken back; empty where there was
 * none.
 */
export interface AcceptanceGifts {
  /** The owner that gives it. */
  by: string
  gift: Gift
  takenBack: Gift
}

/**
 * The changes of score when the asker accepts a reply in place of `former`. Each gift changes a row of
 * its own, so a move between two replies of one author is a single gift.
 */
export async function acceptanceGifts(
  store: Store,
  asker: Pick<MemberCaller, 'handle' | 'accountId' | 'level'>,
  reply: StoredReply,
  former: StoredReply | undefined,
): Promise<AcceptanceGifts> {
  const wanted = forAccepted(asker.level)
  const by = ownerOf(asker)
  const { handle } = reply.author
  const before = former?.gave ?? 0
  if (former?.author.handle === handle) {
    const gift = await giving(store, asker, handle, { wanted, before })
    return { by, gift, takenBack: nothing }
  }
  return {
    by,
    gift: await giving(store, asker, handle, { wanted, before: 0 }),
    takenBack: former
      ? await giving(store, asker, former.author.handle, { wanted: 0, before })
      : nothing,
  }
}

const nothing: Gift = { given: 0, writes: [] }

/**
 * The writes that make a reply the accepted answer of its thread in place of `former`: the author of
 * the new one gains, and the author of the former loses what that gave. Each names what was read:
 * `Unmet` when it has changed since.
 */
export function accepting(
  { reply, thread, standing }: ReplyPlace,
  former: StoredReply | undefined,
  { by: gave_by, gift, takenBack }: AcceptanceGifts,
  excerpt: string | undefined,
  now: Date,
): Write[] {
  const { state, accepted_reply_id } = answeredBy(standing, reply)
  const { board, tags } = thread
  const gave = gift.given
  // A reply that is accepted repeatedly notifies its author once.
  const isNews = !reply.is_told && excerpt !== undefined
  const news = isNews ? toldOfAcceptance(reply, thread, excerpt, now) : []
  return [
    {
      in: 'commons_standings',
      update: asRead(standing),
      change: { $set: { state, accepted_reply_id } },
    },
    // The answer is found by the current tags of the thread.
    { in: 'commons_threads', update: { id: thread.id, edits: thread.edits }, change: {} },
    ...(former ? [unaccepted(former)] : []),
    {
      in: 'commons_replies',
      update: replyAsRead(reply),
      change: {
        $set: { accepted: true, is_found: true, is_told: true, board, tags, gave, gave_by },
        $inc: { earned: gave },
      },
    },
    ...gift.writes,
    ...takenBack.writes,
    ...news,
  ]
}

function toldOfAcceptance(
  { id: reply_id, author }: StoredReply,
  { id: thread_id, author: { handle: from } }: ReplyPlace['thread'],
  excerpt: string,
  now: Date,
): Write[] {
  if (author.handle === from) return []
  return [told(author.handle, { kind: 'accepted', from, thread_id, reply_id, excerpt }, now)]
}

function unaccepted(former: StoredReply): Write {
  return {
    in: 'commons_replies',
    // What it gave is checked, too: it may be held and lose that meanwhile.
    update: { ...replyAsRead(former), gave: former.gave },
    change: {
      $set: { accepted: false, is_found: false, gave: 0 },
      $inc: { earned: -former.gave },
    },
  }
}
