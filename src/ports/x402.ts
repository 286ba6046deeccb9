/** What a payment by x402 is to be, in the words of the version of the protocol that its payer speaks. */
export interface X402Requirements {
  scheme: 'exact'
  network: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: Record<string, unknown>
  [member: string]: unknown
}

/** A signed payment, with what it is to be. */
export interface X402Bill {
  version: 1 | 2
  /** As the payer sent it. */
  payload: Record<string, unknown>
  requirements: X402Requirements
}

/** What a facilitator says of a payment; `reason` is one of `x402Reasons`. */
export type X402Verdict = { isValid: true } | { isValid: false; reason: X402Reason }

/**
 * What came of settling. `refused`: nothing was paid, and this payment will never be. `not_done`:
 * nothing was sent. `used`: the payer's authorization was used before, by whatever. `unknown`: it may
 * have been paid; settled again it is paid at most once, by the nonce in it.
 */
export type X402Settlement =
  | { outcome: 'settled'; transaction: string }
  | { outcome: 'refused' | 'used'; reason: X402Reason }
  | { outcome: 'not_done' | 'unknown' }

/** Why a payment is none: words of the protocol, and `other` for whatever else a facilitator says. */
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
/** Why a payment is none. */
export type X402Reason = (typeof x402Reasons)[number]

/** Who verifies payments by x402 and settles them on their chain. */
export interface Facilitator {
  /**
   * Changes nothing.
   * @throws PaymentsFailed when it gave no verdict
   */
  verify(bill: X402Bill): Promise<X402Verdict>
  /** Never throws: what is not known is an outcome too. */
  settle(bill: X402Bill): Promise<X402Settlement>
  close(): Promise<void>
}
