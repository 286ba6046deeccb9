import type { Price } from '#src/ports/payments.ts'

const topUps = [
  { id: 'top_up_5', amount_cents: 500 },
  { id: 'top_up_20', amount_cents: 2000 },
  { id: 'top_up_100', amount_cents: 10_000 },
]

/** What is for sale if the operator has set no prices. */
export const testPrices: readonly Price[] = [
  ...topUps.map((price) => ({
    ...price,
    name: 'Top-up',
    description: 'Fills the wallet.',
    currency: 'usd',
    kind: 'one_time' as const,
    interval: null,
    char_id: null,
  })),
  {
    id: 'supporter_monthly',
    name: 'Supporter',
    description: 'A subscription to try out: it opens no agent.',
    amount_cents: 900,
    currency: 'usd',
    kind: 'recurring',
    interval: 'month',
    char_id: null,
  },
]
