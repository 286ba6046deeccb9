import type { Clock } from '#src/ports/clock.ts'
import { PaymentsFailed, type Payments } from '#src/ports/payments.ts'
import { cached } from './cached.ts'
import { checkoutNow, openCheckout } from './checkouts.ts'
import { customerFor } from './customers.ts'
import { eventFrom } from './events.ts'
import { openLine, type StripeLine } from './line.ts'
import { pricesBy } from './prices.ts'
import { giveBack, refundNow } from './refunds.ts'
import { endSubscription, invoiceNow, paidInvoices, subscriptionNow } from './subscriptions.ts'

/** How the operator's account at Stripe is reached. */
export interface StripeTerms {
  secretKey: string
  /** Of the webhook endpoint that leads here. */
  webhookSecret: string
  /** Scheme, host and port of the API. */
  apiBase: string
  clock: Pick<Clock, 'now' | 'monotonic'>
  /** How long Stripe may take to answer. */
  timeoutMs?: number
}

const timeoutMsAtMost = 20_000
/** The wallet is kept in it, so it stays the same as long as the process runs. */
const currencySeconds = Infinity

/** Payments by Stripe. Its library is loaded with the first call. */
export function openStripe(terms: StripeTerms): Payments {
  const { secretKey, webhookSecret, apiBase, clock, timeoutMs = timeoutMsAtMost } = terms
  const line = openLine({ secretKey, apiBase, timeoutMs })
  const prices = pricesBy(line, clock)
  const currency = cached(clock, currencySeconds, () => currencyOf(line))
  return {
    name: 'stripe',
    isTest: /^[a-z]+_test_/.test(secretKey),
    currency: currency.get,
    prices: prices.all,
    price: prices.one,
    customer: (accountId) => customerFor(line, accountId),
    openCheckout: (asked) => openCheckout(line, asked),
    checkout: (session) => checkoutNow(line, session),
    async openPortal(customer, return_url) {
      // A second page does no harm, so each has the key that the library makes for it.
      const { id, url } = await line.write((stripe) =>
        stripe.billingPortal.sessions.create({ customer, return_url }),
      )
      return { id, url }
    },
    subscription: (id) => subscriptionNow(line, id),
    endSubscription: (id) => endSubscription(line, id),
    invoice: (id) => invoiceNow(line, id),
    paidInvoices: (subscription) => paidInvoices(line, subscription),
    refund: (payment, amountCents, key) => giveBack(line, payment, amountCents, key),
    refundState: (id) => refundNow(line, id),
    event: (body, signature) =>
      eventFrom(body, signature, { secret: webhookSecret, now: clock.now() }),
    close: async () => line.close(),
  }
}

async function currencyOf(line: StripeLine): Promise<string> {
  const { default_currency } = await line.read((stripe) => stripe.accounts.retrieveCurrent())
  if (default_currency) return default_currency
  throw new PaymentsFailed('The account at Stripe has no default currency.', 'not_done')
}
