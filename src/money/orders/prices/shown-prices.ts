import type { Ports } from '#src/core/context.ts'
import { PaymentsFailed } from '#src/ports/payments.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

/** The public part of a price. */
export interface ShownPrice {
  price_cents: number | null
  /** Null where it costs nothing, or the provider cannot be reached now. */
  currency: string | null
}

type Selling = Pick<StoredTask, 'price_cents' | 'payment_price_id'>

/** The prices of tasks, as lists show them: without those of a provider that cannot be reached. */
export async function shownPrices(
  { payments }: Pick<Ports, 'payments'>,
  tasks: readonly Selling[],
): Promise<(task: Selling) => ShownPrice> {
  const isSold = tasks.some(({ payment_price_id }) => payment_price_id)
  const isPriced = tasks.some(({ price_cents }) => price_cents)
  const [prices, own] = await Promise.all([
    isSold ? payments.prices().catch(unknown) : undefined,
    isPriced ? payments.currency().catch(unknown) : undefined,
  ])
  return ({ price_cents, payment_price_id }) => {
    const sold = prices?.find(({ id }) => id === payment_price_id)
    if (sold) return { price_cents: sold.amount_cents, currency: sold.currency }
    return { price_cents, currency: (price_cents && !payment_price_id && own) || null }
  }
}

function unknown(cause: unknown): undefined {
  if (!(cause instanceof PaymentsFailed)) throw cause
}
