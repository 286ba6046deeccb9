import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { lookAtCheckout, lookAtSubscription } from '#src/money/payments/look-up.ts'
import { payBack } from '#src/money/payments/pay-back.ts'
import { Unavailable } from '#src/ports/store.ts'

/** How much that is due a tick takes of each kind, and how much of that side by side. */
const dueAtOnce = 64
const besides = 8

/**
 * Goes on with what is due, and of which the provider is asked: checkouts whose event may have been
 * lost, refunds, and subscriptions whose paid time has gone by. A fault at one is logged and holds up
 * no other.
 * @throws Unavailable while the store is away
 * @returns how much of it this process did
 */
export async function paymentsDue(ports: Ports, now: Date): Promise<number> {
  const { checkouts, refunds, subscriptions } = ports.store
  const due = { due_at: { $lte: timestamp(now) } }
  const first = { sort: { due_at: 1 }, limit: dueAtOnce } as const
  const parts: readonly (() => Promise<number>)[] = [
    async () => each(ports, await checkouts.find(due, first), lookAtCheckout, now),
    async () => each(ports, await refunds.find(due, first), payBack, now),
    async () => each(ports, await subscriptions.find(due, first), lookAtSubscription, now),
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

type Take<T> = (ports: Ports, one: T, now: Date) => Promise<boolean>

async function each<T extends { id: string }>(
  ports: Ports,
  due: readonly T[],
  take: Take<T>,
  now: Date,
): Promise<number> {
  const waiting = [...due]
  let taken = 0
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      try {
        if (await take(ports, one, now)) taken += 1
      } catch (cause) {
        if (cause instanceof Unavailable) throw cause
        // It was put off before it was taken, and comes due again.
        ports.log.error('a payment could not be gone on with', { id: one.id, cause })
      }
    }
  }
  await Promise.all(Array.from({ length: besides }, work))
  return taken
}
