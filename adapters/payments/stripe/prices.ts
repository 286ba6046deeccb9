import type { Stripe } from 'stripe'
import type { Clock } from '#src/ports/clock.ts'
import type { Price } from '#src/ports/payments.ts'
import { cached } from './cached.ts'
import type { StripeLine } from './line.ts'

/** How long prices are cached: an amount never changes, only which prices are for sale. */
const freshSeconds = 60
const pricesAtMost = 1000
const intervals = ['day', 'week', 'month', 'year'] as const

export interface StripePrices {
  all: () => Promise<readonly Price[]>
  one: (id: string) => Promise<Price | undefined>
}

/** What the operator sells at Stripe. */
export function pricesBy(line: StripeLine, clock: Pick<Clock, 'monotonic'>): StripePrices {
  const all = cached(clock, freshSeconds, () => listed(line))
  return {
    all: all.get,
    async one(id) {
      const known = all.fresh()?.find((price) => price.id === id)
      if (known) return known
      const found = await line.find(id, (stripe) =>
        stripe.prices.retrieve(id, { expand: ['product'] }),
      )
      return found && priceFrom(found)
    },
  }
}

/** The oldest first, so that a new price does not move the others. */
async function listed(line: StripeLine): Promise<readonly Price[]> {
  const found = await line.read((stripe) =>
    stripe.prices
      .list({ active: true, limit: 100, expand: ['data.product'] })
      .autoPagingToArray({ limit: pricesAtMost }),
  )
  return found
    .toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
    .flatMap((price) => priceFrom(price) ?? [])
}

/** Undefined if the amount is not one number, or the price is not sold any more. */
function priceFrom(price: Stripe.Price): Price | undefined {
  const { product, unit_amount } = price
  if (typeof product === 'string' || product.deleted || !product.active) return undefined
  if (!price.active || !hasOneAmount(price) || unit_amount === null) return undefined
  const interval = price.recurring && intervalOf(price.recurring)
  if (interval === undefined) return undefined
  return {
    id: price.id,
    name: product.name,
    description: product.description,
    amount_cents: unit_amount,
    currency: price.currency,
    kind: interval ? 'recurring' : 'one_time',
    interval,
    char_id: charOf(price),
  }
}

/** Leaves out tiers, packages, amounts that the payer chooses, and prices of zero. */
function hasOneAmount(price: Stripe.Price): boolean {
  const { billing_scheme, transform_quantity, custom_unit_amount, unit_amount } = price
  if (billing_scheme !== 'per_unit' || transform_quantity || custom_unit_amount) return false
  return Number.isSafeInteger(unit_amount) && Number(unit_amount) > 0
}

/** Undefined if it is metered, or its interval has no name here. */
function intervalOf({
  interval,
  interval_count,
  usage_type,
}: Stripe.Price.Recurring): Price['interval'] | undefined {
  if (usage_type !== 'licensed' || interval_count !== 1) return undefined
  return intervals.find((name) => name === interval)
}

/** The agent that a price opens: named by the price itself, else by its product. */
export function charOf({ metadata, product }: Stripe.Price): string | null {
  const named = typeof product === 'string' || product.deleted ? undefined : product.metadata
  return metadata['char_id'] || named?.['char_id'] || null
}
