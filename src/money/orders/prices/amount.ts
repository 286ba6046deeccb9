import { titleOf, type Selling } from '#src/agents/tasks/title.ts'
import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { reached } from '#src/money/payments/open-checkout.ts'
import type { CheckoutLine, Price } from '#src/ports/payments.ts'

/** The cost of an order, by the provider's prices and the task alone. */
export interface Amount {
  amount_cents: number
  currency: string
  /** What a checkout asks for. */
  line: CheckoutLine
}

/**
 * What an order of the task costs; undefined where it is free.
 * @throws Refusal `price_not_found` where the provider has no such price that is paid once,
 * `price_mismatch` where the task names two amounts or one in another currency, `provider_unavailable`
 */
export async function amountOf(
  ports: Pick<Ports, 'payments' | 'log'>,
  task: Selling,
): Promise<Amount | undefined> {
  const { payment_price_id, price_cents } = task
  if (payment_price_id) return reached(ports, () => pricedBy(ports, task, payment_price_id))
  if (price_cents === null || price_cents === 0) return undefined
  const currency = await reached(ports, () => ports.payments.currency())
  const line = { name: titleOf(task), amount_cents: price_cents, currency }
  return { amount_cents: price_cents, currency, line }
}

async function pricedBy(
  { payments }: Pick<Ports, 'payments'>,
  { price_cents, task_id }: Selling,
  priceId: string,
): Promise<Amount | undefined> {
  const price = await payments.price(priceId)
  if (price?.kind !== 'one_time') return unknownPrice(task_id)
  const { amount_cents, currency } = price
  const isOther = price_cents !== null && price_cents !== amount_cents
  if (isOther || currency !== (await payments.currency())) return mismatch(task_id, price)
  return amount_cents === 0 ? undefined : { amount_cents, currency, line: { price } }
}

const forOwner = 'Its owner has to correct that: price_cents and payment_price_id of the task.'

function unknownPrice(taskId: string): never {
  return refuse(
    'price_not_found',
    `The price of the task "${taskId}" is not a one-time price of the provider.`,
    {
      hint: forOwner,
    },
  )
}

function mismatch(taskId: string, { amount_cents, currency }: Price): never {
  const asked = `the provider asks for ${amount_cents} (${currency})`
  return refuse('price_mismatch', `The task "${taskId}" names another price: ${asked}.`, {
    hint: forOwner,
  })
}
