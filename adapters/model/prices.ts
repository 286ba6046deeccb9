import type { ModelPrice, ModelPrices, PriceInDollars, PriceTable } from '#src/core/spend/prices.ts'
import { knownPrices } from './known-prices.ts'
import { openaiBaseUrl } from './models.ts'

/**
 * The prices that hold: the operator's, and the shipped ones for what they leave out. What stands for OpenAI at another
 * address has prices of its own.
 */
export function pricesOf(own: PriceTable, openai: { baseUrl: string }): ModelPrices {
  const shipped = Object.entries(knownPrices).filter(
    ([name]) => !name.startsWith('openai/') || openai.baseUrl === openaiBaseUrl,
  )
  const all = { ...Object.fromEntries(shipped), ...own }
  return new Map(
    Object.entries(all).flatMap(([name, price]) => (price ? [[name, exact(price)] as const] : [])),
  )
}

function exact({ input, output, cached_input }: PriceInDollars): ModelPrice {
  const cachedInput = cached_input === undefined ? undefined : micros(cached_input)
  return { input: micros(input), output: micros(output), cachedInput }
}

function micros(dollars: number): number {
  return Math.round(dollars * 1e6)
}
