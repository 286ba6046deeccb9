import * as z from 'zod'
import { marked, marks } from '#src/core/text/untrusted.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { PlatformEvent } from '../event.ts'

export const AccountEvent = z
  .object({
    seq: z.int(),
    type: z.string(),
    at: z.string(),
    data: z.record(z.string(), z.unknown()).describe('Ids and short texts: read the rest by them.'),
    ...marks,
  })
  .meta({ id: 'AccountEvent' })
/** Something that happened in an account. */
export type AccountEvent = z.infer<typeof AccountEvent>

/** An event as stored, under the account and its number. */
export interface StoredAccountEvent extends AccountEvent {
  id: string
  owner_id: string
}

/** How many events of an account are kept, and for how long. */
export const loggedAtMost = 5000
export const loggedDays = 30

const textAtMost = 200
const membersAtMost = 20

/** The event with the next number of the account's log. */
export function entryOf(
  ownerId: string,
  seq: number,
  { type, at, data, source }: Pick<PlatformEvent, 'type' | 'at' | 'data' | 'source'>,
): StoredAccountEvent {
  const id = `${ownerId}.${String(seq).padStart(12, '0')}`
  return { id, owner_id: ownerId, seq, type, at, data: shortData(data), ...marked(source) }
}

/** Only what is short: who wants more reads it by the ids. */
function shortData(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const short = Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value === 'string') return [[name, value.slice(0, textAtMost).toWellFormed()]]
    return typeof value === 'object' && value !== null ? [] : [[name, value]]
  })
  return Object.fromEntries(short.slice(0, membersAtMost))
}

/**
 * The writes that put an event into the log of its account, if someone listens; for the commit that passes it
 * on. They name the number that was read, so that no number is given twice and none is left out.
 */
export async function logged(
  { account_logs }: Pick<Store, 'account_logs'>,
  event: PlatformEvent,
  now: Date,
): Promise<Write[]> {
  const log = await account_logs.get(event.owner_id)
  if (!log || log.until <= timestamp(now)) return []
  const seq = log.seq + 1
  const type = event.type === 'before_run' ? 'run.started' : event.type
  const old = { owner_id: log.id, seq: { $lte: seq - loggedAtMost } }
  return [
    { in: 'account_logs', update: { id: log.id, seq: log.seq }, change: { $set: { seq } } },
    { in: 'account_events', insert: entryOf(log.id, seq, { ...event, type }) },
    ...(seq > loggedAtMost ? [{ in: 'account_events', delete: old } as const] : []),
  ]
}
