import type { Ports } from '#src/core/context.ts'
import { secondsAfter } from '#src/core/time.ts'
import { PaymentsFailed } from '#src/ports/payments.ts'
import type { StoredCheckout } from './checkout.ts'
import { firstLookSeconds } from './open-checkout.ts'
import { settleCheckout } from './settle-checkout.ts'
import { settleInvoicesOf, settleSubscription } from './subscribe.ts'
import type { Subscription } from '#src/agents/visibility/subscription.ts'

/** A payer that takes longer is reported by an event; look-ups are for events that were lost. */
const longestPauseSeconds = 1800
/** How soon a subscription that could not be looked up is tried again. */
const againSeconds = 3600

/**
 * Looks up a checkout that is due, in case its event was lost. Of several processes one does it.
 * @returns whether it was this one
 */
export async function lookAtCheckout(
  ports: Ports,
  due: StoredCheckout,
  now: Date,
): Promise<boolean> {
  const { id, due_at } = due
  // Moved on before the provider is asked: what a crash interrupts comes due again.
  const change = { $set: { due_at: nextLook(due, now) }, $inc: { looks: 1 } }
  const checkout = await ports.store.checkouts.update({ id, due_at }, change)
  if (!checkout) return false
  await unlessAway(ports, () => settleCheckout(ports, id))
  return true
}

/** At growing intervals, but also in the moment in which it expires: unpaid until then, it ends. */
function nextLook({ looks, expires_at }: StoredCheckout, now: Date): string {
  const pause = Math.min(longestPauseSeconds, firstLookSeconds * 2 ** (looks + 1))
  const next = secondsAfter(now, pause)
  const last = secondsAfter(new Date(expires_at), 1)
  return now.getTime() < Date.parse(last) && next > last ? last : next
}

/** Looks up a subscription whose paid time has passed, in the same way. */
export async function lookAtSubscription(
  ports: Ports,
  { id, due_at }: Subscription,
  now: Date,
): Promise<boolean> {
  const change = { $set: { due_at: secondsAfter(now, againSeconds) } }
  if (!(await ports.store.subscriptions.update({ id, due_at }, change))) return false
  await unlessAway(ports, async () => {
    await settleSubscription(ports, id)
    await settleInvoicesOf(ports, id)
  })
  return true
}

/**
 * A provider that cannot be reached is asked again at the next look-up, and is no error of this
 * server.
 */
async function unlessAway({ log }: Ports, look: () => Promise<void>): Promise<void> {
  try {
    await look()
  } catch (cause) {
    if (!(cause instanceof PaymentsFailed)) throw cause
    log.warn('the payment provider did not report a state', { cause })
  }
}
