import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { ServerResponse } from 'node:http'
import type { X402Terms } from '#src/core/settings.ts'
import type { Facilitator } from '#src/ports/x402.ts'
import { startWebServer } from './web-server.ts'

/** What a facilitator is asked. */
interface Request {
  x402Version: 1 | 2
  paymentPayload: {
    x402Version: number
    scheme?: string
    network?: string
    accepted?: Record<string, unknown>
    payload: { signature: string; authorization: Authorization }
  }
  paymentRequirements: {
    scheme: string
    network: string
    payTo: string
    amount?: string
    maxAmountRequired?: string
  }
}

interface Authorization {
  from: string
  to: string
  value: string
  validAfter: string
  validBefore: string
  nonce: string
}

/**
 * What the next settlement does. `lost`: it settles, and breaks off before it answers; `dropped`: it
 * breaks off and does nothing; `busy`: 503 and nothing is done; `vague`: it settles, and calls it an
 * unexpected error.
 */
export type Mishap = 'lost' | 'dropped' | 'busy' | 'vague'

/** A facilitator of x402 on the loopback, which keeps the chain of its payments itself. */
export interface StandInFacilitator {
  url: string
  terms: X402Terms
  /** Every request so far. */
  asked: { path: '/verify' | '/settle'; body: Request }[]
  /** What was paid, by nonce: the transaction. */
  paid: Map<string, string>
  /** For the settlements to come, in this order. */
  mishaps: Mishap[]
  /** A payment that was settled before is settled again, as the same transaction. */
  isForgiving: boolean
  /** Payers who hold nothing. */
  poor: Set<string>
  close(): void
}

const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const asset = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** Terms of a facilitator that is there. */
export function x402TermsAt(facilitator: string, more: Partial<X402Terms> = {}): X402Terms {
  return {
    pay_to: payTo,
    network: 'base',
    asset,
    units_per_cent: 10_000,
    facilitator,
    extra: { name: 'USD Coin', version: '2' },
    max_timeout_seconds: 60,
    ...more,
  }
}

export async function startFacilitator(): Promise<StandInFacilitator> {
  const site = await startWebServer()
  const chain: StandInFacilitator = {
    url: site.origin,
    terms: x402TermsAt(site.origin),
    asked: [],
    paid: new Map(),
    mishaps: [],
    isForgiving: false,
    poor: new Set(),
    close: () => site.close(),
  }
  for (const path of ['/verify', '/settle'] as const) {
    site.on(path, async (request, response) => {
      // What the server sends has this form; the tests compare it.
      const body = JSON.parse(await text(request)) as Request
      chain.asked.push({ path, body })
      if (path === '/verify') return verify(chain, body, response)
      return settle(chain, body, response)
    })
  }
  return chain
}

function verify(chain: StandInFacilitator, body: Request, response: ServerResponse): void {
  const { from: payer, nonce } = body.paymentPayload.payload.authorization
  const invalidReason =
    faultOf(chain, body) ?? (chain.paid.has(nonce) ? 'nonce_already_used' : undefined)
  answer(
    response,
    200,
    invalidReason ? { isValid: false, invalidReason, payer } : { isValid: true, payer },
  )
}

function settle(chain: StandInFacilitator, body: Request, response: ServerResponse): unknown {
  const { from: payer, nonce } = body.paymentPayload.payload.authorization
  const { network } = body.paymentRequirements
  const known = chain.paid.get(nonce)
  const said = { payer, network }
  if (known !== undefined) {
    return chain.isForgiving
      ? answer(response, 200, { success: true, transaction: known, ...said })
      : answer(response, 200, {
          success: false,
          errorReason: 'unexpected_error',
          errorMessage: 'execution reverted: FiatTokenV2: authorization is used or canceled',
          transaction: '',
          ...said,
        })
  }
  const errorReason = faultOf(chain, body)
  if (errorReason) {
    return answer(response, 200, { success: false, errorReason, transaction: '', ...said })
  }
  const mishap = chain.mishaps.shift()
  if (mishap === 'dropped') return response.destroy()
  if (mishap === 'busy') return answer(response, 503, { error: 'busy' })
  const transaction = `0x${randomBytes(32).toString('hex')}`
  chain.paid.set(nonce, transaction)
  if (mishap === 'lost') return response.destroy()
  if (mishap === 'vague') {
    const vague = { success: false, errorReason: 'unexpected_settle_error', transaction: '' }
    return answer(response, 500, { ...vague, ...said })
  }
  return answer(response, 200, { success: true, transaction, ...said })
}

/** Why a payment is none, in the words of the protocol. */
function faultOf(chain: StandInFacilitator, body: Request): string | undefined {
  const { paymentPayload: sent, paymentRequirements: asked } = body
  const { signature, authorization } = sent.payload
  if (sent.x402Version !== body.x402Version) return 'invalid_x402_version'
  const isTwo = body.x402Version === 2
  const chosen = isTwo ? sent.accepted : sent
  if (chosen?.['scheme'] !== 'exact' || asked.scheme !== 'exact') return 'invalid_scheme'
  if (chosen['network'] !== asked.network) return 'invalid_network'
  const amount = isTwo ? asked.amount : asked.maxAmountRequired
  if (amount === undefined) return 'invalid_payment_requirements'
  if (authorization.value !== amount) return 'invalid_exact_evm_payload_authorization_value'
  if (authorization.to !== asked.payTo) return 'invalid_exact_evm_payload_recipient_mismatch'
  if (signature === badSignature) return 'invalid_exact_evm_payload_signature'
  return chain.poor.has(authorization.from) ? 'insufficient_funds' : undefined
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** What no payer has signed. */
export const badSignature = `0x${'bad0'.repeat(32)}00`

/** What a payment is made of, where a test wants another one. */
export interface Signing {
  version?: 1 | 2
  network?: string
  scheme?: string
  to?: string
  value?: string
  from?: string
  nonce?: string
  validBefore?: string
  signature?: string
}

/** A payment as a client signs it, in the form of its header. */
export function signedPayment(terms: X402Terms, cents: number, signing: Signing = {}): string {
  return Buffer.from(JSON.stringify(paymentOf(terms, cents, signing))).toString('base64')
}

/** A payment before it is encoded. */
export function paymentOf(terms: X402Terms, cents: number, signing: Signing = {}): object {
  const { version = 1, scheme = 'exact' } = signing
  const { network = version === 1 ? 'base' : 'eip155:8453' } = signing
  const value = signing.value ?? String(cents * terms.units_per_cent)
  const authorization = {
    from: signing.from ?? `0x${randomBytes(20).toString('hex')}`,
    to: signing.to ?? terms.pay_to,
    value,
    validAfter: '0',
    validBefore: signing.validBefore ?? String(Math.floor(Date.now() / 1000) + 300),
    nonce: signing.nonce ?? `0x${randomBytes(32).toString('hex')}`,
  }
  const signature = signing.signature ?? `0x${randomBytes(65).toString('hex')}`
  const payload = { signature, authorization }
  if (version === 1) return { x402Version: 1, scheme, network, payload }
  const accepted = {
    scheme,
    network,
    amount: value,
    asset: terms.asset,
    payTo: authorization.to,
    maxTimeoutSeconds: terms.max_timeout_seconds,
    extra: terms.extra,
  }
  return { x402Version: 2, accepted, payload }
}

/** A facilitator that finds every payment good, where nothing of it is the matter. */
export function agreeingFacilitator(): Facilitator {
  return {
    verify: () => Promise.resolve({ isValid: true }),
    settle: () => Promise.resolve({ outcome: 'settled', transaction: `0x${'1'.repeat(64)}` }),
    close: () => Promise.resolve(),
  }
}
