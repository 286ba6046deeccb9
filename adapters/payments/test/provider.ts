import { SignatureWrong, type Payments, type Price } from '#src/ports/payments.ts'
import { insertionWrite, newestOf, newTestId, recordOf } from './records.ts'
import { giveBack, refundNow } from './refunds.ts'
import { openSession, stateOfSession } from './sessions.ts'
import { endSubscription, stateOf, subscriptionNow, type Terms } from './subscriptions.ts'

/** The path of the hosted pages: checkouts below it, portals one level further down. */
export const payPath = '/pay'
export const portalPath = `${payPath}/portal`
/** Anyone with the address sees what was paid, so the address expires soon. */
const portalMinutes = 60

export interface TestTerms extends Terms {
  prices: readonly Price[]
  currency: string
  /** The public URL of the service, known once it listens. */
  publicUrl: () => string
}

/** The built-in provider: it does all that others do, on pages of its own, and charges no one. */
export function openTestPayments(terms: TestTerms): Payments {
  const { store, clock, prices, currency, publicUrl } = terms
  return {
    name: 'test',
    isTest: true,
    currency: async () => currency,
    prices: async () => prices,
    price: async (id) => prices.find((price) => price.id === id),
    customer: async (accountId) => `test_customer_${accountId}`,
    async openCheckout(asked) {
      const { id, expires_at } = await openSession(terms, asked)
      return { session: id, url: `${publicUrl()}${payPath}/${id}`, expires_at }
    },
    async checkout(id) {
      const session = await recordOf(store, 'session', id)
      return session && stateOfSession(session, clock.now())
    },
    async openPortal(customer, return_url) {
      const now = clock.now()
      const id = newTestId('portal', now)
      const expires_at = new Date(now.getTime() + portalMinutes * 60_000).toISOString()
      const portal = { id, customer, revision: 1, return_url, expires_at }
      // Expired portals are deleted, so a customer leaves only a few.
      const before = await newestOf(store, 'portal', customer, 100)
      const expired = before.filter((one) => one.expires_at < now.toISOString())
      await store.commit([
        ...expired.map((one) => ({ in: 'test_payments' as const, delete: { id: one.id } })),
        insertionWrite({ ...portal, kind: 'portal' }),
      ])
      return { id, url: `${publicUrl()}${portalPath}/${id}` }
    },
    async subscription(id) {
      const kept = await subscriptionNow(terms, id)
      return kept && stateOf(kept)
    },
    async endSubscription(id) {
      await endSubscription(terms, id)
    },
    async invoice(id) {
      const invoice = await recordOf(store, 'invoice', id)
      if (!invoice) return undefined
      const { amount_cents, currency: paidIn } = invoice
      const kept = await recordOf(store, 'subscription', invoice.subscription)
      const subscription = kept ? stateOf(kept) : null
      return { id, status: 'paid', amount_cents, currency: paidIn, subscription }
    },
    async paidInvoices(subscription) {
      const kept = await recordOf(store, 'subscription', subscription)
      const paid = await newestOf(store, 'invoice', kept?.customer ?? '', 100)
      return paid.filter((invoice) => invoice.subscription === subscription).map(({ id }) => id)
    },
    refund: (charge, amount_cents, key) => giveBack(terms, { charge, amount_cents, key }),
    refundState: (id) => refundNow(terms, id),
    async event() {
      throw new SignatureWrong('The test provider sends no webhooks.')
    },
    close: async () => undefined,
  }
}
