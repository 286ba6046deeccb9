import { orderTrigger } from '#src/runs/triggers/order-trigger.ts'
import type { Ports } from '#src/core/context.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { sourceOf } from '#src/core/text/untrusted.ts'
import type { Write } from '#src/ports/store.ts'
import { newRun } from '#src/runs/new-run.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { lacksModel } from '#src/runs/runtimes/prompt/choose-model.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { filledForm } from './forms/form.ts'
import type { StoredOrder } from './order.ts'

/** How often an order under way is checked, in case the end of its run was missed. */
export const lookedAtSeconds = 3600

/** An order whose run begins. */
export interface Begun {
  run: StoredRun
  /** Of the order. */
  change: Pick<StoredOrder, 'status' | 'run_id' | 'due_at' | 'paid_at' | 'paid_by'>
  writes: Write[]
}

/** The run of an order, and the order's new state. @param paidBy null for what costs nothing */
export function begun(
  { models }: Pick<Ports, 'models'>,
  order: Pick<StoredOrder, 'id' | 'form' | 'sender' | 'buyer_id' | 'buyer_char_id'>,
  task: StoredTask,
  paidBy: StoredOrder['paid_by'],
  now: Date,
): Begun {
  const at = timestamp(now)
  const trigger = { type: orderTrigger, at, caller: { order_id: order.id } }
  const input = filledForm(task.form_schema, order.form)
  const buyer = { accountId: order.buyer_id ?? undefined, charId: order.buyer_char_id }
  const from = { sender: order.sender, source: sourceOf(buyer, 'order', task.owner_id) }
  const run = newRun(task, { trigger, input, hasNoModel: lacksModel(models, task), ...from }, now)
  const change = {
    status: 'in_progress' as const,
    run_id: run.id,
    due_at: secondsAfter(now, lookedAtSeconds),
    paid_at: paidBy === null ? null : at,
    paid_by: paidBy,
  }
  return { run, change, writes: [{ in: 'runs', insert: run }] }
}
