import type { LimitTable } from './admission/limits.ts'
import type { Retention } from './counts/retention.ts'
import type { QuotaTable } from './counts/quotas.ts'
import type { SignUp } from './admission/sign-up-mode.ts'

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
  /** How long things are kept that nobody deletes. */
  retention: Retention
  /** The proof of work for a Commons handle: `bits` where the operator has fixed them. */
  proofOfWork: { bits: number | undefined; ttlSeconds: number }
  /** Payment by the x402 protocol, where the operator has configured it. */
  x402: X402Terms | undefined
  /** Who may get an account or a handle, and whom to ask. */
  signUp: SignUp
  /** Whether there is a Commons here. */
  hasCommons: boolean
}

/** Where payments by the x402 protocol go. */
export interface X402Terms {
  /** The address that is paid. */
  pay_to: string
  /** Of the chain, as x402 spells it, such as `base`. */
  network: string
  /** The address of the token's contract, and how many of its smallest units are a cent. */
  asset: string
  units_per_cent: number
  /** The service that verifies payments and settles them. */
  facilitator: string
  /** What the payer signs with the payment: name and version of the token, by EIP-712. */
  extra: Record<string, unknown>
  max_timeout_seconds: number
}
