import type { StoredDelivery } from './delivery.ts'
import type { PushTarget } from './push-target.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'

type Rows = Pick<Store, 'deliveries' | 'push_targets'>

/** A notification with its place in the order. */
export type Placed = StoredDelivery & { push_target: string; push_seq: number }

/** Whether a delivery is a notification of a chat task. */
export function isPlaced(delivery: StoredDelivery): delivery is Placed {
  return delivery.push_target !== undefined && delivery.push_seq !== undefined
}

/** What to do with a notification whose turn may have come. */
export type Turn =
  | { target: PushTarget }
  /** Until then those before it go first. RFC 3339. */
  | { until: string }
  /** No one wants it any more. */
  | { over: true }

/** How often the result of a task is tried before later notifications go out without it. */
const triesOfContent = 3
const soonSeconds = 1
/** Earlier notifications that are looked at; one task never has that many. */
const lookedAt = 500

/** An earlier notification of the same target. */
interface Before {
  id: string
  isBusy: boolean
  attempts: number
  dueAt: string
  brings: boolean
}

/**
 * Whether it is the turn of a notification: those of a target go out one after the other, in the order of
 * the events. One that has failed gives way to a later one and is not sent again, so that no older state
 * arrives after a newer one; one with the result of the task is first tried a few times.
 */
export async function turnOf(rows: Rows, delivery: Placed, now: Date): Promise<Turn> {
  const target = await rows.push_targets.get(delivery.push_target)
  if (!target || target.is_gone) return { over: true }
  const before = await beforeIt(rows, delivery)
  const soon = secondsAfter(now, soonSeconds)
  const first = firstOf(before)
  if (first) return { until: first.dueAt > soon ? first.dueAt : soon }
  for (const { id } of before) {
    const left = { id, status: 'pending', claim: null } as const
    const given = await rows.deliveries.update(left, { $set: overtaken })
    // Another worker has just taken it up again.
    if (!given) return { until: soon }
  }
  return { target }
}

const overtaken = {
  status: 'failed',
  error: 'A later notification was sent in its place.',
  next_attempt_at: null,
  due_at: null,
} as const

/** The one that has to go first. */
function firstOf(before: readonly Before[]): Before | undefined {
  return before.find(
    ({ isBusy, attempts, brings }) =>
      isBusy || attempts === 0 || (brings && attempts < triesOfContent),
  )
}

/**
 * After a notification was left to wait: makes it due if those before it have ended in the meantime, when
 * their `nextInTurn` did not find it waiting yet.
 */
export async function unlessFirst(rows: Rows, delivery: Placed, now: Date): Promise<void> {
  if (firstOf(await beforeIt(rows, delivery))) return
  const waiting = { id: delivery.id, status: 'pending', claim: null, attempts: 0 } as const
  await rows.deliveries.update(waiting, { $set: { due_at: timestamp(now) } })
}

async function beforeIt(
  { deliveries }: Pick<Rows, 'deliveries'>,
  { push_target, push_seq }: Placed,
): Promise<Before[]> {
  const picked = await deliveries.pick(
    ['id', 'claim', 'attempts', 'due_at', 'push_brings'],
    { push_target, status: 'pending', push_seq: { $lt: push_seq } },
    { sort: { push_seq: 1 }, limit: lookedAt },
  )
  return picked.map(([id, claim, attempts, dueAt, brings]) => ({
    id: String(id),
    isBusy: claim !== null,
    attempts: Number(attempts),
    dueAt: String(dueAt ?? ''),
    brings: brings === 1,
  }))
}

/** After a try: the next notification of the same target need not wait any longer. */
export async function nextInTurn(
  { deliveries }: Pick<Rows, 'deliveries'>,
  { push_target }: Placed,
  now: Date,
): Promise<void> {
  const waiting = { push_target, status: 'pending', claim: null, attempts: 0 } as const
  const change = { $set: { due_at: timestamp(now) } }
  await deliveries.update(waiting, change, { sort: { push_seq: 1 } })
}

/** How a notification ends that no one wants any more. */
export const unwanted = {
  status: 'disabled',
  error: 'The notification config was deleted, or its receiver wants nothing any more.',
  next_attempt_at: null,
  due_at: null,
  claim: null,
} as const

/** The writes after which a receiver that is gone is told nothing more. */
export async function targetGone(
  rows: Pick<Rows, 'deliveries'>,
  { push_target, id }: Placed,
): Promise<Write[]> {
  return [
    { in: 'push_targets', update: { id: push_target }, change: { $set: { is_gone: true } } },
    ...(await endOfWaiting(rows, push_target, id)),
  ]
}

/**
 * The writes that stop everything that waits for a target. It is deleted when it expires, and then gives
 * back what it counts.
 * @param except one that ends otherwise
 */
export async function endOfWaiting(
  { deliveries }: Pick<Rows, 'deliveries'>,
  push_target: string,
  except?: string,
): Promise<Write[]> {
  const waiting = await deliveries.pick(['id'], { push_target, status: 'pending' })
  return waiting
    .map(([id]) => String(id))
    .filter((id) => id !== except)
    .map((id) => ({
      in: 'deliveries',
      update: { id, status: 'pending' },
      change: { $set: unwanted },
    }))
}
