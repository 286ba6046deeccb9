import type { Account, ApiKey } from '#src/accounts/account.ts'

/** Whoever sends no credential, or one that an open operation does not mind. */
export interface Anonymous {
  kind: 'anonymous'
  accountId?: undefined
  charId?: undefined
}

/** A key of an account; with `charId` it acts as that agent and reaches nothing else. */
export interface KeyCaller {
  kind: 'key'
  accountId: string
  keyId: string
  charId: string | undefined
  /** A person has claimed the account: wider quotas. */
  claimed: boolean
  key: Pick<ApiKey, 'id' | 'name' | 'scope_char_id'>
}

/** Whoever calls. */
export type Caller = Anonymous | KeyCaller

/** The one caller without a credential. */
export const anonymous: Anonymous = { kind: 'anonymous' }

/** Who an idempotency key belongs to: the key's own id, so that two agents of an account never share one. */
export function callerName(caller: Caller, address: string): string {
  return caller.kind === 'key' ? caller.keyId : `address:${address}`
}

/** Who a key acts as. */
export function callerOf(key: ApiKey, account: Account): KeyCaller {
  return {
    kind: 'key',
    accountId: account.id,
    keyId: key.id,
    charId: key.scope_char_id ?? undefined,
    claimed: account.holder_id !== null,
    key: { id: key.id, name: key.name, scope_char_id: key.scope_char_id },
  }
}
