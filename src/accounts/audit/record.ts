import * as z from 'zod'
import { Actor } from '#src/core/credentials/actor.ts'
import { digest } from '#src/core/ids.ts'
import { canonical } from '#src/core/text/canonical.ts'

/** How long records are kept. */
export const auditDays = 365

export const AuditRecord = z
  .object({
    account_id: z.string(),
    seq: z.int().describe('1 for the first record of the account, then one more each.'),
    at: z.string(),
    operation: z.string().describe('What was done.'),
    actor: Actor.describe('Who did it, with which credential.'),
    network: z
      .string()
      .nullable()
      .describe("The caller's network, never the whole address; null of another account's caller."),
    about: z.record(z.string(), z.string()).describe('The ids of what was changed.'),
    changed: z.array(z.string()).describe('The names of its changed members, never their values.'),
    previous: z.string().nullable().describe('The hash of the record before; null for the first.'),
    hash: z
      .string()
      .describe('SHA-256, in hex, of this record without hash as JSON with sorted members.'),
  })
  .meta({ id: 'AuditRecord' })
/** One change that matters to the security of an account. */
export type AuditRecord = z.infer<typeof AuditRecord>

/** A record at rest. */
export interface StoredAuditRecord extends AuditRecord {
  /** `account_id/seq`, whose order is that of the chain. */
  id: string
}

/** The newest record of an account's chain. */
export interface AuditHead {
  /** The id of the account. */
  id: string
  seq: number
  hash: string
}

/** What is recorded of a change, besides who made it and when. */
export interface AuditNote {
  /** The operation that made it. */
  operation: string
  about: Readonly<Record<string, string>>
  changed?: readonly string[]
  /** The account whose chain it stands in; by default the caller's. */
  accountId?: string
}

const digits = 12

/** The key of a record. */
export function auditId(accountId: string, seq: number): string {
  return `${accountId}/${String(seq).padStart(digits, '0')}`
}

/** The hash of a record: that of everything else in it. */
export function auditHash(record: Omit<AuditRecord, 'hash'>): string {
  const { account_id, seq, at, operation, actor, network, about, changed, previous } = record
  const whole = { account_id, seq, at, operation, actor, network, about, changed, previous }
  return digest(canonical(whole))
}
