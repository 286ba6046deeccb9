import type { X402Terms } from '#src/core/settings.ts'
import type { X402Requirements } from '#src/ports/x402.ts'

/** What the payment is for. */
export interface X402Asked {
  amount_cents: number
  /** The address to pay at: where the order is made. */
  resource: string
  /** One sentence: what is paid for. */
  description: string
}

/** The members of a refusal that ask for a payment by x402. */
export interface X402Offer {
  x402Version: 1 | 2
  /** The accepted payments, as version 1 of the protocol reads them in a body. */
  accepts: X402Requirements[]
  /** The same in version 2, which REST sends in the header PAYMENT-REQUIRED. */
  x402?: {
    x402Version: 2
    error: string
    resource: { url: string; description: string; mimeType: string }
    accepts: X402Requirements[]
  }
}

const mimeType = 'application/json'

/** The names that version 1 has for chains, which version 2 names by CAIP-2. */
const chains: ReadonlyMap<string, number> = new Map([
  ['abstract', 2741],
  ['abstract-testnet', 11_124],
  ['avalanche', 43_114],
  ['avalanche-fuji', 43_113],
  ['base', 8453],
  ['base-sepolia', 84_532],
  ['iotex', 4689],
  ['peaq', 3338],
  ['polygon', 137],
  ['polygon-amoy', 80_002],
  ['sei', 1329],
  ['sei-testnet', 1328],
  ['story', 1514],
])

/** A network as a version of the protocol spells it; undefined where it has no name for it. */
export function networkIn(version: 1 | 2, network: string): string | undefined {
  const isOfTwo = network.includes(':')
  if (isOfTwo === (version === 2)) return network
  if (version === 2) {
    const id = chains.get(network)
    return id === undefined ? undefined : `eip155:${id}`
  }
  return [...chains].find(([, id]) => network === `eip155:${id}`)?.[0]
}

/** The amount in the smallest units of the token: doubles would not be exact. */
export function unitsOf({ units_per_cent }: X402Terms, amountCents: number): string {
  return String(BigInt(amountCents) * BigInt(units_per_cent))
}

/** The required payment; undefined where this version has no name for the network. */
export function requirementsOf(
  terms: X402Terms,
  asked: X402Asked,
  version: 1 | 2,
): X402Requirements | undefined {
  const network = networkIn(version, terms.network)
  if (network === undefined) return undefined
  const amount = unitsOf(terms, asked.amount_cents)
  const { resource, description } = asked
  const named =
    version === 1 ? { maxAmountRequired: amount, resource, description, mimeType } : { amount }
  return {
    scheme: 'exact',
    network,
    ...named,
    payTo: terms.pay_to,
    maxTimeoutSeconds: terms.max_timeout_seconds,
    asset: terms.asset,
    extra: terms.extra,
  }
}

/** The requirements in every version that has a name for the network. */
export function x402Offer(terms: X402Terms, asked: X402Asked): X402Offer {
  const one = requirementsOf(terms, asked, 1)
  const two = requirementsOf(terms, asked, 2)
  const { resource: url, description } = asked
  const error = 'PAYMENT-SIGNATURE header is required'
  const resource = { url, description, mimeType }
  const x402 = two && { x402: { x402Version: 2 as const, error, resource, accepts: [two] } }
  if (one) return { x402Version: 1, accepts: [one], ...x402 }
  return { x402Version: 2, accepts: two ? [two] : [], ...x402 }
}
