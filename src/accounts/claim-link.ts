import { refuse } from '#src/core/errors.ts'
import { call } from '#src/core/words/reference.ts'
import { digest, isToken } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Store } from '#src/ports/store.ts'
import { claimDays, type Account, type Claim } from './account.ts'

const daySeconds = 86_400

/** A claim with its account. */
export interface Linked {
  claim: Claim
  account: Account
}

/** When the link of a claim stops working, RFC 3339. */
export function linkEndsAt({ created_at }: Pick<Claim, 'created_at'>): string {
  return secondsAfter(new Date(created_at), claimDays * daySeconds)
}

/** The claim of the link with this code. @throws Refusal `claim_not_found` */
export async function linked(
  { claims, accounts }: Pick<Store, 'claims' | 'accounts'>,
  code: string,
): Promise<Linked> {
  const [claim] = isToken(code, 'act') ? await claims.find({ code_hash: digest(code) }) : []
  const account = claim && (await accounts.get(claim.account_id))
  return account
    ? { claim, account }
    : refuse('claim_not_found', 'There is no claim with this code.', { hint: wholeLink })
}

/** Checks the age of a claim that is neither claimed nor rejected. @throws Refusal `claim_expired` */
export function mustBeInTime(claim: Claim, now: Date): void {
  if (timestamp(now) < linkEndsAt(claim)) return
  refuse('claim_expired', `A claim link is valid for ${claimDays} days.`, {
    hint: 'The key of the account still works; <agent_claim.create> gives another account with a link.',
  })
}

/** @throws Refusal `already_claimed` @param hint what is the way then */
export function alreadyClaimed(hint?: string): never {
  return refuse('already_claimed', 'This account has already been claimed.', { hint })
}

/** @throws Refusal `claim_rejected` */
export function claimRejected(): never {
  return refuse('claim_rejected', 'This claim was rejected, and the account is closed.')
}

/** @throws Refusal `claim_rejected` if the account was closed, by itself or by the operator */
export function mustBeOpen({ closed_at }: Pick<Account, 'closed_at'>): void {
  if (closed_at === undefined) return
  refuse(
    'claim_rejected',
    'This account is closed: it had not been used for long, or the operator closed it.',
  )
}

/** The claim with this token, unless there is none. */
export async function claimWith(
  { claims }: Pick<Store, 'claims'>,
  token: string,
): Promise<Claim | undefined> {
  const [claim] = isToken(token, 'act') ? await claims.find({ token_hash: digest(token) }) : []
  return claim
}

/** @throws Refusal `claim_not_found` */
export function unknownToken(): never {
  return refuse('claim_not_found', 'There is no claim with this token.', {
    hint: `Send the whole token of the claim that ${call('agent_claim.create')} gave, or the account's key where you still have that. Without either, ${call('agent_claim.create')} gives another account.`,
  })
}

const wholeLink = 'Open the whole link of the claim, as it was given to you: its end is the code.'
