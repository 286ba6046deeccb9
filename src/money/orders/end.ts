import { isResumed, isTurnedDown } from '#src/runs/approvals/verdict.ts'
import type { Ports } from '#src/core/context.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import type { Consequence } from '#src/runs/ended.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { orderTrigger } from '#src/runs/triggers/order-trigger.ts'
import { changed } from './change.ts'
import { isPriced, type StoredOrder } from './order.ts'

/** An order ends with its run: its money is moved afterwards. */
export const orderEndOf: Consequence = ({ store }, { run, now }) =>
  isOrdered(run) ? endOf(store, run, now) : []

/**
 * A run that an ordered run starts has a parent, and is no order. One that continues after an approval
 * has none.
 */
function isOrdered({ trigger, parent_run_id }: StoredRun): boolean {
  return trigger.type === orderTrigger && parent_run_id === null
}

async function endOf(
  { orders }: Pick<Ports['store'], 'orders'>,
  run: StoredRun,
  now: Date,
): Promise<Write[]> {
  const id = run.trigger.caller?.order_id
  const order = typeof id === 'string' ? await orders.get(id) : undefined
  return order?.status === 'in_progress' ? [endedWith(order, run, now)] : []
}

/**
 * The write that ends an order with its run, or without one where that was deleted. The cause of a
 * failure is for the seller only: the buyer is told only that it failed.
 */
export function endedWith(order: StoredOrder, run: StoredRun | undefined, now: Date): Write {
  const finished_at = timestamp(now)
  // This includes an order that cost nothing: its copy of the result is counted then.
  const due_at = finished_at
  if (run && isDelivered(run)) {
    const { output, artifacts } = run
    const result = { output, artifacts, run_id: run.id, ...marksOf(run) }
    return changed(order, { ...result, status: 'completed', finished_at, due_at })
  }
  const status = isPriced(order) ? 'refunding' : 'failed'
  const error = run ? errorOf(run) : lost
  return changed(order, { status, error, finished_at, due_at, ...(run && { run_id: run.id }) })
}

function isDelivered(run: StoredRun): boolean {
  return run.status === 'completed' && !isTurnedDown(run) && !isResumed(run)
}

const lost = { code: 'run_lost', message: 'The run that worked on it no longer exists.' }

function errorOf(run: StoredRun): NonNullable<StoredOrder['error']> {
  if (run.status === 'abandoned' || isTurnedDown(run)) {
    return { code: 'not_approved', message: 'The work on it was not approved.' }
  }
  if (run.status === 'timed_out') {
    return { code: 'timed_out', message: 'The work on it did not end in time.' }
  }
  if (run.status === 'cancelled') {
    return { code: 'cancelled', message: 'The work on it was cancelled.' }
  }
  return { code: 'failed', message: 'The work on it failed.' }
}
