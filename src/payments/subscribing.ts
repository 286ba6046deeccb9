import type { Ports } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { hasEvents } from '#src/events/emitting.ts'
import type { InvoiceState, SubscriptionState } from '#src/ports/payments.ts'
import type { Write } from '#src/ports/store.ts'
import { booked } from '#src/wallet/booked.ts'
import { bookingOf } from '#src/wallet/booking.ts'
import { platformAccount, providerAccount } from '#src/wallet/ledger.ts'
import type { Line } from '#src/wallet/movement.ts'
import { canHold } from '#src/wallet/wallet.ts'
import { credited } from './crediting.ts'
import type { Subscription } from './subscription.ts'

/** An hour after what is paid for has ended, it has been renewed, or it will not be. */
const afterPaidSeconds = 3600
/** How soon it is asked again whether it goes on, where the provider has not said until when. */
const againSeconds = 6 * 3600

/**
 * Asks the provider how a subscription stands, and keeps that. Whoever asked before somebody else kept
 * something asks again, so that the last word is the newest.
 * @throws PaymentsFailed where the provider does not say
 */
export function settleSubscription(ports: Ports, id: string): Promise<void> {
  const { store, clock } = ports
  return retryUnmet(async () => {
    const before = await store.subscriptions.get(id)
    const state = await standing(ports, id)
    if (!state) return forgotten(ports, before)
    if (!isOurs(state)) return
    const kept = keptAs(state, (before?.revision ?? 0) + 1, clock.now())
    const update = { id, revision: before?.revision ?? 0 }
    await store.commit([
      before
        ? { in: 'subscriptions', update, replace: kept }
        : { in: 'subscriptions', insert: kept },
    ])
  })
}

/**
 * How it stands with the provider, where one of a closed account is ended first: it is of use to
 * nobody, and nobody could end it any more.
 */
async function standing(
  { store, payments }: Ports,
  id: string,
): Promise<SubscriptionState | undefined> {
  const state = await payments.subscription(id)
  if (state?.status !== 'active' || state.account_id === null) return state
  if (!(await store.accounts.get(state.account_id))?.closed_at) return state
  await payments.endSubscription(id)
  return payments.subscription(id)
}

/**
 * Looks at what an account that is closed still pays for, which ends it.
 * @throws PaymentsFailed where the provider does not say
 */
export async function endSubscriptionsOf(ports: Ports, accountId: string): Promise<void> {
  const still = { account_id: accountId, status: 'active' } as const
  for (const { id } of await ports.store.subscriptions.find(still)) {
    await settleSubscription(ports, id)
  }
}

/** The provider knows nothing of it: what it had paid for it keeps, and no more. */
async function forgotten(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  before: Subscription | undefined,
): Promise<void> {
  const at = timestamp(clock.now())
  if (before?.status !== 'active' || (before.paid_until ?? at) > at) return
  const { id, revision } = before
  const change = { $set: { status: 'ended', updated_at: at, due_at: null } } as const
  await store.subscriptions.update({ id, revision }, { ...change, $inc: { revision: 1 } })
}

/**
 * Credits what was paid for a subscription and of which nobody has heard: its news may have been lost.
 * @throws PaymentsFailed where the provider does not say
 */
export async function settleInvoicesOf(ports: Ports, subscription: string): Promise<void> {
  const paid = await ports.payments.paidInvoices(subscription)
  for (const id of paid.toReversed()) await settleInvoice(ports, id)
}

/** A provider may serve others as well, whose subscriptions name nobody here. */
function isOurs({ account_id, char_id }: SubscriptionState): boolean {
  return account_id !== null || char_id !== null
}

function keptAs(state: SubscriptionState, revision: number, now: Date): Subscription {
  const { status, paid_until } = state
  const soonest = secondsAfter(now, againSeconds)
  const ends = paid_until && secondsAfter(new Date(paid_until), afterPaidSeconds)
  const due_at = ends !== null && ends > soonest ? ends : soonest
  return {
    ...state,
    updated_at: timestamp(now),
    revision,
    due_at: status === 'active' ? due_at : null,
  }
}

/**
 * Asks the provider how an invoice stands, and credits what was paid to the owner of the agent that
 * the price carries: once.
 * @throws PaymentsFailed where the provider does not say
 */
export async function settleInvoice(ports: Ports, id: string): Promise<void> {
  if (await ports.store.ledger.get(causeOf(id))) return
  const invoice = await ports.payments.invoice(id)
  if (invoice?.status !== 'paid' || !invoice.subscription || !isOurs(invoice.subscription)) return
  // An account that pays is let in although the news of its subscription may never come.
  await settleSubscription(ports, invoice.subscription.id)
  if (invoice.amount_cents <= 0) return
  const owner = await earnerOf(ports, invoice, invoice.subscription)
  let writes: readonly Write[] = []
  const isNew = await booked(ports, owner === null ? [] : [owner], async () => {
    writes = await earningOf(ports, invoice, invoice.subscription, owner)
    return writes
  })
  if (isNew && hasEvents(writes)) ports.wake.events()
}

function causeOf(invoice: string): string {
  return `invoice/${invoice}`
}

/** The account whose agent it is; null where it is nobody's, and the platform keeps it. */
async function earnerOf(
  { store, payments, log }: Ports,
  { id, currency }: InvoiceState,
  { char_id }: SubscriptionState,
): Promise<string | null> {
  if (char_id === null) return null
  const [row] = await store.characters.pick(['owner_id'], { id: char_id }, { limit: 1 })
  const owner = row?.[0]
  const wallet = typeof owner === 'string' ? await store.wallets.get(owner) : undefined
  const isHeld = !wallet || canHold(wallet, currency)
  const isInCurrency = isHeld && currency === (await payments.currency())
  if (typeof owner === 'string' && isInCurrency) return owner
  const fields = { invoice: id, char_id, currency }
  if (isInCurrency) log.warn('a subscription is paid to an agent that is there no more', fields)
  else log.error('a subscription is paid in another currency than wallets are kept in', fields)
  return null
}

async function earningOf(
  { store, payments, clock }: Ports,
  { id, amount_cents, currency }: InvoiceState,
  subscription: SubscriptionState | null,
  owner: string | null,
): Promise<Write[]> {
  const now = clock.now()
  const char_id = subscription?.char_id ?? null
  const of = { amount_cents, currency, char_id, reference: id }
  const earned = { ...of, kind: 'earning', description: 'A subscription was paid' } as const
  const lines: Line[] = owner === null ? [] : [{ ...earned, wallet: owner }]
  const from = providerAccount(payments.name)
  const postings = [
    { account: from, bucket: 'available', amount_cents: -amount_cents },
    { account: owner ?? platformAccount, bucket: 'available', amount_cents },
  ] as const
  const movement = { cause: causeOf(id), currency, postings, lines }
  const booking = await bookingOf(store, [movement], now)
  if (owner === null) return booking
  const told = await credited(store, { ...of, kind: 'earning', wallet: owner }, booking, now)
  return [...booking, ...told]
}
