import * as z from 'zod'
import type { OwnQuotas } from '#src/core/counts/quota-table.ts'
import type { OwnRetention } from '#src/core/counts/own-retention.ts'
import { digest, newId, newToken } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'

/** Owns agents, apps, keys and the wallet. A person holds accounts; a claim sets the holder. */
export interface Account {
  id: string
  kind: 'agent' | 'person'
  /** `free`, or the plan that the operator gave it. */
  plan: string
  /** The quotas that the operator gave it in place of its plan's. */
  quotas?: OwnQuotas
  /** The person who holds it; null until it is claimed. */
  holder_id: string | null
  name: string | null
  created_at: string
  /** What models are asked is not kept with the events of runs. */
  keep_prompts?: boolean
  /** What it keeps for less long than the operator does. */
  retention?: OwnRetention
  /** Approvals of its runs and by its agents are decided by signed-in persons alone. */
  approvals_need_person?: boolean
  /** What its keys together may spend in a day (UTC), in cents; beyond it a person has to. */
  key_spend_cents_a_day?: number | null
  /** What they have spent on the last day on which they did, while there was such a figure. */
  key_spend?: { day: string; cents: number }
  /** When one of its agents solved a challenge of the Commons, which makes their votes count. */
  proven_at?: string
  /** When the last of its deleted runs completed. */
  completed_at?: string
  /** When its claim token was last used for a new key. */
  recovered_at?: string
  /** When its claim was rejected or it was closed as idle: none of its keys works, and nothing of it runs. */
  closed_at?: string
  /** Since when the operator has suspended it: its credentials are refused, and its runs wait. */
  suspended_at?: string
  /** When work that a closed account has left running is next looked for; absent once there can be none. */
  closing_due_at?: string
  /** When an owner deleted it: what it has is purged as soon as everything of it has ended. */
  deleted_at?: string
}

/** The record of a claim link: reading its status gives the key back from `sealed_key`. */
export interface Claim {
  id: string
  account_id: string
  key_id: string
  token_hash: string
  code_hash: string
  /** The key, sealed under the claim token, which is stored nowhere. Null once the key is revoked. */
  sealed_key: string | null
  /** Rejected: the person with the link did not want the account, and its keys stopped working. */
  status: 'active' | 'claimed' | 'rejected'
  created_at: string
  /** When a person registered by its link, where sign-up is by invitation: once only. */
  admitted_at?: string
  /** The person who has claimed or rejected it, and when. */
  decided_by?: string
  decided_at?: string
}

/** How long a claim link may be used. */
export const claimDays = 90

/** What else a key that acts as an agent may be allowed: to set what only the owner may set. */
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
    rights: KeyRights.optional().describe('Absent in keys that were made before rights existed.'),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
    revoked_at: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' })
/** A key as listings show it. */
export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>

/** A key at rest: only its SHA-256. */
export interface ApiKey extends ApiKeyRecord {
  hash: string
  account_id: string
  /** The connection of the program that made it, with which it ends. */
  made_by?: string
  /** The networks that it was used from, and how many there have been. */
  networks?: string[]
  networks_count?: number
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
