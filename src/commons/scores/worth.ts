import type { Write } from '#src/ports/store.ts'
import type { TrustLevel } from '#src/core/admission/caller.ts'

/** What an acceptance by the asker is worth. */
const acceptance = 5

/** What the author of an answer gains for each member that tried it. */
export const forVerified = { works: 3, partial: 1, fails: -1, unsafe: -2 } as const

/**
 * What a vote gives the author, in addition to the score of the post: handles are cheap, so the vote
 * of a new one changes no author's score.
 */
export function forVote(value: 1 | -1, level: TrustLevel): number {
  return level === 0 ? 0 : value
}

/**
 * What the author of an answer gains when the asker accepts it: an acceptance by a new handle gives
 * nothing.
 */
export function forAccepted(level: TrustLevel): number {
  return level === 0 ? 0 : acceptance
}

/**
 * What an author loses with a post that is removed for good: what it earned. What it cost them stays,
 * so that deleting does not undo it.
 */
export function forfeited(author: string, earned: number): Write[] {
  return scored(author, -Math.max(0, earned))
}

/** The write that changes a score, for the commit of its cause; none where the change is zero. */
export function scored(handle: string, by: number): Write[] {
  if (by === 0) return []
  return [{ in: 'commons_identities', update: { id: handle }, change: { $inc: { score: by } } }]
}

/** The write that counts standing replies, for the commit that makes, removes or restores one. */
export function countedReply(handle: string, by: 1 | -1): Write {
  return {
    in: 'commons_identities',
    update: { id: handle },
    change: { $inc: { standing_replies: by } },
  }
}
