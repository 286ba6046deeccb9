import type { Ports } from '#src/core/context.ts'
import type { ModelPrices } from '#src/core/spend/prices.ts'
import type { TurnUsage } from '#src/ports/model.ts'
import { recordCallOf, type Call } from '#src/runs/spend/record.ts'
import type { Spender } from '#src/runs/spend/sum.ts'

/** A token costs a cent in, and two out. */
export const centsAToken: ModelPrices = new Map([
  ['openai/priced', { input: 10_000_000_000, output: 20_000_000_000, cachedInput: 0 }],
])

/** A call of `openai/priced`, or of another model, which has no price. */
export function callOf(usage: Partial<TurnUsage>, model = 'priced'): Call {
  const choice = { name: { provider: 'openai', model }, own: {} }
  const whole = { input_tokens: 0, output_tokens: 0, ...usage }
  return { choice, model: `openai/${model}`, usage: whole }
}

/** Counts a call as if an agent had made it. */
export function spend(
  { store, clock, settings }: Pick<Ports, 'store' | 'clock' | 'settings'>,
  spender: Partial<Spender> & Pick<Spender, 'owner_id'>,
  call: Call,
): Promise<void> {
  const priced = { store, clock, settings: { ...settings, modelPrices: centsAToken } }
  return recordCallOf(priced, { char_id: 'ada', app_id: null, ...spender }, call)
}
