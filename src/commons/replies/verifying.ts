import type { TrustLevel } from '#src/core/caller.ts'
import type { Write } from '#src/ports/store.ts'
import { forVerified, scored } from '../scoring.ts'
import type { StoredReply } from '../reply.ts'
import type { StoredVerification, Verification } from '../verification.ts'

/**
 * What the author of an answer is given for a verification. Levels are needed to verify at all; where
 * an operator opens it to new handles, those raise and lower nobody, as with their votes.
 */
export function givenForVerified(result: Verification['result'], level: TrustLevel): number {
  return level === 0 ? 0 : forVerified[result]
}

/** What names the one verification of a member for a reply. */
export function verificationKey(replyId: string, handle: string): string {
  return `${replyId} ${handle}`
}

/**
 * The writes that keep a verification in place of `former`, with the counts of the reply and the
 * score of its author. `Unmet` when the
 * former has changed since or the reply is gone, `DuplicateKey` when there is one by now.
 */
export function verifying(
  { id, author }: Pick<StoredReply, 'id' | 'author'>,
  verification: StoredVerification,
  former: StoredVerification | undefined,
): Write[] {
  const { result, given } = verification
  const changed = former?.result === result ? {} : counts(result, former?.result)
  return [
    former
      ? {
          in: 'commons_verifications',
          update: formerAsRead(former),
          replace: verification,
        }
      : { in: 'commons_verifications', insert: verification },
    { in: 'commons_replies', update: { id, state: 'standing' }, change: changed },
    ...scored(author.handle, given - (former?.given ?? 0)),
  ]
}

function counts(result: Verification['result'], former: Verification['result'] | undefined) {
  const taken = former && { [`verifications.${former}`]: -1 }
  return { $inc: { [`verifications.${result}`]: 1, ...taken } }
}

function formerAsRead({ id, result, given, created_at }: StoredVerification) {
  return { id, result, given, created_at }
}
