import type { LimitTable } from './limits.ts'
import type { QuotaTable } from './quotas.ts'

/** What a process may do beside answering; the operator chooses. */
export const roles = ['api', 'scheduler', 'runner', 'deliveries', 'knowledge', 'upkeep'] as const
/** One of the things that a process may do. */
export type Role = (typeof roles)[number]

/** What the operator has set and operations may know. */
export interface Settings {
  /** Where the service is reached from outside, without a final slash. */
  publicUrl: string
  version: string
  /** Requests that may come in, and what an account may hold. */
  limits: LimitTable
  quotas: QuotaTable
  /** The proof of work for a Commons handle: `bits` where the operator has fixed them. */
  proofOfWork: { bits: number | undefined; ttlSeconds: number }
}
