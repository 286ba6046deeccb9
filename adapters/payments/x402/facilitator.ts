import {
  effectHeaders,
  OutboundFailure,
  type OutboundAnswer,
  type Sender,
} from '#src/ports/sender.ts'
import { PaymentsFailed } from '#src/ports/payments.ts'
import {
  x402Reasons,
  type Facilitator,
  type X402Bill,
  type X402Reason,
  type X402Settlement,
} from '#src/ports/x402.ts'

export interface FacilitatorOptions {
  /** Its address, without a final slash. */
  url: string
  /** The facilitator's own: closed with it. */
  sender: Sender
}

/** A facilitator over HTTP: `/verify` and `/settle` of x402. Its own messages are never passed on. */
export function openFacilitator({ url, sender }: FacilitatorOptions): Facilitator {
  const ask = (path: string, bill: X402Bill, marked = {}): Promise<OutboundAnswer> =>
    sender.send({
      method: 'POST',
      url: `${url}${path}`,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...marked },
      body: JSON.stringify({
        x402Version: bill.version,
        paymentPayload: bill.payload,
        paymentRequirements: bill.requirements,
      }),
      // Another address is not the facilitator that the operator has chosen.
      redirects: 0,
    })
  return {
    async verify(bill) {
      const answer = await ask('/verify', bill).catch((cause: unknown) => {
        throw new PaymentsFailed('the facilitator gave no verdict', 'not_done', { cause })
      })
      const said = objectIn(answer)
      if (said?.['isValid'] === true && answer.status === 200) return { isValid: true }
      if (said?.['isValid'] === false) return { isValid: false, reason: reasonIn(said) }
      throw new PaymentsFailed(`the facilitator answered ${answer.status}`, 'not_done')
    },
    async settle(bill, mark) {
      try {
        return settlementIn(await ask('/settle', bill, effectHeaders(mark)))
      } catch (cause) {
        return { outcome: isUnsent(cause) ? 'not_done' : 'unknown' }
      }
    },
    close: () => sender.close(),
  }
}

/** Whether the request cannot have arrived. */
function isUnsent(cause: unknown): boolean {
  return (
    cause instanceof OutboundFailure &&
    ['address_invalid', 'address_refused', 'unreachable'].includes(cause.fault)
  )
}

function settlementIn(answer: OutboundAnswer): X402Settlement {
  const said = objectIn(answer)
  if (said?.['success'] === true && answer.status === 200) {
    const transaction = said['transaction']
    return { outcome: 'settled', transaction: isHash(transaction) ? transaction : '' }
  }
  // Rejected before it was processed.
  if (answer.status === 429 || answer.status === 401 || answer.status === 403) {
    return { outcome: 'not_done' }
  }
  if (said?.['success'] !== false) return { outcome: 'unknown' }
  if (tellsOfUse(said)) return { outcome: 'used', reason: 'other' }
  const reason = reasonIn(said)
  // A transaction may be on its way to a block although the facilitator no longer waited for it: only
  // an error found before anything was sent says that nothing will be paid.
  if (reason === 'other' || isHash(said['transaction'])) return { outcome: 'unknown' }
  return { outcome: 'refused', reason }
}

function objectIn({ body }: OutboundAnswer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    // Any JSON object or list, with any members.
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function reasonIn(said: Record<string, unknown>): X402Reason {
  const reason = said['invalidReason'] ?? said['errorReason']
  return x402Reasons.find((known) => known === reason) ?? 'other'
}

/** The protocol has no word for it; every token contract and facilitator uses its own. */
function tellsOfUse(said: Record<string, unknown>): boolean {
  const words = [said['errorReason'], said['errorMessage'], said['error']]
  return words.some(
    (text) =>
      typeof text === 'string' &&
      /nonce[ _-]?(?:already|is)?[ _-]?used|authorization[ _-]?(?:is|already)?[ _-]?used|already[ _-]?(?:settled|used)|duplicate/i.test(
        text.slice(0, 2000),
      ),
  )
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)
}
