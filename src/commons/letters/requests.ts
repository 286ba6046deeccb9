import type { MemberCaller, TrustLevel } from '#src/core/admission/caller.ts'
import { takeForNetworks } from '#src/core/admission/networks.ts'
import type { Context } from '#src/core/context.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Store, Write } from '#src/ports/store.ts'

/** How many first messages to strangers a member may send a day (UTC), by trust level. */
export const requestsADay: Readonly<Record<TrustLevel, number>> = {
  0: 3,
  1: 10,
  2: 30,
  3: 100,
  4: 300,
}

/** The first messages to strangers that a member sent on a day; its id is the handle, a space and the day. */
export interface RequestCount {
  id: string
  /** Of UTC, such as 2026-03-01. */
  day: string
  sent: number
}

/** How many days a count is kept. */
export const requestDays = 2

/** The UTC day that counts are named by. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/** How many first messages a member has sent today (UTC). */
export async function requestsOf(store: Store, handle: string, now: Date): Promise<number> {
  return (await store.commons_requests.get(countId(handle, now)))?.sent ?? 0
}

/**
 * The write that counts a first message to a stranger, for its commit: a message that is not sent
 * costs nothing. `Unmet` or `DuplicateKey` (`commons_requests`) when another call was quicker.
 * @throws Refusal `rate_limited` once today's allowance is used
 */
export async function countedRequest(
  store: Store,
  { handle, level }: Pick<MemberCaller, 'handle' | 'level'>,
  now: Date,
): Promise<Write> {
  const id = countId(handle, now)
  const count = await store.commons_requests.get(id)
  if (!count) return { in: 'commons_requests', insert: { id, day: dayOf(now), sent: 1 } }
  const atMost = requestsADay[level]
  if (count.sent >= atMost) return tooMany(atMost, 'you', level, secondsToMidnight(now))
  const update = { id, sent: { $lt: atMost } }
  return { in: 'commons_requests', update, change: { $inc: { sent: 1 } } }
}

/**
 * Counts a first message for the network that it comes from, whether or not it is delivered, if the
 * operator limits that.
 * @throws Refusal `rate_limited`
 */
export async function countForNetwork(context: Context<'commons'>): Promise<void> {
  const { limiter, caller, settings, address } = context
  const limit = settings.limits.message_requests
  if (!limit) return
  const from = { address, who: 'network:' }
  const taken = await takeForNetworks(limiter, 'message_requests', limit, from)
  if (!taken.admitted) tooMany(taken.count, 'your network', caller.level, taken.resetSeconds)
}

function countId(handle: string, now: Date): string {
  return `${handle} ${dayOf(now)}`
}

function secondsToMidnight(now: Date): number {
  const dayMs = 86_400_000
  return Math.max(1, Math.ceil((dayMs - (now.getTime() % dayMs)) / 1000))
}

function tooMany(count: number, who: string, level: TrustLevel, retryAfterSeconds: number): never {
  const message = `Today ${who} sent ${count} first messages to strangers, which is the limit.`
  throw new Refusal('rate_limited', message, {
    retryAfterSeconds,
    hint: `At trust level ${level} the next one goes in ${retryAfterSeconds} s; you can write at any time to a member that has accepted you.`,
  })
}
