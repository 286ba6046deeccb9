import { timestamp } from '#src/core/time.ts'
import type { Store } from '#src/ports/store.ts'

/** The log of an account that someone has listened to: events are written for it until a day after. */
export interface AccountLog {
  /** Of the account. */
  id: string
  /** The number of the last event; each gets the next one in the commit that writes it. */
  seq: number
  /** Until when events are written, RFC 3339. */
  until: string
}

/** How long events are written after someone has listened. */
export const listenedHours = 24

// Whether anyone listens is asked at every commit, so it is known without a read.
const untilOf = new Map<string, number>()

/** Whether events of an account are written for its log. */
export function listens(accountId: string, now = Date.now()): boolean {
  const until = untilOf.get(accountId)
  if (until === undefined) return false
  if (until > now) return true
  untilOf.delete(accountId)
  return false
}

/** Whether those of any account are. */
export function anyListens(): boolean {
  return untilOf.size > 0
}

/** Remembers until when an account is listened to. */
export function remembered({ id, until }: Pick<AccountLog, 'id' | 'until'>): void {
  untilOf.set(id, Date.parse(until))
}

/** The name under which other processes are told that an account is listened to. */
export function listeningName(accountId: string): string {
  return listeningMark + accountId
}

const listeningMark = 'listening/'

/** Learns who is listened to: of the account that a touched name means, or of all. */
export async function learnListening(
  { account_logs }: Pick<Store, 'account_logs'>,
  now: Date,
  name?: string,
): Promise<void> {
  const id = name?.slice(listeningMark.length)
  const living = { until: { $gt: timestamp(now) }, ...(id !== undefined && { id }) }
  for (const log of await account_logs.find(living)) remembered(log)
}

/** Whether a touched name says that an account is listened to. */
export function isListeningName(name: string): boolean {
  return name.startsWith(listeningMark)
}
