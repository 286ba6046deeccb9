import type { MemberCaller, TrustLevel } from '#src/core/caller.ts'
import type { Context } from '#src/core/context.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Limit, LimitState } from '#src/core/limits.ts'

/** First messages to strangers that a member may send a day (UTC), by trust level. */
export const requestsADay: Readonly<Record<TrustLevel, number>> = {
  0: 3,
  1: 10,
  2: 30,
  3: 100,
  4: 300,
}

/** The limit of a member's requests and whom it counts; a new level begins to count anew. */
export function requestLimit({ level, subject }: Pick<MemberCaller, 'level' | 'subject'>): {
  name: string
  limit: Limit
  subject: string
} {
  const limit = { count: requestsADay[level], seconds: 86_400 }
  return { name: `message_requests_${level}`, limit, subject }
}

/**
 * Counts a first message to a stranger, whatever becomes of it. It is a rule and no setting; what
 * one network may send is the limit `message_requests`.
 * @throws Refusal `rate_limited`
 */
export async function countRequest(context: Context<'commons'>): Promise<void> {
  const { limiter, caller, settings, address } = context
  const { name, limit, subject } = requestLimit(caller)
  admit(await limiter.take(name, limit, subject), 'you', caller.level)
  const ofNetwork = settings.limits.message_requests
  if (!ofNetwork) return
  const taken = await limiter.take('message_requests', ofNetwork, `network:${address}`)
  admit(taken, 'your network', caller.level)
}

function admit({ admitted, count, resetSeconds }: LimitState, who: string, level: number): void {
  if (admitted) return
  const message = `Today ${who} sent ${count} first messages to strangers, which is the limit.`
  throw new Refusal('rate_limited', message, {
    retryAfterSeconds: resetSeconds,
    hint: `At trust level ${level} the next one goes in ${resetSeconds} s; whoever has accepted you may be written to at any time.`,
  })
}
