import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { hidden } from '#src/core/text/text.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { taskOf } from '#src/agents/tasks/of-run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Rating, StoredOrder } from './order.ts'
import { isOneOwner, payerOf } from './payer.ts'

/** The longest comment, in characters. */
export const commentAtMost = 1000

const hiddenOnes = new RegExp(hidden.source, 'gv')

/** A comment without invisible characters, line by line; null where nothing is left. */
export function cleanComment(comment: string | undefined): string | null {
  const lines = (comment ?? '').split(/\r\n|[\n\r]/)
  const clean = lines.map((line) => line.replaceAll(hiddenOnes, '').trimEnd()).join('\n')
  return clean.trim() || null
}

/**
 * The order with its rating, and its writes: bound to an order that is not rated yet. Of the ratings
 * of one payer for a task the latest counts; those of a payer without money from outside do not.
 * @throws Refusal `forbidden` for the seller, by any of their accounts; `order_not_completed`,
 *   `already_rated`
 */
export async function rated(
  { store, caller, clock }: Pick<Context, 'store' | 'caller' | 'clock'>,
  order: StoredOrder,
  { stars, comment }: Pick<Rating, 'stars' | 'comment'>,
): Promise<{ order: StoredOrder; writes: Write[] }> {
  const { owner_id, buyer_id } = order
  const sides = [buyer_id, caller.accountId]
  const areOwn = await Promise.all(sides.map((side) => isOneOwner({ store }, owner_id, side)))
  if (areOwn.includes(true)) {
    return refuse('forbidden', 'You cannot rate what you offer, by any of your accounts.')
  }
  if (order.rating) return refuse('already_rated', 'The order has been rated.')
  if (order.status !== 'completed' || order.paid_by === null) {
    return refuse(
      'order_not_completed',
      'Only an order that was paid for and delivered can be rated.',
      {
        hint: `This order is ${order.status}${order.paid_by === null ? ', and cost nothing' : ''}.`,
      },
    )
  }
  const rating = { stars, comment, created_at: timestamp(clock.now()) }
  const update = { id: order.id, status: order.status, 'rating.created_at': null }
  // Before the former rating: a rating counted meanwhile changes what was read of the task.
  const task = await taskOf(store, order)
  const counted =
    task && task.created_at <= order.created_at ? await counting(store, task, order, stars) : none
  const { rated_by, writes } = counted
  const $set = rated_by === undefined ? { rating } : { rating, rated_by }
  return {
    order: { ...order, rating },
    writes: [...writes, { in: 'orders', update, change: { $set } }],
  }
}

interface Counted {
  rated_by?: string
  writes: Write[]
}

const none: Counted = { writes: [] }

/** The average is computed from the sum: if two ratings change it at once, one is decided again. */
async function counting(
  store: Context['store'],
  task: StoredTask,
  order: StoredOrder,
  stars: number,
): Promise<Counted> {
  const { names, isFunded } = await payerOf({ store }, order)
  if (!isFunded) return none
  const { id, owner_id, revision, created_at, rating_sum, rating_summary } = task
  // An account may have been claimed since it rated.
  const [rated_by = '', ...more] = names.map((name) => `${id} ${created_at} ${name}`)
  const known = { rated_by: { $in: [rated_by, ...more] } }
  const [former] = await store.orders.find(known, { limit: 1 })
  const before = rating_sum ?? null
  const many = rating_summary?.count ?? null
  const sum = (before ?? 0) + stars - (former?.rating?.stars ?? 0)
  const count = (many ?? 0) + (former ? 0 : 1)
  const average = Math.round((100 * sum) / count) / 100
  const counts = {
    in: 'tasks',
    // With the revision, so that the other parts of the summary stay as they are.
    update: { id, owner_id, revision, rating_sum: before, 'rating_summary.count': many },
    change: { $set: { rating_sum: sum, rating_summary: { ...rating_summary, average, count } } },
  } as const
  return { rated_by, writes: [counts, ...(former ? [uncounted(former)] : [])] }
}

/** A rating that a later one of the same payer replaces. */
function uncounted({ id, rated_by = '' }: StoredOrder): Write {
  return { in: 'orders', update: { id, rated_by }, change: { $unset: { rated_by: true } } }
}
