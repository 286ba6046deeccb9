import type { Stripe } from 'stripe'
import { PaymentsFailed } from '#src/ports/payments.ts'
import type { StripeLine } from './line.ts'

/**
 * The customer of an account, created when first needed. Two mechanisms prevent duplicates, and each
 * covers where the other fails: a search, which finds a customer only minutes after its creation, and
 * the idempotency key, which Stripe forgets after a day.
 */
export async function customerFor(line: StripeLine, accountId: string): Promise<string> {
  const found = await searched(line, accountId)
  if (found !== undefined) return found
  const made = await line.write((stripe) =>
    stripe.customers.create(
      { metadata: { account_id: accountId } },
      { idempotencyKey: `customer_${accountId}` },
    ),
  )
  return made.id
}

/** The oldest, if there are several: then every process uses the same one. */
async function searched(line: StripeLine, accountId: string): Promise<string | undefined> {
  const quoted = accountId.replaceAll(/[\\']/g, String.raw`\$&`)
  const query = `metadata['account_id']:'${quoted}'`
  const data = await line
    .read((stripe) => stripe.customers.search({ query, limit: 100 }))
    .then((found): Stripe.Customer[] => found.data, noneIfRefused)
  const [oldest] = data.toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
  return oldest?.id
}

/** Not every account at Stripe may search: accounts in India may not. Their payers are still served. */
function noneIfRefused(failure: unknown): [] {
  if (failure instanceof PaymentsFailed && failure.outcome === 'refused') return []
  throw failure
}
