import type { TurnUsage } from '#src/ports/model.ts'

/**
 * What a model costs: US dollars for a million tokens, in millionths of a dollar. The same figures are billionths of
 * a thousandth of a dollar for one token, so that a price with six decimals is a whole number.
 */
export interface ModelPrice {
  input: number
  output: number
  /** Of input that the provider had read before; where it has no price of its own, it costs what other input does. */
  cachedInput?: number | undefined
}

/** The same as people write it: in US dollars for a million tokens. */
export interface PriceInDollars {
  input: number
  output: number
  cached_input?: number | undefined
  /** The day on which it was last compared with what the provider publishes. */
  as_of?: string | undefined
}

/** Prices of an operator by `provider/model`; null takes a shipped one away. */
export type PriceTable = Readonly<Record<string, PriceInDollars | null>>

/** Prices by `provider/model`. A model that is not among them costs an unknown amount. */
export type ModelPrices = ReadonlyMap<string, ModelPrice>

/** Billionths of a dollar in a cent. */
const nanosACent = 10_000_000

/** What tokens cost, in billionths of a dollar (nanos), rounded once; undefined if that cannot be known. */
export function nanosOf(
  price: ModelPrice | undefined,
  { input_tokens, output_tokens, cached_input_tokens = 0, unreported }: TurnUsage,
): number | undefined {
  if (!price || unreported) return undefined
  const cached = Math.min(cached_input_tokens, input_tokens)
  const { input, output, cachedInput = input } = price
  // Tokens times price may be beyond what a number holds exactly.
  const sum =
    product(input_tokens - cached, input) +
    product(cached, cachedInput) +
    product(output_tokens, output)
  return Number((sum + 500n) / 1000n)
}

function product(tokens: number, price: number): bigint {
  return BigInt(tokens) * BigInt(price)
}

/** Nanos as cents, with at most seven decimals: for display alone, as sums are made of nanos. */
export function centsOfNanos(nanos: number): number {
  return nanos / nanosACent
}

/** The nanos that were shown as cents. */
export function nanosOfCents(cents: number): number {
  return Math.round(cents * nanosACent)
}
