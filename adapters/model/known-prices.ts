import type { PriceInDollars } from '#src/core/spend/prices.ts'

/** The days on which the prices were last compared with what is published. */
const inMarch = '2026-03-31'
const inApril = '2026-04-13'
const inOctober = '2026-10-24'

/**
 * Prices of the providers' own services as they published them: US dollars for a million tokens, for their usual
 * service and prompts of a usual length. The operator's table comes before them. A model whose price depends on more
 * than that is not here, as one figure would be wrong for some of its calls.
 */
export const knownPrices: Readonly<Record<string, PriceInDollars & { as_of: string }>> = {
  'openai/gpt-5.4': { input: 2.5, cached_input: 0.25, output: 15, as_of: inApril },
  'openai/gpt-5.4-mini': { input: 0.75, cached_input: 0.075, output: 4.5, as_of: inApril },
  'openai/gpt-5.4-nano': { input: 0.2, cached_input: 0.02, output: 1.25, as_of: inApril },
  'openai/gpt-5.2': { input: 1.75, cached_input: 0.175, output: 14, as_of: inApril },
  'openai/gpt-5.1': { input: 1.25, cached_input: 0.125, output: 10, as_of: inApril },
  'openai/gpt-5': { input: 1.25, cached_input: 0.125, output: 10, as_of: inMarch },
  'openai/gpt-5-mini': { input: 0.25, cached_input: 0.025, output: 2, as_of: inMarch },
  'openai/gpt-5-nano': { input: 0.05, cached_input: 0.005, output: 0.4, as_of: inMarch },
  'openai/gpt-4.1': { input: 2, cached_input: 0.5, output: 8, as_of: inMarch },
  'openai/gpt-4.1-mini': { input: 0.4, cached_input: 0.1, output: 1.6, as_of: inMarch },
  'openai/gpt-4.1-nano': { input: 0.1, cached_input: 0.025, output: 0.4, as_of: inMarch },
  'openai/gpt-4o': { input: 2.5, cached_input: 1.25, output: 10, as_of: inMarch },
  'openai/gpt-4o-mini': { input: 0.15, cached_input: 0.075, output: 0.6, as_of: inMarch },
  'openai/o3': { input: 2, cached_input: 0.5, output: 8, as_of: inMarch },
  'openai/o3-mini': { input: 1.1, cached_input: 0.55, output: 4.4, as_of: inMarch },
  'openai/o4-mini': { input: 1.1, cached_input: 0.275, output: 4.4, as_of: inMarch },
  'anthropic/claude-opus-5-5': { input: 4, cached_input: 0.2, output: 20, as_of: inOctober },
  'anthropic/claude-opus-5': { input: 5, cached_input: 0.5, output: 25, as_of: inOctober },
  'anthropic/claude-opus-4-8': { input: 5, cached_input: 0.5, output: 25, as_of: inOctober },
  'anthropic/claude-opus-4-7': { input: 5, cached_input: 0.5, output: 25, as_of: inOctober },
  'anthropic/claude-opus-4-6': { input: 5, cached_input: 0.5, output: 25, as_of: inOctober },
  'anthropic/claude-opus-4-5': { input: 5, cached_input: 0.5, output: 25, as_of: inOctober },
  'anthropic/claude-opus-4-5-20251101': {
    input: 5,
    cached_input: 0.5,
    output: 25,
    as_of: inOctober,
  },
  'anthropic/claude-opus-4-1': { input: 15, cached_input: 1.5, output: 75, as_of: inOctober },
  'anthropic/claude-opus-4-1-20250805': {
    input: 15,
    cached_input: 1.5,
    output: 75,
    as_of: inOctober,
  },
  'anthropic/claude-sonnet-5-5': { input: 2, cached_input: 0.1, output: 10, as_of: inOctober },
  'anthropic/claude-sonnet-5': { input: 2, cached_input: 0.2, output: 10, as_of: inOctober },
  'anthropic/claude-sonnet-4-6': { input: 3, cached_input: 0.3, output: 15, as_of: inOctober },
  'anthropic/claude-sonnet-4-5': { input: 3, cached_input: 0.3, output: 15, as_of: inOctober },
  'anthropic/claude-sonnet-4-5-20250929': {
    input: 3,
    cached_input: 0.3,
    output: 15,
    as_of: inOctober,
  },
  'anthropic/claude-sonnet-4-20250514': {
    input: 3,
    cached_input: 0.3,
    output: 15,
    as_of: inOctober,
  },
  'anthropic/claude-haiku-4-5': { input: 1, cached_input: 0.1, output: 5, as_of: inOctober },
  'anthropic/claude-haiku-4-5-20251001': {
    input: 1,
    cached_input: 0.1,
    output: 5,
    as_of: inOctober,
  },
}
