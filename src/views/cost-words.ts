import { count } from '#src/core/html/words.ts'
import type { ModelUsage } from '#src/core/spend/usage.ts'

const usual = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const small = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 4,
})

/** US cents for people, of which a hundredth may matter. */
export function dollars(cents: number): string {
  if (cents > 0 && cents < 0.01) return `less than ${small.format(0.0001)}`
  return (cents < 100 ? small : usual).format(cents / 100)
}

/** What calls of models cost, and of how many that is unknown; undefined where none was made. */
export function costWords({
  cost_cents,
  unpriced_calls = 0,
}: Pick<ModelUsage, 'cost_cents' | 'unpriced_calls'>): string | undefined {
  if (unpriced_calls === 0) return cost_cents === undefined ? undefined : dollars(cost_cents)
  if (cost_cents === undefined) return 'unknown: the model has no price here'
  return `${dollars(cost_cents)}, and ${count(unpriced_calls, 'call')} of unknown cost`
}

/** The same in a few characters, for sums. */
export function sumWords({
  cost_cents,
  unpriced_calls,
}: {
  cost_cents: number | null
  unpriced_calls: number
}): string {
  if (cost_cents === null) return 'unknown'
  return unpriced_calls > 0 ? `${dollars(cost_cents)} + unknown` : dollars(cost_cents)
}
