import * as z from 'zod'
import type { TurnUsage } from '#src/ports/model.ts'
import { centsOfNanos, nanosOfCents } from './prices.ts'

export const ModelUsage = z.looseObject({
  input_tokens: z.int(),
  output_tokens: z.int(),
  cached_input_tokens: z
    .int()
    .optional()
    .describe('Of the input, what the provider had read before and charges less for.'),
  cost_cents: z
    .number()
    .optional()
    .describe('US cents, by the price table of the server; missing where nothing has a price.'),
  unpriced_calls: z
    .int()
    .optional()
    .describe('Calls of models of which the cost is unknown, and not in cost_cents.'),
})
/** What models were asked and what that cost, as far as it is known. */
export type ModelUsage = z.infer<typeof ModelUsage>

/** The usage with one more call of a model. @param nanos its cost; undefined if that is unknown */
export function withCall(
  before: ModelUsage,
  call: TurnUsage,
  nanos: number | undefined,
): ModelUsage {
  const cached = (before.cached_input_tokens ?? 0) + (call.cached_input_tokens ?? 0)
  const { cost_cents } = before
  return {
    ...before,
    input_tokens: before.input_tokens + call.input_tokens,
    output_tokens: before.output_tokens + call.output_tokens,
    ...(cached > 0 && { cached_input_tokens: cached }),
    ...(nanos === undefined
      ? { unpriced_calls: (before.unpriced_calls ?? 0) + 1 }
      : { cost_cents: centsOfNanos(nanosOfCents(cost_cents ?? 0) + nanos) }),
  }
}
