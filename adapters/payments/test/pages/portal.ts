import { html, type Html } from '#src/core/html/html.ts'
import type { Screen, View } from '#src/core/html/view.ts'
import { moment, money } from '#src/core/html/words.ts'
import { newestOf, recordOf, type KeptOf } from '../records.ts'
import { endSubscription, subscriptionNow, type Terms } from '../subscriptions.ts'
import { expiredPage, howOften, nothingHere, notice, webAddress } from './words.ts'

type Subscription = KeptOf<'subscription'>
type Paid = KeptOf<'charge'> | KeptOf<'invoice'>

/** The newest are shown. */
const shownAtMost = 100

/** The page on which a customer sees payments, and ends subscriptions. */
export function portalScreen(terms: Terms, id: string): Screen {
  const { store, clock } = terms
  /** The portal while it is open; else the view shown instead. */
  const opened = async (): Promise<KeptOf<'portal'> | View> => {
    const portal = await recordOf(store, 'portal', id)
    if (!portal) return nothingHere('There is nothing here')
    return Date.parse(portal.expires_at) > clock.now().getTime()
      ? portal
      : expiredPage('Ask for a new one where you came from.', portal.return_url)
  }
  return {
    async show(query) {
      const portal = await opened()
      if ('main' in portal) return portal
      const customer = portal.customer ?? ''
      const subscriptions = await subscriptionsNow(terms, customer)
      const paid = await paymentsOf(terms, customer)
      return portalView(portal, { subscriptions, paid, hasEnded: query.has('ended') })
    },
    async submit(form) {
      const portal = await opened()
      if ('main' in portal) return portal
      const subscription = await recordOf(store, 'subscription', form.get('cancel') ?? '')
      // The subscription belongs to another customer.
      if (subscription?.customer !== portal.customer) return { goTo: '?' }
      await endSubscription(terms, subscription.id)
      return { goTo: '?ended' }
    },
  }
}

async function subscriptionsNow(terms: Terms, customer: string): Promise<Subscription[]> {
  const now: Subscription[] = []
  for (const kept of await newestOf(terms.store, 'subscription', customer, shownAtMost)) {
    now.push((await subscriptionNow(terms, kept.id)) ?? kept)
  }
  return now
}

async function paymentsOf({ store }: Terms, customer: string): Promise<Paid[]> {
  const charges = await newestOf(store, 'charge', customer, shownAtMost)
  const invoices = await newestOf(store, 'invoice', customer, shownAtMost)
  const all = [...charges, ...invoices]
  return all.sort((a, b) => (a.paid_at < b.paid_at ? 1 : -1)).slice(0, shownAtMost)
}

interface Shown {
  subscriptions: readonly Subscription[]
  paid: readonly Paid[]
  hasEnded: boolean
}

function portalView({ return_url }: KeptOf<'portal'>, shown: Shown): View {
  const { subscriptions, paid, hasEnded } = shown
  const back = webAddress(return_url)
  const main = html` ${hasEnded && html`<p class="card" role="status">The subscription has ended.</p>`}
    <section aria-labelledby="subscriptions">
      <h2 id="subscriptions">Subscriptions</h2>
      ${listOf(subscriptions.map(subscriptionItem), 'There are none.')}
      <p class="soft">A subscription that is cancelled ends at once and is not renewed.</p>
    </section>
    <section aria-labelledby="payments">
      <h2 id="payments">Payments</h2>
      ${listOf(paid.map(paymentItem), 'Nothing was paid yet.')}
    </section>
    ${back && html`<a class="button" href="${back.href}">Go back</a>`}`
  return { status: 200, title: 'Your payments', main, notice }
}

function listOf(items: readonly Html[], none: string): Html {
  return items.length === 0
    ? html`<p class="card">${none}</p>`
    : html`<ul class="list card">
        ${items}
      </ul>`
}

function subscriptionItem({ id, price, status, paid_until }: Subscription): Html {
  const { name, amount_cents, currency } = price
  const costs = `${money(amount_cents, currency)}${howOften(price)}`
  const until = html`<time datetime="${paid_until}">${moment(paid_until)}</time>`
  return html`<li>
    <div>
      <p dir="auto">${name}</p>
      <p class="soft">${costs}, ${status === 'active' ? html`renewed on ${until}` : 'ended'}</p>
    </div>
    ${
      status === 'active' &&
      html`<form method="post">
        <button name="cancel" value="${id}" aria-label="Cancel ${name}">Cancel</button>
      </form>`
    }
  </li>`
}

function paymentItem(paid: Paid): Html {
  const { name, amount_cents, currency, paid_at } = paid
  const back = paid.kind === 'charge' ? paid.refunded_cents : 0
  return html`<li>
    <div>
      <p dir="auto">${name}</p>
      <p class="soft"><time datetime="${paid_at}">${moment(paid_at)}</time></p>
    </div>
    <div>
      <p class="sum">${money(amount_cents, currency)}</p>
      ${back > 0 && html`<p class="soft">${money(back, currency)} given back</p>`}
    </div>
  </li>`
}
