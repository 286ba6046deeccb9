import type { Warning } from '#src/core/schema.ts'
import type { Settings } from '#src/core/settings.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Store } from '#src/ports/store.ts'
import { timestamp } from '#src/core/time.ts'
import { call } from '#src/core/words/reference.ts'
import type { ApiKey } from './account.ts'
import { linkEndsAt } from './claim-link.ts'

type OfKey = Pick<ApiKey, 'id' | 'account_id' | 'scope_char_id' | 'revoked_at'>

/** Whether revoking this key leaves the account without a working key; scoped keys cannot make new ones. */
export async function isLastKey(
  { api_keys }: Pick<Store, 'api_keys'>,
  { id, account_id, scope_char_id, revoked_at }: OfKey,
): Promise<boolean> {
  if (scope_char_id !== null || revoked_at !== null) return false
  const others = { account_id, scope_char_id: null, revoked_at: null, id: { $ne: id } }
  return (await api_keys.find(others, { limit: 1 })).length === 0
}

/** The warning for a caller that revokes the last key, with the way to get another. */
export async function lastKeyWarning(
  { store, clock, settings }: { store: Store; clock: Clock; settings: Pick<Settings, 'publicUrl'> },
  { account_id }: Pick<ApiKey, 'account_id'>,
): Promise<Warning> {
  const account = await store.accounts.get(account_id)
  // The key of the claim is the first of the account.
  const [first] = await store.api_keys.find({ account_id }, { sort: { id: 1 }, limit: 1 })
  const [claim] = first ? await store.claims.find({ key_id: first.id }, { limit: 1 }) : []
  const way = (): string => {
    const keys = `${settings.publicUrl}/settings`
    if (account?.holder_id != null) return `The person who holds it makes a new one at ${keys}.`
    if (claim?.status !== 'active') {
      return `No person holds it, and it has no claim token: there is no way back into it. ${call('agent_claim.create')} gives a new account.`
    }
    const recover = `${call('agent_claim.recover')} gives a new one for its claim token.`
    const until = linkEndsAt(claim)
    if (timestamp(clock.now()) >= until) return recover
    return `${recover} A person who opens its claim_url before ${until} takes it over, and makes one at ${keys}.`
  }
  return { code: 'last_key', message: `This was the last key of the account. ${way()}` }
}
