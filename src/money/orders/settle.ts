import { isResumed } from '#src/runs/approvals/verdict.ts'
import type { Ports } from '#src/core/context.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { takeDue, type DueQueue } from '#src/core/turns/due-queue.ts'
import { credited } from '../payments/credit.ts'
import type { Write } from '#src/ports/store.ts'
import { hasEnded, type StoredRun } from '#src/runs/run.ts'
import { booked } from '../wallet/book.ts'
import { bookingOf } from '../wallet/booking-writes.ts'
import { lookedAtSeconds } from './begin.ts'
import { countOrder, orderBytes } from './bytes.ts'
import { endedWith } from './end.ts'
import { earnedBy } from './movements.ts'
import { isPriced, type PricedOrder, type StoredOrder } from './order.ts'
import { givenBack } from './give-back.ts'
import { tellOfReturn } from './x402/pay.ts'

/** How soon an order that could not be settled is tried again. */
const againSeconds = 60

const orders: DueQueue<StoredOrder> = {
  name: 'an order',
  atOnce: 200,
  sideBySide: 8,
  find: ({ store }, now, limit) =>
    store.orders.find({ due_at: { $lte: timestamp(now) } }, { sort: { due_at: 1 }, limit }),
  // Each changes the wallet of its seller.
  laneOf: ({ owner_id }) => owner_id,
  take: isSettled,
  putOff({ store }, { id, due_at }, now) {
    return store.orders.update(
      { id, due_at },
      { $set: { due_at: secondsAfter(now, againSeconds) } },
    )
  },
}

/**
 * Moves the money of orders that have ended, to the seller or back to the payer, and handles those
 * whose run ended unnoticed.
 * @returns how many were settled, which other processes may have done first
 */
export function settleDueOrders(ports: Ports): Promise<number> {
  return takeDue(ports, orders, ports.clock.now())
}

async function isSettled(ports: Ports, due: StoredOrder, now: Date): Promise<boolean> {
  const { store } = ports
  let writes: readonly Write[] = []
  let settled: StoredOrder | undefined
  const wallets = isPriced(due) ? [due.wallet, due.owner_id] : []
  const isNew = await booked(ports, wallets, async () => {
    const order = await store.orders.get(due.id)
    const isDue = order?.due_at != null && order.due_at <= timestamp(now)
    writes = isDue ? await decided(ports, order, now) : []
    settled = isDue ? order : undefined
    return writes
  })
  if (!isNew) throw new Error('its money was moved before')
  if (settled) countSettled(ports, settled)
  return writes.length > 0
}

/**
 * The change of an order that is still due as it was read: money may move without a change of status,
 * so the status alone does not show that another process was quicker.
 */
function settledAs({ id, status, due_at }: StoredOrder, $set: Partial<StoredOrder>): Write {
  return { in: 'orders', update: { id, status, due_at }, change: { $set } }
}

async function decided(ports: Ports, order: StoredOrder, now: Date): Promise<Write[]> {
  if (order.status === 'in_progress') return [await lookedAfter(ports, order, now)]
  if (order.status === 'expired') return forgotten(order)
  if (!isPriced(order)) return [settledAs(order, { due_at: null, ...counted(order) })]
  if (order.status === 'completed') return earned(ports, order, now)
  return order.status === 'refunding'
    ? returned(ports, order, now)
    : [settledAs(order, { due_at: null })]
}

/** The bytes that a completed order counts from then on: with its copy of the result. */
function counted(order: StoredOrder): Pick<StoredOrder, 'bytes'> {
  return order.status === 'completed' && order.bytes !== undefined
    ? { bytes: orderBytes(order) }
    : {}
}

/** After the commit that settled an order as it was read: an unpaid one is deleted. */
function countSettled({ quotas }: Ports, order: StoredOrder): void {
  const { bytes: before = 0 } = order
  const after = order.status === 'expired' ? 0 : (counted(order).bytes ?? before)
  if (after !== before) countOrder(quotas, order, after - before)
}

async function earned({ store }: Ports, order: PricedOrder, now: Date): Promise<Write[]> {
  const { id, owner_id, price_cents, currency, char_id, task_id } = order
  const booking = await bookingOf(store, [earnedBy(order)], now)
  const of = { wallet: owner_id, amount_cents: price_cents, currency, reference: id }
  const credit = { ...of, kind: 'earning', char_id, task_id } as const
  const told = await credited(store, credit, booking, now)
  return [settledAs(order, { due_at: null, ...counted(order) }), ...booking, ...told]
}

async function returned({ store, log }: Ports, order: PricedOrder, now: Date): Promise<Write[]> {
  const { movements, writes, status } = givenBack(order, now)
  if (movements.length === 0) tellOfReturn(log, order, order.error?.code ?? 'failed')
  const booking = await bookingOf(store, movements, now)
  return [settledAs(order, { status, due_at: null }), ...booking, ...writes]
}

/** It was never paid, and is of no use. A plain delete would succeed for two processes. */
function forgotten(order: StoredOrder): Write[] {
  const { id, status, checkout_id } = order
  const ended = { $in: ['expired', 'failed'] } as const
  return [
    settledAs(order, { status }),
    { in: 'orders', delete: { id, status } },
    ...(checkout_id === null
      ? []
      : [{ in: 'checkouts', delete: { id: checkout_id, status: ended } } as const]),
  ]
}

/** The end of its run was missed, or the run continues, or was deleted. */
async function lookedAfter({ store }: Ports, order: StoredOrder, now: Date): Promise<Write> {
  const run = await lastRunOf(store, order)
  if (!run || hasEnded(run)) return endedWith(order, run, now)
  return settledAs(order, { due_at: secondsAfter(now, lookedAtSeconds) })
}

/** The run of an order: after an approval, the one that continues it. */
async function lastRunOf(
  { runs }: Pick<Ports['store'], 'runs'>,
  { run_id }: StoredOrder,
): Promise<StoredRun | undefined> {
  let run = await runs.get(run_id ?? '')
  while (run && isResumed(run)) {
    const { id, root_run_id } = run
    const [next] = await runs.find({ root_run_id, resumed_from: id }, { limit: 1 })
    run = next
  }
  return run
}
