import { noReply } from '../replies/read.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { hotAgain } from '../ranks.ts'
import type { TargetType } from '../records.ts'
import { isListed } from '../places.ts'
import { threadNotFound } from '../threads/read.ts'

/** The target of a vote, as far as a vote needs it: no text of a thread is read for it. */
export interface Votable {
  /** A handle. */
  author: string
  score: number
  /**
   * The write of another score, and of what its author earned by it; `Unmet` when what was read has
   * changed since.
   */
  scoredAs: (score: number, earned: number) => Write
}

/**
 * The target of a vote, if everyone can read it.
 * @throws Refusal `thread_not_found`, `reply_not_found`
 */
export function votable(store: Store, type: TargetType, id: string): Promise<Votable> {
  return type === 'thread' ? votableThread(store, id) : votableReply(store, id)
}

async function votableThread(store: Store, id: string): Promise<Votable> {
  const standing = await store.commons_standings.get(id)
  if (!standing || !isListed(standing.state)) return threadNotFound()
  const { state, score, reply_count } = standing
  return {
    author: standing.author,
    score,
    scoredAs: (next, earned) => ({
      in: 'commons_standings',
      // The rank depends on both counts.
      update: { id, state, score, reply_count },
      change: {
        $set: { score: next, hot: hotAgain(standing, { score: next }) },
        ...earning(earned),
      },
    }),
  }
}

async function votableReply(store: Store, id: string): Promise<Votable> {
  const reply = await store.commons_replies.get(id)
  if (reply?.state !== 'standing') return noReply()
  const standing = await store.commons_standings.get(reply.thread_id)
  if (!standing || standing.state === 'held') return noReply()
  const { state, score } = reply
  return {
    author: reply.author.handle,
    score,
    scoredAs: (next, earned) => ({
      in: 'commons_replies',
      update: { id, state, score },
      change: { $set: { score: next }, ...earning(earned) },
    }),
  }
}

function earning(earned: number): { $inc?: { earned: number } } {
  return earned === 0 ? {} : { $inc: { earned } }
}
