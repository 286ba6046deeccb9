import type { Account } from '../account.ts'
import { linkEndsAt, linked } from '../claim-link.ts'
import { Refusal } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store } from '#src/ports/store.ts'

/** The state of a claim link. */
export interface ClaimPreview {
  /** Open: the account may be taken over. Claimed: a person holds it, this one or another. */
  state: 'open' | 'claimed' | 'rejected' | 'expired'
  account: Pick<Account, 'id' | 'name' | 'created_at' | 'holder_id'>
  /** When an open link expires. */
  expires_at: string
}

/** What the link with this code is for; undefined for an unknown code. Changes nothing. */
export async function previewOf(
  store: Pick<Store, 'claims' | 'accounts'>,
  code: string,
  now: Date,
): Promise<ClaimPreview | undefined> {
  const found = await linked(store, code).catch((cause: unknown) => {
    if (cause instanceof Refusal && cause.code === 'claim_not_found') return undefined
    throw cause
  })
  if (!found) return undefined
  const { claim, account } = found
  const { id, name, created_at, holder_id } = account
  const expires_at = linkEndsAt(claim)
  const preview = { account: { id, name, created_at, holder_id }, expires_at }
  if (claim.status === 'rejected') return { ...preview, state: 'rejected' }
  if (holder_id !== null) return { ...preview, state: 'claimed' }
  return { ...preview, state: expires_at <= timestamp(now) ? 'expired' : 'open' }
}
