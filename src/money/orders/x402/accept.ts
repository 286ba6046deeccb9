import type { Ports } from '#src/core/context.ts'
import { Refusal, refuse } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import { PaymentsFailed } from '#src/ports/payments.ts'
import type { Write } from '#src/ports/store.ts'
import type { X402Bill, X402Reason, X402Verdict } from '#src/ports/x402.ts'
import { requirementsOf, type X402Asked } from './ask.ts'
import {
  objections,
  objectionTo,
  paymentKey,
  readPayment,
  type StoredX402Payment,
} from './payment.ts'

type Needed = Pick<Ports, 'store' | 'settings' | 'facilitator' | 'clock' | 'log'>

/** A payment that its facilitator has verified, to be kept with the order that it is for. */
export interface X402Accepted {
  /** The address on its chain that pays. */
  payer: string
  /** Commit it with the order: `DuplicateKey` in `x402_payments` is `paymentUsed`. */
  write(order: { id: string; currency: string }): Write
}

/** The result for a payment that was sent along: `declined` says why it pays for nothing. */
export type X402Taken = X402Accepted | { declined: string }

/**
 * Checks a payment by x402 and has it verified; nothing is paid yet. Once it is kept, `settleDue`
 * settles it, and only then does the order begin.
 * @param text base64 of JSON, as x402 encodes it in a header
 * @throws Refusal `invalid_input` for what is not a payment, `payment_used`, `provider_unavailable`
 */
export async function takenPayment(
  { store, settings, facilitator, clock, log }: Needed,
  asked: X402Asked,
  text: string,
): Promise<X402Taken> {
  const terms = settings.x402
  if (!terms || !facilitator) return noneTaken()
  const payment = readPayment(text)
  const now = clock.now()
  const declined = objectionTo(payment, terms, asked.amount_cents, now)
  if (declined !== undefined) return { declined }
  const requirements = requirementsOf(terms, asked, payment.version)
  if (!requirements) return { declined: objections.network }
  const id = paymentKey(payment, terms)
  if (await store.x402_payments.get(id)) return paymentUsed()
  const bill: X402Bill = { version: payment.version, payload: payment.payload, requirements }
  const verdict = await facilitator.verify(bill).catch((cause: unknown) => away(log, cause))
  if (!verdict.isValid) return { declined: sentences[verdict.reason] }
  const at = timestamp(now)
  const kept: Omit<StoredX402Payment, 'order_id' | 'currency'> = {
    id,
    bill: JSON.stringify(bill),
    payer: payment.payer,
    amount_cents: asked.amount_cents,
    valid_before: timestamp(new Date(Math.min(payment.validBefore * 1000, latest))),
    status: 'settling',
    open_tries: 0,
    settled_by: null,
    attempts: 0,
    created_at: at,
    due_at: at,
  }
  return {
    payer: payment.payer,
    write: ({ id: order_id, currency }) => ({
      in: 'x402_payments',
      insert: { ...kept, order_id, currency },
    }),
  }
}

/** Payers may sign without an end; dates have a limit. */
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/** @throws Refusal `payment_used` always */
export function paymentUsed(options?: ErrorOptions): never {
  return refuse('payment_used', 'This payment has been used for an order.', {
    ...options,
    hint: 'The answer to a repeated call is kept under its Idempotency-Key. Otherwise sign a new payment.',
  })
}

function noneTaken(): never {
  const message = 'This server takes no payments by x402.'
  return refuse('invalid_input', `payment: ${message}`, {
    errors: [{ pointer: '/payment', message, code: 'not_supported' }],
    hint: 'Leave the payment out: the refusal then names a checkout.',
  })
}

function away(log: Ports['log'], cause: unknown): X402Verdict {
  if (!(cause instanceof PaymentsFailed)) throw cause
  log.warn('the x402 facilitator gave no verdict', { cause })
  throw new Refusal('provider_unavailable', 'The payment could not be verified now.', {
    hint: 'Nothing was paid and nothing was kept: send the same payment again later.',
    retryAfterSeconds: 10,
    cause,
  })
}

const otherTerms = 'It is not what `accepts` asks for.'

const sentences: Readonly<Record<X402Reason, string>> = {
  insufficient_funds: 'Its payer does not hold enough of the token.',
  invalid_exact_evm_payload_authorization_valid_after: 'It is not valid yet.',
  invalid_exact_evm_payload_authorization_valid_before: objections.expiry,
  invalid_exact_evm_payload_authorization_value: objections.amount,
  invalid_exact_evm_payload_signature: 'Its signature is not that of its payer.',
  invalid_exact_evm_payload_recipient_mismatch: objections.recipient,
  invalid_network: objections.network,
  invalid_payload: otherTerms,
  invalid_payment_requirements: otherTerms,
  invalid_scheme: otherTerms,
  unsupported_scheme: otherTerms,
  invalid_x402_version: otherTerms,
  other: 'The facilitator did not accept it.',
}
