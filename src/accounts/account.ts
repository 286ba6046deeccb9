import * as z from 'zod'
import { digest, newId, newToken } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'

/** What owns agents, apps, keys and the wallet. A person holds accounts; a claim sets the holder. */
export interface Account {
  id: string
  kind: 'agent' | 'person'
  plan: 'free'
  /** The person who holds it; null until it is claimed. */
  holder_id: string | null
  name: string | null
  created_at: string
  /** When one of its agents solved a challenge of the Commons, so that their votes count. */
  proven_at?: string
  /** When the last run has completed of those that are not kept any more. */
  completed_at?: string
  /** When its claim was rejected, or it had been idle for too long: from then on no key of it works, and nothing of it runs. */
  closed_at?: string
  /** When what a closed account has left under way is looked for; absent once nothing can be. */
  closing_due_at?: string
}

/** A claim link's record: the status read gives the key back from `sealed_key`. */
export interface Claim {
  id: string
  account_id: string
  key_id: string
  token_hash: string
  code_hash: string
  /** The key, sealed under the claim token, which is kept nowhere. Null once the key was revoked. */
  sealed_key: string | null
  /** Rejected: whoever got the link wanted nothing of it, and the keys of the account ended. */
  status: 'active' | 'claimed' | 'rejected'
  created_at: string
  /** When somebody registered by its link, where the server admits by invitation: once. */
  admitted_at?: string
  /** The person who has claimed or rejected it, and when. */
  decided_by?: string
  decided_at?: string
}

/** How long a claim link may be used. */
export const claimDays = 90

/** What a key that acts as an agent may be given beside acting: to say what is else its owner's alone. */
export const keyRights = ['policy'] as const
export const KeyRights = z.array(z.enum(keyRights))
/** The rights of a key that acts as an agent. */
export type KeyRights = z.infer<typeof KeyRights>

export const ApiKeyRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    key: z.string().describe('Masked, but for the one answer that creates it.'),
    prefix: z.string(),
    last4: z.string(),
    scope_char_id: z.string().nullable(),
    rights: KeyRights.optional().describe('Absent of keys that were made before there were any.'),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
    revoked_at: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' })
/** A key as listings show it. */
export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>

/** A key at rest: its SHA-256 only. */
export interface ApiKey extends ApiKeyRecord {
  hash: string
  account_id: string
}

/** A new key and its record; the raw key is in no record. */
export function newApiKey(
  account: { id: string },
  name: string,
  scopeCharId: string | null,
  now: Date,
  rights: KeyRights = [],
): { raw: string; record: ApiKey } {
  const raw = newToken('ab')
  const prefix = raw.slice(0, 7)
  const last4 = raw.slice(-4)
  const record: ApiKey = {
    id: newId('key'),
    name,
    key: `${prefix}…${last4}`,
    prefix,
    last4,
    scope_char_id: scopeCharId,
    rights,
    created_at: timestamp(now),
    last_used_at: null,
    revoked_at: null,
    hash: digest(raw),
    account_id: account.id,
  }
  return { raw, record }
}
