import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { takeDue, type DueQueue } from '#src/core/turns/due-queue.ts'
import type { Subscription } from '#src/agents/visibility/subscription.ts'
import type { StoredCheckout } from '#src/money/payments/checkout.ts'
import { lookAtCheckout, lookAtSubscription } from '#src/money/payments/look-up.ts'
import { payBack } from '#src/money/payments/pay-back.ts'
import type { StoredRefund } from '#src/money/payments/refund.ts'
import { Unavailable } from '#src/ports/store.ts'

const pace = { atOnce: 64, sideBySide: 8 } as const

/** Checkouts whose event may have been lost. */
const checkouts: DueQueue<StoredCheckout> = {
  ...pace,
  name: 'a checkout',
  find: ({ store }, now, limit) =>
    store.checkouts.find({ due_at: { $lte: timestamp(now) } }, { sort: { due_at: 1 }, limit }),
  take: lookAtCheckout,
}

const refunds: DueQueue<StoredRefund> = {
  ...pace,
  name: 'a refund',
  find: ({ store }, now, limit) =>
    store.refunds.find({ due_at: { $lte: timestamp(now) } }, { sort: { due_at: 1 }, limit }),
  take: payBack,
}

/** Subscriptions whose paid time has gone by. */
const subscriptions: DueQueue<Subscription> = {
  ...pace,
  name: 'a subscription',
  find: ({ store }, now, limit) =>
    store.subscriptions.find({ due_at: { $lte: timestamp(now) } }, { sort: { due_at: 1 }, limit }),
  take: lookAtSubscription,
}

/**
 * Goes on with what is due, and of which the provider is asked.
 * @throws Unavailable while the store is away
 * @returns how much of it this process did
 */
export async function paymentsDue(ports: Ports, now: Date): Promise<number> {
  const parts: readonly (() => Promise<number>)[] = [
    () => takeDue(ports, checkouts, now),
    () => takeDue(ports, refunds, now),
    () => takeDue(ports, subscriptions, now),
  ]
  let done = 0
  for (const part of parts) {
    done += await part().catch((cause: unknown) => {
      if (cause instanceof Unavailable) throw cause
      ports.log.error('payments could not be gone on with', { cause })
      return 0
    })
  }
  return done
}
