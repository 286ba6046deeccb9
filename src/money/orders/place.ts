import { admitBytesOf, senderOf } from '#src/accounts/room.ts'
import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { digest, newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import { openedCheckout } from '../payments/open-checkout.ts'
import type { Write } from '#src/ports/store.ts'
import { hasRunLeft, type Bounds } from '#src/runs/skip-reason.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { inWalletTurns } from '../wallet/book.ts'
import { bookingOf, InsufficientFunds } from '../wallet/booking-writes.ts'
import { titleOf } from '#src/agents/tasks/title.ts'
import type { Amount } from './prices/amount.ts'
import { orderBytes } from './bytes.ts'
import { begun } from './begin.ts'
import type { Form } from './forms/form.ts'
import { checkoutByKey, keySpend } from './key-spend.ts'
import { heldFor } from './movements.ts'
import {
  newOrderToken,
  publicOrder,
  type Order,
  type PricedOrder,
  type StoredOrder,
} from './order.ts'
import { askedToPay } from './ask.ts'
import { mayRun, noRunLeft, sellerOf } from './room.ts'
import { walletOf } from './wallet-of.ts'
import { placedByX402, type Declined } from './x402/place.ts'

/** The order that a caller wants. */
export interface Wanted {
  task: StoredTask
  form: Form
  /** Undefined for what costs nothing. */
  amount: Amount | undefined
  /** A payment by x402 that was sent along. */
  payment?: string | undefined
}

type Needed = Context<'none'>

/**
 * Makes an order: one that is free, or paid from the caller's wallet, is queued at once; any other
 * waits for its checkout, and is answered with a refusal although it is kept.
 * @throws Refusal `quota_exceeded`, `provider_unavailable`, `person_needed`
 */
export async function placed(context: Needed, wanted: Wanted): Promise<Answer<Order>> {
  const { store, caller } = context
  const { task, amount } = wanted
  const token = newOrderToken()
  const order = await draftOf(context, wanted, token)
  // The order counts against the seller's storage, even before it is paid.
  const { sender, bytes = 0 } = order
  await admitBytesOf(context, task.owner_id, { sender, bytes })
  if (!amount) return free(context, order, task, token)
  const priced = { ...order, ...amountsOf(amount) }
  if (wanted.payment !== undefined) {
    const { payment } = wanted
    const taken = await placedByX402(context, priced, { payment, token })
    return 'declined' in taken ? toBePaid(context, priced, amount, token, taken) : taken
  }
  const wallet = caller.kind === 'key' ? await store.wallets.get(caller.accountId) : undefined
  const isRich =
    wallet?.currency === amount.currency && wallet.available_cents >= amount.amount_cents
  const paid = isRich ? await fromWallet(context, priced, task, token) : undefined
  return paid ?? toBePaid(context, priced, amount, token)
}

function amountsOf({ amount_cents, currency }: Amount) {
  return { price_cents: amount_cents, currency }
}

async function draftOf(
  context: Needed,
  { task, form, amount }: Wanted,
  token: string,
): Promise<StoredOrder> {
  const { store, caller, clock } = context
  const id = newId('ord')
  const sender = senderOf(context, task.owner_id)
  const buyer_id = caller.kind === 'key' ? caller.accountId : null
  const wallet = amount ? await walletOf(store, { id, buyer_id }, amount.currency) : id
  const order: StoredOrder = {
    id,
    char_id: task.char_id,
    task_id: task.task_id,
    title: titleOf(task),
    status: 'awaiting_payment',
    price_cents: null,
    currency: null,
    paid_by: null,
    run_id: null,
    output: null,
    artifacts: [],
    error: null,
    rating: null,
    created_at: timestamp(clock.now()),
    paid_at: null,
    finished_at: null,
    token_hash: digest(token),
    owner_id: task.owner_id,
    buyer_id,
    ...(caller.kind === 'key' && caller.charId !== undefined && { buyer_char_id: caller.charId }),
    wallet,
    form,
    checkout_id: null,
    payment: null,
    due_at: null,
    ...(sender !== undefined && { sender }),
  }
  return { ...order, bytes: orderBytes(order) }
}

async function free(
  context: Needed,
  order: StoredOrder,
  task: StoredTask,
  token: string,
): Promise<Answer<Order>> {
  await admitRun(context, task, { sender: order.sender })
  const beginning = begun(context, order, task, null, context.clock.now())
  const made = { ...order, ...beginning.change }
  const writes: Write[] = [{ in: 'orders', insert: made }, ...beginning.writes]
  return context.commit(shown(made, token), writes, { pending: true })
}

/** Undefined where the wallet turns out to hold too little. */
async function fromWallet(
  context: Needed,
  order: PricedOrder,
  task: StoredTask,
  token: string,
): Promise<Answer<Order> | undefined> {
  await admitRun(context, task, { beyondQueue: true })
  const now = context.clock.now()
  const beginning = begun(context, order, task, 'wallet', now)
  const made = { ...order, ...beginning.change }
  try {
    return await inWalletTurns([made.wallet], async () => {
      const counted = await keySpend(context, order.price_cents, now)
      const booking = await bookingOf(context.store, [heldFor(made)], now)
      const writes: Write[] = [
        { in: 'orders', insert: made },
        ...beginning.writes,
        ...booking,
        ...counted,
      ]
      return context.commit(shown(made, token), writes, { pending: true })
    })
  } catch (cause) {
    if (cause instanceof InsufficientFunds) return undefined
    throw cause
  }
}

async function toBePaid(
  context: Needed,
  order: PricedOrder,
  amount: Amount,
  token: string,
  payment?: Declined,
): Promise<Answer<Order>> {
  // Not counted before it is paid: unpaid orders must not use up the runs of the seller.
  if (!(await mayRun(context, await sellerOf(context, order.owner_id)))) return noRunLeft()
  const byKey = await checkoutByKey(context, order.price_cents, context.clock.now())
  const checkout = await openedCheckout(context, {
    kind: 'order',
    ...byKey,
    account_id: order.buyer_id,
    order_id: order.id,
    line: amount.line,
  })
  const made = { ...order, checkout_id: checkout.id }
  const writes: Write[] = [
    { in: 'orders', insert: made },
    { in: 'checkouts', insert: checkout },
  ]
  const asked = askedToPay(context, made, checkout, token, payment)
  return context.commit(asked.value, writes, { refused: asked.refused })
}

/** Takes one of the seller's runs of today: asking counts it. */
async function admitRun(context: Needed, { owner_id }: StoredTask, bounds: Bounds): Promise<void> {
  const seller = await sellerOf(context, owner_id)
  if (!(await hasRunLeft(context, seller, bounds))) noRunLeft()
}

function shown(order: StoredOrder, token: string): Order {
  return { ...publicOrder(order, null), token }
}
