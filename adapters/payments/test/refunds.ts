import { digest } from '#src/core/ids.ts'
import { PaymentsFailed, type RefundState } from '#src/ports/payments.ts'
import { DuplicateKey } from '#src/ports/store.ts'
import { replacementWrite, insertionWrite, recordOf, untilMet, type KeptOf } from './records.ts'
import type { Terms } from './subscriptions.ts'

interface Asked {
  charge: string
  amount_cents: number
  /** The idempotency key. */
  key: string
}

/**
 * Refunds a payment, in whole or in part, once for each key.
 * @throws PaymentsFailed `refused`
 */
export async function giveBack({ store }: Terms, asked: Asked): Promise<RefundState> {
  const { charge, amount_cents } = asked
  const id = `test_refund_${digest(asked.key).slice(0, 32)}`
  return untilMet(async () => {
    const before = await recordOf(store, 'refund', id)
    if (before) return sameAs(before, asked)
    const kept = await recordOf(store, 'charge', charge)
    if (!kept) throw refused('There is no such payment.')
    const rest = kept.amount_cents - kept.refunded_cents
    if (!Number.isSafeInteger(amount_cents) || amount_cents < 1 || amount_cents > rest) {
      throw refused(`Of this payment ${rest} cents can be given back.`)
    }
    const refunded_cents = kept.refunded_cents + amount_cents
    const { customer } = kept
    try {
      await store.commit([
        replacementWrite({ ...kept, refunded_cents }),
        insertionWrite({ id, customer, revision: 1, kind: 'refund', charge, amount_cents }),
      ])
    } catch (cause) {
      const first = cause instanceof DuplicateKey && (await recordOf(store, 'refund', id))
      if (!first) throw cause
      return sameAs(first, asked)
    }
    return done(id)
  })
}

/** The state of a refund. */
export async function refundNow({ store }: Terms, id: string): Promise<RefundState | undefined> {
  return (await recordOf(store, 'refund', id)) && done(id)
}

function done(id: string): RefundState {
  return { id, status: 'done' }
}

function sameAs(before: KeptOf<'refund'>, { charge, amount_cents }: Asked): RefundState {
  if (before.charge === charge && before.amount_cents === amount_cents) return done(before.id)
  throw refused('This key was used for another refund.')
}

function refused(message: string): PaymentsFailed {
  return new PaymentsFailed(message, 'refused')
}
