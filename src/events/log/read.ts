import { brokenCursor, openCursor, sealCursor, type Order } from '#src/core/page.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store } from '#src/ports/store.ts'
import type { AccountEvent } from './entry.ts'
import type { AccountLog } from './account-log.ts'

function orderOf(accountId: string): Order {
  return { list: `account events ${accountId}`, by: 'seq', direction: 1 }
}

/** The place after an event in the log of an account, for `cursor` and `Last-Event-ID`. */
export function placeAfter(accountId: string, seq: number): string {
  return sealCursor(orderOf(accountId), [seq, ''])
}

/** Where a reader begins: after a cursor; without one at the beginning, or with what happens next. */
interface Beginning {
  cursor?: string | undefined
  from_now: boolean
}

/** The number of the event that a reader saw last. @throws Refusal `cursor_invalid` */
export function seenBy(log: AccountLog, { cursor, from_now }: Beginning): number {
  if (cursor === undefined) return from_now ? log.seq : 0
  const [seq] = openCursor(orderOf(log.id), cursor)
  return typeof seq === 'number' && seq <= log.seq ? seq : brokenCursor()
}

/**
 * The next events of a log, in order and without gaps. Where some are not kept any more, an event `gap` stands
 * in their place, with the number of the last of them.
 * @param log as read before
 */
export async function eventsAfter(
  { account_events }: Pick<Store, 'account_events'>,
  log: AccountLog,
  after: number,
  limit: number,
  now: Date,
): Promise<AccountEvent[]> {
  const later = { owner_id: log.id, seq: { $gt: after } }
  const rows = await account_events.find(later, { sort: { seq: 1 }, limit })
  const events = rows.map(({ seq, type, at, data, ...rest }) => ({
    seq,
    type,
    at,
    data,
    ...marksOf(rest),
  }))
  const before = (events[0]?.seq ?? log.seq + 1) - 1
  if (before <= after) return events
  const data = { reason: 'retention', count: before - after }
  const gap = { seq: before, type: 'gap', at: timestamp(now), data }
  return [gap, ...events].slice(0, limit)
}
