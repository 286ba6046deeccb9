import type { Ports } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { InvoiceState, SubscriptionState } from '#src/ports/payments.ts'
import type { Write } from '#src/ports/store.ts'
import { booked } from '../wallet/book.ts'
import { bookingOf } from '../wallet/booking-writes.ts'
import { platformAccount, providerAccount } from '../wallet/ledger.ts'
import type { Line } from '../wallet/movement.ts'
import { canHold } from '../wallet/wallet.ts'
import { credited } from './credit.ts'
import type { Subscription } from '#src/agents/visibility/subscription.ts'

/** An hour after the paid time has ended, it has been renewed, or will not be. */
const afterPaidSeconds = 3600
/** How soon to ask again whether it continues, if the provider has not said until when. */
const againSeconds = 6 * 3600

/**
 * Asks the provider for the state of a subscription, and keeps that. A call that asked before another
 * one kept something asks again, so that the newest answer is kept.
 * @throws PaymentsFailed where the provider does not answer
 */
export function settleSubscription(ports: Ports, id: string): Promise<void> {
  const { store, payments, clock } = ports
  return retryUnmet(async () => {
    const before = await store.subscriptions.get(id)
    const state = await payments.subscription(id)
    if (!state) return forgotten(ports, before)
    if (!isOurs(state)) return
    const seller = before?.seller_id ?? (await ownerOf(store, state.char_id))
    const lasting = await whileOfUse(ports, state, seller)
    const revision = before?.revision ?? 0
    const kept = keptAs(lasting, seller, revision + 1, clock.now())
    const update = { id, revision }
    await store.commit([
      before
        ? { in: 'subscriptions', update, replace: kept }
        : { in: 'subscriptions', insert: kept },
    ])
  })
}

/** Its state; one that is of no use to anyone any more is ended with the provider. */
async function whileOfUse(
  { store, payments }: Pick<Ports, 'store' | 'payments'>,
  state: SubscriptionState,
  seller: string | null,
): Promise<SubscriptionState> {
  if (state.status !== 'active' || !(await isOver(store, state, seller))) return state
  await payments.endSubscription(state.id)
  return (await payments.subscription(state.id)) ?? { ...state, status: 'ended' }
}

/** Whether payer or payee was deleted, so that no one could end it, or nothing is given for it. */
async function isOver(
  store: Ports['store'],
  { account_id, char_id }: SubscriptionState,
  seller: string | null,
): Promise<boolean> {
  for (const id of [account_id, seller]) {
    if (id !== null && (await store.accounts.get(id))?.closed_at) return true
  }
  // The id of a deleted agent may now belong to another account.
  return seller !== null && (await ownerOf(store, char_id)) !== seller
}

async function ownerOf(
  { characters }: Pick<Ports['store'], 'characters'>,
  charId: string | null,
): Promise<string | null> {
  if (charId === null) return null
  const [row] = await characters.pick(['owner_id'], { id: charId }, { limit: 1 })
  return typeof row?.[0] === 'string' ? row[0] : null
}

/**
 * Looks up what a closed account still pays for, or is paid for, which ends it.
 * @throws PaymentsFailed where the provider does not answer
 */
export async function endSubscriptionsOf(ports: Ports, accountId: string): Promise<void> {
  const { subscriptions } = ports.store
  const still = { status: 'active' } as const
  for (const whose of [{ account_id: accountId }, { seller_id: accountId }]) {
    const found = await subscriptions.find({ ...whose, ...still })
    for (const { id } of found) await settleSubscription(ports, id)
  }
}

/** Has the subscriptions to a deleted agent looked up as soon as possible, which ends them. */
export async function leaveSubscribers(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { id: char_id, owner_id: seller_id }: { id: string; owner_id: string },
): Promise<void> {
  const due_at = timestamp(clock.now())
  for (const { id } of await store.subscriptions.find({ seller_id, char_id, status: 'active' })) {
    await store.subscriptions.update({ id, status: 'active' }, { $set: { due_at } })
  }
}

/** The provider does not know it: it keeps the time that was paid, and no more. */
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
 * Credits the paid invoices of a subscription that were not reported: their events may have been lost.
 * @throws PaymentsFailed where the provider does not answer
 */
export async function settleInvoicesOf(ports: Ports, subscription: string): Promise<void> {
  const paid = await ports.payments.paidInvoices(subscription)
  for (const id of paid.toReversed()) await settleInvoice(ports, id)
}

/** A provider may serve others as well, whose subscriptions name no one here. */
function isOurs({ account_id, char_id }: SubscriptionState): boolean {
  return account_id !== null || char_id !== null
}

function keptAs(
  state: SubscriptionState,
  seller_id: string | null,
  revision: number,
  now: Date,
): Subscription {
  const { status, paid_until } = state
  const soonest = secondsAfter(now, againSeconds)
  const ends = paid_until && secondsAfter(new Date(paid_until), afterPaidSeconds)
  const due_at = ends !== null && ends > soonest ? ends : soonest
  return {
    ...state,
    seller_id,
    updated_at: timestamp(now),
    revision,
    due_at: status === 'active' ? due_at : null,
  }
}

/**
 * Asks the provider for the state of an invoice, and credits what was paid to the owner of the agent
 * that the price carries: once.
 * @throws PaymentsFailed where the provider does not answer
 */
export async function settleInvoice(ports: Ports, id: string): Promise<void> {
  if (await ports.store.ledger.get(causeOf(id))) return
  const invoice = await ports.payments.invoice(id)
  if (invoice?.status !== 'paid' || !invoice.subscription || !isOurs(invoice.subscription)) return
  // A paying account gets access although the event of its subscription may never arrive.
  await settleSubscription(ports, invoice.subscription.id)
  if (invoice.amount_cents <= 0) return
  const owner = await earnerOf(ports, invoice, invoice.subscription)
  await booked(ports, owner === null ? [] : [owner], () =>
    earningOf(ports, invoice, invoice.subscription, owner),
  )
}

function causeOf(invoice: string): string {
  return `invoice/${invoice}`
}

/**
 * The account that still owns the agent; null where it was deleted, or its id belongs to another
 * account, and the platform keeps what was paid.
 */
async function earnerOf(
  { store, payments, log }: Ports,
  { id, currency }: InvoiceState,
  { id: subscription, char_id }: SubscriptionState,
): Promise<string | null> {
  if (char_id === null) return null
  const seller = (await store.subscriptions.get(subscription))?.seller_id ?? null
  const isStill = seller !== null && seller === (await ownerOf(store, char_id))
  const wallet = isStill ? await store.wallets.get(seller) : undefined
  const isHeld = !wallet || canHold(wallet, currency)
  const isInCurrency = isHeld && currency === (await payments.currency())
  if (isStill && isInCurrency) return seller
  const fields = { invoice: id, char_id, currency }
  if (isInCurrency) log.warn('a subscription pays an agent that no longer exists', fields)
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
