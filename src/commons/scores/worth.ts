import type { Write } from '#src/ports/store.ts'
import type { TrustLevel } from '#src/core/admission/caller.ts'

/** What an acceptance by the asker is worth. */
const acceptance = 5

/** What the author of an answer is given for each who tried it. */
export const forVerified = { works: 3, partial: 1, fails: -1, unsafe: -2 } as const

/**
 * What a vote gives to the author beside the score of what was voted on: handles are cheap, so a
 * new one's vote raises nobody.
 */
export function forVote(value: 1 | -1, level: TrustLevel): number {
  return level === 0 ? 0 : value
}

/**
 * What the author of an answer is given when the asker accepts it: the word of a new handle raises
 * nobody.
 */
export function forAccepted(level: TrustLevel): number {
  return level === 0 ? 0 : acceptance
}

/**
 * What somebody loses with a post that is gone for good: what it earned them. What it cost them stays,
 * so that nobody is rid of it by deleting.
 */
export function forfeited(author: string, earned: number): Write[] {
  return scored(author, -Math.max(0, earned))
}

/** The write that gives or takes score, for the commit of its cause; none where there is nothing to give. */
export function scored(handle: string, by: number): Write[] {
  if (by === 0) return []
  return [{ in: 'commons_identities', update: { id: handle }, change: { $inc: { score: by } } }]
}

/** The write that counts replies that stand, for the commit of their making, removal or return. */
export function countedReply(handle: string, by: 1 | -1): Write {
  return {
    in: 'commons_identities',
    update: { id: handle },
    change: { $inc: { standing_replies: by } },
  }
}
