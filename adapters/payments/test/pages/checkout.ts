import { html } from '#src/core/html/html.ts'
import type { Leave, Screen, View } from '#src/core/html/view.ts'
import { moment, money } from '#src/core/html/words.ts'
import { recordOf, type KeptOf } from '../records.ts'
import { paySession, stateOfSession } from '../sessions.ts'
import type { Terms } from '../subscriptions.ts'
import { expiredPage, howOften, linkTo, nothingHere, notice, webAddress } from './words.ts'

type Session = KeptOf<'session'>

const expiredAdvice = 'Nothing was paid. Ask for a new page where you came from.'

/** The page on which a session is paid. */
export function checkoutScreen(terms: Terms, id: string): Screen {
  const viewNow = async (isDeclined: boolean): Promise<View> => {
    const session = await recordOf(terms.store, 'session', id)
    if (!session) return nothingHere('There is nothing to pay here')
    const { status } = stateOfSession(session, terms.clock.now())
    if (status === 'open') return openView(session, isDeclined)
    return status === 'paid' ? paidView(session) : expiredPage(expiredAdvice, session.cancel_url)
  }
  return {
    show: (query) => viewNow(query.has('declined')),
    async submit(form): Promise<View | Leave> {
      const action = form.get('action')
      if (action === 'decline') return { goTo: '?declined' }
      if (action !== 'pay') return viewNow(false)
      const state = await paySession(terms, id)
      const session = await recordOf(terms.store, 'session', id)
      const done = session && webAddress(session.done_url)
      return state?.status === 'paid' && done ? { goTo: done.href } : viewNow(false)
    },
  }
}

function openView(session: Session, isDeclined: boolean): View {
  const { name, price, amount_cents, currency, done_url, cancel_url, expires_at } = session
  const amount = money(amount_cents, currency)
  const done = webAddress(done_url)
  const main = html` ${isDeclined && declined}
    <section class="card" aria-label="What you pay for">
      <dl>
        <dt>For</dt>
        <dd dir="auto">${name}</dd>
        <dt>Amount</dt>
        <dd class="sum">${amount}${price && howOften(price)}</dd>
        <dt>Currency</dt>
        <dd>${currency.toUpperCase()}</dd>
        <dt>Open until</dt>
        <dd><time datetime="${expires_at}">${moment(expires_at)}</time></dd>
      </dl>
      ${price?.description && html`<p class="soft" dir="auto">${price.description}</p>`}
    </section>
    <form method="post" class="actions">
      <button class="main" name="action" value="pay">Pay ${amount}</button>
      <button name="action" value="decline">Decline the card</button>
      ${linkTo(cancel_url, 'Go back without paying')}
    </form>
    ${
      price?.interval &&
      html`<p class="soft">It is renewed every ${price.interval} until it is cancelled.</p>`
    }`
  return {
    status: 200,
    title: price?.kind === 'recurring' ? `Subscribe for ${amount}` : `Pay ${amount}`,
    main,
    notice,
    leadsTo: done ? [done.origin] : [],
  }
}

const declined = html`<p class="problem" role="alert">
  The card was declined. Nothing was paid, and you may try again.
</p>`

function paidView({ amount_cents, currency, done_url }: Session): View {
  const main = html`<p>${money(amount_cents, currency)} was paid here, once.</p>
    ${linkTo(done_url, 'Go on')}`
  return { status: 200, title: 'This is paid', main, notice }
}
