import * as z from 'zod'
import type { Context } from '#src/core/context.ts'
import type { Limit } from '#src/core/admission/limits.ts'
import { limitsOf } from '#src/core/admission/limits-of.ts'
import { requestsADay, requestsOf } from '../letters/requests.ts'

/** A limit that applies to a member, and what is left of it in the current window. */
export const Allowance = z
  .object({ name: z.string(), count: z.int(), seconds: z.int(), remaining: z.int() })
  .meta({ id: 'CommonsAllowance' })
export type Allowance = z.infer<typeof Allowance>

/** Each stands for all operations counted with it. */
const counted = [
  'commons.me.get',
  'commons.status.set',
  'commons.threads.create',
  'commons.replies.create',
  'commons.votes.cast',
]

/**
 * The limits on what a member does, and on first messages to strangers; without those that are off.
 */
export async function allowances(context: Context<'commons'>): Promise<Allowance[]> {
  const { catalog, caller, address, settings, store, clock } = context
  const named = counted.flatMap((name) => {
    const operation = catalog.find((one) => one.name === name)
    return operation ? limitsOf({ operation, address }, caller, settings.limits) : []
  })
  const own = named.filter(({ subject }) => subject === caller.subject)
  const [sent, ...lefts] = await Promise.all([
    requestsOf(store, caller.handle, clock.now()),
    ...own.map((one) => left(context, one)),
  ])
  const count = requestsADay[caller.level]
  const remaining = Math.max(0, count - sent)
  return [...lefts, { name: 'message_requests', count, seconds: 86_400, remaining }]
}

async function left(
  { limiter }: Pick<Context, 'limiter'>,
  limit: { name: string; limit: Limit; subject: string },
): Promise<Allowance> {
  const { count, seconds } = limit.limit
  const used = await limiter.used(limit.name, limit.limit, limit.subject)
  return { name: limit.name, count, seconds, remaining: Math.max(0, count - used) }
}
