import type { Ports } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import type { X402Bill, X402Settlement } from '#src/ports/x402.ts'
import { paymentAnnounced, type PaidOrder } from '../pay.ts'
import type { StoredX402Payment } from './payment.ts'
import { paidByX402, unpaidByX402 } from './pay.ts'

/** How many payments are settled at a time. */
const atOnce = 8
/** Longer than any answer of a facilitator may take: after that, another process may try. */
const leaseSeconds = 60
/** A chain accepts what was sent in time, although its block comes later. */
const graceSeconds = 120
const pauseAtMost = 300

/**
 * Settles the payments by x402 that are due, until each outcome is known. A try with an unknown outcome
 * is repeated with the same payment: its nonce lets a chain accept it only once.
 * @returns how many were tried
 */
export async function settleDue(ports: Ports): Promise<number> {
  const { store, facilitator, log } = ports
  if (!facilitator) return 0
  const now = await store.now()
  const claimed: StoredX402Payment[] = []
  while (claimed.length < atOnce) {
    const one = await claim(store, now)
    if (!one) break
    claimed.push(one)
  }
  const tried = claimed.map(async (payment) => {
    if (payment.settled_by !== null) return paid(ports, payment)
    // What was kept is what `takenPayment` has written.
    const bill = JSON.parse(payment.bill) as X402Bill
    const mark = { key: payment.id, attempt: payment.attempts }
    return concluded(ports, payment, await facilitator.settle(bill, mark))
  })
  for (const { status, ...failure } of await Promise.allSettled(tried)) {
    // The others have ended nonetheless; this one comes due again when its lease runs out.
    if (status === 'rejected') log.error('a payment by x402 could not be settled here', failure)
  }
  return claimed.length
}

/** From the claim on a try may have been made, so a crash leaves it in doubt. */
function claim(store: Ports['store'], now: Date): Promise<StoredX402Payment | undefined> {
  const due = { due_at: { $lte: timestamp(now) } }
  const change = {
    $set: { due_at: secondsAfter(now, leaseSeconds) },
    $inc: { attempts: 1, open_tries: 1 },
  }
  return store.x402_payments.update(due, change, { sort: { due_at: 1 } })
}

async function concluded(
  ports: Ports,
  payment: StoredX402Payment,
  settlement: X402Settlement,
): Promise<void> {
  switch (settlement.outcome) {
    case 'settled': {
      const settled_by = settlement.transaction
      const { id, order_id } = payment
      // Before anything else: the chain accepts it once, and may not report it a second time.
      await ports.store.x402_payments.update({ id }, { $set: { settled_by } })
      ports.log.info('a payment by x402 was settled', { order_id, transaction: settled_by })
      return paid(ports, { ...payment, settled_by })
    }
    case 'used':
    case 'refused':
      // It is not known who used it: our own try, another service of the same recipient, or the payer,
      // who may void an authorization.
      return payment.open_tries > 1 ? doubted(ports, payment) : failed(ports, payment)
    default:
      return again(ports, payment, settlement.outcome === 'unknown')
  }
}

async function paid(ports: Ports, payment: StoredX402Payment): Promise<void> {
  const now = await ports.store.now()
  const paid = await retryUnmet(async (): Promise<PaidOrder | undefined> => {
    const order = await paidByX402(ports, payment, now)
    const end = ended(payment, 'settled')
    const isOurs = await committed(ports, payment, [end, ...(order?.writes ?? [])])
    return isOurs ? order : undefined
  })
  if (paid) await paymentAnnounced(ports, paid)
}

/** @returns whether this call ended the payment; if not, nothing is left to do */
async function committed(
  { store }: Ports,
  { id }: StoredX402Payment,
  writes: readonly Write[],
): Promise<boolean> {
  try {
    await store.commit(writes)
    return true
  } catch (cause) {
    const kept = await store.x402_payments.get(id)
    if (kept?.status === 'settling') throw cause
    return false
  }
}

async function failed(ports: Ports, payment: StoredX402Payment): Promise<void> {
  const now = await ports.store.now()
  await retryUnmet(async () => {
    const writes = await unpaidByX402(ports, payment.order_id, now)
    await committed(ports, payment, [ended(payment, 'failed'), ...writes])
  })
}

/** Trying cannot find out more: the operator, who reads the log, has to look at the chain. */
async function doubted(ports: Ports, payment: StoredX402Payment): Promise<void> {
  const isOurs = await committed(ports, payment, [ended(payment, 'unknown')])
  if (!isOurs) return
  const { id, order_id, payer, amount_cents, currency } = payment
  ports.log.error('it is not known whether a payment by x402 was made: look at its chain', {
    payment_id: id,
    order_id,
    payer,
    amount_cents,
    currency,
  })
}

async function again(ports: Ports, payment: StoredX402Payment, isOpen: boolean): Promise<void> {
  const now = await ports.store.now()
  const open_tries = payment.open_tries - (isOpen ? 0 : 1)
  if (secondsAfter(now, -graceSeconds) > payment.valid_before) {
    return open_tries > 0 ? doubted(ports, payment) : failed(ports, payment)
  }
  const pause = Math.min(2 ** payment.attempts, pauseAtMost)
  const { id, attempts } = payment
  const change = { $set: { open_tries, due_at: secondsAfter(now, pause) } }
  await ports.store.x402_payments.update({ id, attempts, status: 'settling' }, change)
}

function ended({ id }: StoredX402Payment, status: StoredX402Payment['status']): Write {
  const change = { $set: { status, due_at: null } }
  return { in: 'x402_payments', update: { id, status: 'settling' }, change }
}
