import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { digest } from '#src/core/ids.ts'
import type { X402Terms } from '#src/core/settings.ts'
import { networkIn, unitsOf } from './ask.ts'

/** The longest payment that is read: base64 of JSON, as in a header. */
export const x402CharactersAtMost = 8192

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
/** Decimal, or hexadecimal with 0x. */
const Whole = z.string().regex(/^(?:0[xX][0-9a-fA-F]{1,64}|[0-9]{1,78})$/)
const Network = z.string().max(100)

const Authorized = z.looseObject({
  signature: z.string().regex(/^0[xX][0-9a-fA-F]+$/),
  authorization: z.looseObject({
    from: Address,
    to: Address,
    value: Whole,
    validAfter: Whole,
    validBefore: Whole,
    nonce: Whole,
  }),
})
const Named = z.looseObject({ scheme: z.string(), network: Network })
const Payload = z.discriminatedUnion('x402Version', [
  Named.extend({ x402Version: z.literal(1), payload: Authorized }),
  z.looseObject({
    x402Version: z.literal(2),
    accepted: Named.extend({ amount: Whole, asset: Address, payTo: Address }),
    payload: Authorized,
  }),
])

/** A payment as its payer signed it, read but not verified. */
export interface X402Payment {
  version: 1 | 2
  scheme: string
  network: string
  payer: string
  payTo: string
  /** In the smallest units of the token. */
  value: bigint
  /** Seconds since 1970. */
  validBefore: number
  nonce: bigint
  /** As it was sent. */
  payload: Record<string, unknown>
}

/**
 * Reads the header of a payment: base64 of JSON, by the scheme `exact` on an EVM chain.
 * @throws Refusal `invalid_input`
 */
export function readPayment(text: string): X402Payment {
  const decoded = decodedFrom(text)
  const result = Payload.safeParse(decoded)
  if (!result.success) {
    const at = result.error.issues[0]?.path.join('.') ?? ''
    return malformed(at === '' ? 'It is not a payment of x402.' : `Its ${at} is missing or wrong.`)
  }
  const sent = result.data
  const { scheme, network } = sent.x402Version === 1 ? sent : sent.accepted
  const { from, to, value, validBefore, nonce } = sent.payload.authorization
  return {
    version: sent.x402Version,
    scheme,
    network,
    payer: from.toLowerCase(),
    payTo: to.toLowerCase(),
    value: BigInt(value),
    validBefore: Number(BigInt(validBefore)),
    nonce: BigInt(nonce),
    // What was parsed is an object, because its schema says so.
    payload: decoded as Record<string, unknown>,
  }
}

function decodedFrom(text: string): unknown {
  if (text.length > x402CharactersAtMost || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) {
    return malformed('It must be base64 of JSON, of at most 8192 characters.')
  }
  try {
    const bytes = Buffer.from(text, 'base64')
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch {
    return malformed('It must be base64 of JSON, and this is not.')
  }
}

function malformed(message: string): never {
  return refuse('invalid_input', `payment: ${message}`, {
    errors: [{ pointer: '/payment', message, code: 'invalid_payment' }],
    hint: 'Sign one of `accepts` of the refusal, and send the payment as x402 encodes it.',
  })
}

/** How many seconds a payment must still be valid, so that there is time to settle it. */
const leastSeconds = 6

/** Sentences of the built-in check that a facilitator's verdict may need too. */
export const objections = {
  network: 'It is on another network.',
  recipient: 'It is to another recipient.',
  amount: 'Its amount is different.',
  expiry: 'It has expired, or will very soon.',
} as const

/** Why a payment is not the one that was asked for, as a sentence; undefined where it is. */
export function objectionTo(
  payment: X402Payment,
  terms: X402Terms,
  amountCents: number,
  now: Date,
): string | undefined {
  if (payment.scheme !== 'exact') return 'It is not by the scheme exact.'
  const network = networkIn(payment.version, terms.network)
  if (payment.network !== network) return objections.network
  if (payment.payTo !== terms.pay_to.toLowerCase()) return objections.recipient
  if (payment.value !== BigInt(unitsOf(terms, amountCents))) return objections.amount
  const soon = now.getTime() / 1000 + leastSeconds
  if (payment.validBefore < soon) return objections.expiry
  return undefined
}

/** The identity of a payment, no matter who sends it: no chain accepts it twice. */
export function paymentKey(
  { payer, nonce }: Pick<X402Payment, 'payer' | 'nonce'>,
  { network, asset }: Pick<X402Terms, 'network' | 'asset'>,
): string {
  const chain = networkIn(2, network) ?? network
  return `x402_${digest([chain, asset.toLowerCase(), payer, nonce.toString(16)].join('\n'))}`
}

/** A stored payment by x402: for one order, and used once. */
export interface StoredX402Payment {
  /** `paymentKey`. */
  id: string
  order_id: string
  /** JSON of the `X402Bill`: a payer may have named members in ways that a store does not allow. */
  bill: string
  payer: string
  amount_cents: number
  currency: string
  /** When its chain no longer accepts it. */
  valid_before: string
  /** `settling` also while the outcome is uncertain; `unknown` once trying again cannot settle it. */
  status: 'settling' | 'settled' | 'failed' | 'unknown'
  /** How many tries may have paid it, because no answer said that they did not. */
  open_tries: number
  /** The hash of the transaction once it was paid; empty where the facilitator gave none. */
  settled_by: string | null
  attempts: number
  created_at: string
  /** When it is to be settled, or tried again; null once it has ended. */
  due_at: string | null
}
