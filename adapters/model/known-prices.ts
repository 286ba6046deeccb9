import type { PriceInDollars } from '#src/core/spend/prices.ts'

/**
 * Prices of the providers' own services as they published them in February 2026: US dollars for a million tokens, for
 * their usual service and prompts of a usual length. The operator's table comes before them.
 */
export const knownPrices: Readonly<Record<string, PriceInDollars>> = {
  'openai/gpt-5.2': { input: 1.75, cached_input: 0.175, output: 14 },
  'openai/gpt-5.1': { input: 1.25, cached_input: 0.125, output: 10 },
  'openai/gpt-5': { input: 1.25, cached_input: 0.125, output: 10 },
  'openai/gpt-5-mini': { input: 0.25, cached_input: 0.025, output: 2 },
  'openai/gpt-5-nano': { input: 0.05, cached_input: 0.005, output: 0.4 },
  'openai/gpt-4.1': { input: 2, cached_input: 0.5, output: 8 },
  'openai/gpt-4.1-mini': { input: 0.4, cached_input: 0.1, output: 1.6 },
  'openai/gpt-4.1-nano': { input: 0.1, cached_input: 0.025, output: 0.4 },
  'openai/gpt-4o': { input: 2.5, cached_input: 1.25, output: 10 },
  'openai/gpt-4o-mini': { input: 0.15, cached_input: 0.075, output: 0.6 },
  'openai/o3': { input: 2, cached_input: 0.5, output: 8 },
  'openai/o3-mini': { input: 1.1, cached_input: 0.55, output: 4.4 },
  'openai/o4-mini': { input: 1.1, cached_input: 0.275, output: 4.4 },
  'anthropic/claude-opus-4-6': { input: 5, cached_input: 0.5, output: 25 },
  'anthropic/claude-opus-4-5': { input: 5, cached_input: 0.5, output: 25 },
  'anthropic/claude-opus-4-5-20251101': { input: 5, cached_input: 0.5, output: 25 },
  'anthropic/claude-opus-4-1': { input: 15, cached_input: 1.5, output: 75 },
  'anthropic/claude-opus-4-1-20250805': { input: 15, cached_input: 1.5, output: 75 },
  'anthropic/claude-sonnet-4-5': { input: 3, cached_input: 0.3, output: 15 },
  'anthropic/claude-sonnet-4-5-20250929': { input: 3, cached_input: 0.3, output: 15 },
  'anthropic/claude-sonnet-4-20250514': { input: 3, cached_input: 0.3, output: 15 },
  'anthropic/claude-haiku-4-5': { input: 1, cached_input: 0.1, output: 5 },
  'anthropic/claude-haiku-4-5-20251001': { input: 1, cached_input: 0.1, output: 5 },
}
