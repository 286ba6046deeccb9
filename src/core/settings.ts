import type { LimitTable } from './limits.ts'
import type { QuotaTable } from './quotas.ts'

/** What the operator has set and operations may know. */
export interface Settings {
  /** Where the service is reached from outside, without a final slash. */
  publicUrl: string
  version: string
  /** Requests that may come in, and what an account may hold. */
  limits: LimitTable
  quotas: QuotaTable
}
