import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { hidden } from '#src/core/text.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { taskOf } from '#src/tasks/of-run.ts'
import type { StoredTask } from '#src/tasks/task.ts'
import type { Rating, StoredOrder } from './order.ts'

/** The longest comment, in characters. */
export const commentAtMost = 1000

const hiddenOnes = new RegExp(hidden.source, 'gv')

/** A comment without what a reader does not see, line by line; null where nothing is left. */
export function cleanComment(comment: string | undefined): string | null {
  const lines = (comment ?? '').split(/\r\n|[\n\r]/)
  const clean = lines.map((line) => line.replaceAll(hiddenOnes, '').trimEnd()).join('\n')
  return clean.trim() || null
}

/**
 * The order with its rating, and what writes it: bound to an order that is not rated yet.
 * @throws Refusal `forbidden` for whoever offers it, `order_not_completed`, `already_rated`
 */
export async function rated(
  { store, caller, clock }: Pick<Context, 'store' | 'caller' | 'clock'>,
  order: StoredOrder,
  { stars, comment }: Pick<Rating, 'stars' | 'comment'>,
): Promise<{ order: StoredOrder; writes: Write[] }> {
  if (order.owner_id === order.buyer_id || order.owner_id === caller.accountId) {
    return refuse('forbidden', 'Nobody rates what the own account offers.')
  }
  if (order.rating) return refuse('already_rated', 'The order has been rated.')
  if (order.status !== 'completed' || order.paid_by === null) {
    return refuse('order_not_completed', 'Only what was paid for and delivered is rated.', {
      hint: `This order is ${order.status}${order.paid_by === null ? ', and cost nothing' : ''}.`,
    })
  }
  const rating = { stars, comment, created_at: timestamp(clock.now()) }
  const task = await taskOf(store, order)
  const isSame = task && task.created_at <= order.created_at
  const update = { id: order.id, status: order.status, 'rating.created_at': null }
  return {
    order: { ...order, rating },
    writes: [
      { in: 'orders', update, change: { $set: { rating } } },
      ...(isSame ? [counting(task, stars)] : []),
    ],
  }
}

/** The average is that of the sum, which every rating adds to: of two at once one is counted anew. */
function counting({ id, owner_id, rating_sum, rating_summary }: StoredTask, stars: number): Write {
  const before = rating_sum ?? null
  const sum = (before ?? 0) + stars
  const count = (rating_summary?.count ?? 0) + 1
  const average = Math.round((100 * sum) / count) / 100
  return {
    in: 'tasks',
    update: { id, owner_id, rating_sum: before },
    change: { $set: { rating_sum: sum, rating_summary: { ...rating_summary, average, count } } },
  }
}
