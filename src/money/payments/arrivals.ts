import { newId } from '#src/core/ids.ts'
import type { CheckoutState, Payments } from '#src/ports/payments.ts'
import type { Write } from '#src/ports/store.ts'
import { providerAccount } from '../wallet/ledger.ts'
import type { Line, Movement } from '../wallet/movement.ts'
import type { StoredCheckout } from './checkout.ts'

/** Money that has come in, or is under way. */
export type Paid = Extract<CheckoutState, { amount_cents: number }>

type Provider = Pick<Payments, 'name'>

/** The change of a checkout, bound to the state that was read: of several who decide, one succeeds. */
export function changed(
  { id, status }: StoredCheckout,
  $set: Partial<Pick<StoredCheckout, 'status' | 'payment' | 'transaction' | 'due_at'>>,
): Write {
  return { in: 'checkouts', update: { id, status }, change: { $set } }
}

/** Whether what was paid is what was asked for. */
export function isAsAsked(checkout: StoredCheckout, paid: Paid): boolean {
  return paid.amount_cents === checkout.amount_cents && paid.currency === checkout.currency
}

/** The wallet that a checkout fills, or that gets back what the provider cannot refund. */
export function walletOf({ account_id, order_id }: StoredCheckout): string {
  return account_id ?? order_id ?? ''
}

/** Money that the payer has sent, and that a bank has yet to deliver. */
export function underWayOf(
  { name }: Provider,
  checkout: StoredCheckout,
): { movement: Movement; transaction: string } {
  const { amount_cents, currency } = checkout
  const account = walletOf(checkout)
  const transaction = newId('txn')
  const movement: Movement = {
    cause: `checkout/${checkout.id}/pending`,
    currency,
    postings: [
      { account: providerAccount(name), bucket: 'available', amount_cents: -amount_cents },
      { account, bucket: 'pending', amount_cents },
    ],
    lines: [{ ...lineOf(checkout), id: transaction, status: 'pending' }],
  }
  return { movement, transaction }
}

/** Money that has come in as it was asked for, whether or not it was seen under way before. */
export function arrivedOf({ name }: Provider, checkout: StoredCheckout): Movement {
  const { amount_cents, currency } = checkout
  const account = walletOf(checkout)
  const shown = shownUnderWay(checkout, walletOf(checkout))
  const from = shown
    ? ({ account, bucket: 'pending' } as const)
    : ({ account: providerAccount(name), bucket: 'available' } as const)
  return {
    cause: `checkout/${checkout.id}/paid`,
    currency,
    postings: [
      { ...from, amount_cents: -amount_cents },
      { account, bucket: 'available', amount_cents },
    ],
    lines: shown ? [] : [lineOf(checkout)],
    settles: shown ? [{ ...shown, to: 'posted' }] : [],
  }
}

/** Money that was under way and does not arrive: none where nothing was under way. */
export function droppedOf({ name }: Provider, checkout: StoredCheckout): Movement[] {
  const { amount_cents, currency } = checkout
  const shown = shownUnderWay(checkout, walletOf(checkout))
  if (!shown) return []
  const movement: Movement = {
    cause: `checkout/${checkout.id}/failed`,
    currency,
    postings: [
      { account: shown.wallet, bucket: 'pending', amount_cents: -amount_cents },
      { account: providerAccount(name), bucket: 'available', amount_cents },
    ],
    lines: [],
    settles: [{ ...shown, to: 'failed' }],
  }
  return [movement]
}

/** The line of money that is under way. */
function shownUnderWay(checkout: StoredCheckout, wallet: string) {
  const { status, transaction: id, amount_cents } = checkout
  if (status !== 'pending' || id === null) return undefined
  return { id, amount_cents, wallet, from: 'pending' } as const
}

function lineOf(checkout: StoredCheckout): Line {
  const { id: reference, amount_cents } = checkout
  const wallet = walletOf(checkout)
  return { wallet, kind: 'top_up', amount_cents, description: 'Top-up', reference }
}
