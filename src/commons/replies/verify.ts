import type { TrustLevel } from '#src/core/admission/caller.ts'
import type { Write } from '#src/ports/store.ts'
import type { Gift } from '../scores/regard.ts'
import { forVerified } from '../scores/worth.ts'
import type { StoredReply } from '../reply.ts'
import type { StoredVerification, Verification } from '../verification.ts'

/**
 * What a verification gives the author of the answer. Levels are needed to verify at all; if an
 * operator opens it to new handles, theirs change no score, as with their votes.
 */
export function givenForVerified(result: Verification['result'], level: TrustLevel): number {
  return level === 0 ? 0 : forVerified[result]
}

/** The id of an owner's (`ownerOf`) one verification of a reply. */
export function verificationKey(replyId: string, owner: string): string {
  return `${replyId} ${owner}`
}

/**
 * The writes that keep a verification in place of `former`, with the counts of the reply and the gift
 * to its author. `Unmet` when the former has changed since or the reply is gone, `DuplicateKey` when
 * there is one by now.
 */
export function verifying(
  { id }: Pick<StoredReply, 'id'>,
  verification: StoredVerification,
  former: StoredVerification | undefined,
  gift: Gift,
): Write[] {
  const { result } = verification
  const earned = gift.given - (former?.given ?? 0)
  const by = { ...counts(result, former?.result), ...(earned !== 0 && { earned }) }
  const changed = Object.keys(by).length > 0 ? { $inc: by } : {}
  return [
    former
      ? {
          in: 'commons_verifications',
          update: formerAsRead(former),
          replace: verification,
        }
      : { in: 'commons_verifications', insert: verification },
    { in: 'commons_replies', update: { id, state: 'standing' }, change: changed },
    ...gift.writes,
  ]
}

function counts(result: Verification['result'], former: Verification['result'] | undefined) {
  if (result === former) return {}
  const taken = former && { [`verifications.${former}`]: -1 }
  return { [`verifications.${result}`]: 1, ...taken }
}

function formerAsRead({ id, result, given, created_at }: StoredVerification) {
  return { id, result, given, created_at }
}
