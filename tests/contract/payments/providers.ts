import { openStripe } from '#adapters/payments/stripe/provider.ts'
import { testPrices } from '#adapters/payments/test/prices.ts'
import { openTestPayments } from '#adapters/payments/test/provider.ts'
import { paySession } from '#adapters/payments/test/sessions.ts'
import { endSubscription, subscriptionNow } from '#adapters/payments/test/subscriptions.ts'
import type { PaymentEvent, Payments } from '#src/ports/payments.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { startStripeServer } from '#tests/support/stripe-server.ts'
import { stores } from '#tests/support/stores.ts'

/** A provider at work, and what its payers do. */
export interface Provider {
  payments: Payments
  clock: FakeClock
  /** Prices that it sells: one is paid once, the other opens an agent every month. */
  oneTime: string
  monthly: string
  /** The agent that the monthly one opens. */
  charId: string | null
  pay(session: string): Promise<void>
  cancel(subscription: string): Promise<void>
  /** A month goes by, and the subscription is paid again: the invoice. */
  renew(subscription: string): Promise<string>
  close(): Promise<void>
}

/** Everyone that takes payments, each opened at a place of its own. */
export const providers: { name: string; open: () => Promise<Provider> }[] = [
  { name: 'stripe', open: openedStripe },
  ...stores().map((store) => ({
    name: `the test provider on ${store.name}`,
    open: () => openedTest(() => store.open()),
  })),
]

const monthMs = 31 * 86_400_000

async function openedStripe(): Promise<Provider> {
  const clock = fakeClock()
  const server = await startStripeServer({ now: () => clock.now() })
  const { books, apiBase, secretKey, webhookSecret } = server
  const payments = openStripe({ apiBase, secretKey, webhookSecret, clock })
  const charId = 'ada-1'
  return {
    payments,
    clock,
    oneTime: server.addPrice({ amount: 2000, name: 'Credits' }),
    monthly: server.addPrice({ amount: 900, name: 'Ada', interval: 'month', charId }),
    charId,
    pay: async (session) => void books.pay(session),
    cancel: async (id) => void books.changeSubscription(id, { status: 'canceled' }),
    async renew(id) {
      await clock.advance(monthMs)
      const [invoice] = books.renew(id)
      return invoice
    },
    async close() {
      await payments.close()
      server.close()
    },
  }
}

async function openedTest(
  openStore: () => ReturnType<ReturnType<typeof stores>[number]['open']>,
): Promise<Provider> {
  const clock = fakeClock()
  const store = await openStore()
  const charId = 'ada-1'
  const monthly = {
    id: 'ada_monthly',
    name: 'Ada',
    description: null,
    amount_cents: 900,
    currency: 'usd',
    kind: 'recurring',
    interval: 'month',
    char_id: charId,
  } as const
  const told: PaymentEvent[] = []
  const terms = {
    store,
    clock,
    prices: [...testPrices, monthly],
    currency: 'usd',
    publicUrl: () => 'http://127.0.0.1:8080',
    tell: async (event: PaymentEvent) => void told.push(event),
  }
  return {
    payments: openTestPayments(terms),
    clock,
    oneTime: 'top_up_20',
    monthly: monthly.id,
    charId,
    pay: async (session) => void (await paySession(terms, session)),
    cancel: async (id) => void (await endSubscription(terms, id)),
    async renew(id) {
      await clock.advance(monthMs)
      await subscriptionNow(terms, id)
      const event = told.findLast(({ about }) => about === 'invoice')
      if (event?.about !== 'invoice') throw new Error('it was not paid again')
      return event.object
    },
    close: () => store.close(),
  }
}
