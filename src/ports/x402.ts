import type { EffectMark } from './sender.ts'

/** What is to be paid by x402, in the form of the payer's protocol version. */
export interface X402Requirements {
  scheme: 'exact'
  network: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: Record<string, unknown>
  [member: string]: unknown
}

/** A signed payment, with what is to be paid. */
export interface X402Bill {
  version: 1 | 2
  /** As the payer sent it. */
  payload: Record<string, unknown>
  requirements: X402Requirements
}

/** A facilitator's verdict on a payment; `reason` is one of `x402Reasons`. */
export type X402Verdict = { isValid: true } | { isValid: false; reason: X402Reason }

/**
 * The result of settling. `refused`: nothing was paid, and this payment never will be. `not_done`: nothing
 * was sent. `used`: the payer's authorization was already used, for this or something else. `unknown`: it
 * may have been paid; settled again it is paid at most once, because of its nonce.
 */
export type X402Settlement =
  | { outcome: 'settled'; transaction: string }
  | { outcome: 'refused' | 'used'; reason: X402Reason }
  | { outcome: 'not_done' | 'unknown' }

/** Why a payment is not valid: words of the protocol, and `other` for any other reason of a facilitator. */
export const x402Reasons = [
  'insufficient_funds',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_payload_authorization_value',
  'invalid_exact_evm_payload_signature',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_network',
  'invalid_payload',
  'invalid_payment_requirements',
  'invalid_scheme',
  'unsupported_scheme',
  'invalid_x402_version',
  'other',
] as const
/** Why a payment is not valid. */
export type X402Reason = (typeof x402Reasons)[number]

/** Verifies payments by x402 and settles them on their chain. */
export interface Facilitator {
  /**
   * Changes nothing.
   * @throws PaymentsFailed if it gave no verdict
   */
  verify(bill: X402Bill): Promise<X402Verdict>
  /** Never throws: an unknown result is an outcome too. */
  settle(bill: X402Bill, mark: EffectMark): Promise<X402Settlement>
  close(): Promise<void>
}
