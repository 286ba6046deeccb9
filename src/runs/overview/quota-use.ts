import * as z from 'zod'
import type { Context } from '#src/core/context.ts'
import { quotaNames, type Owner } from '#src/core/counts/quota-table.ts'
import { underWork } from '../concurrency.ts'

export const QuotaUse = z.object({
  name: z.string(),
  used: z.number(),
  limit: z.number().nullable(),
})
/** How much of a quota is used; without a limit there is none. */
export type QuotaUse = z.infer<typeof QuotaUse>

/** How much of each of its quotas an account uses. @param caller whose it is */
export async function quotaUse({
  store,
  caller,
  quotas,
}: Pick<Context, 'store' | 'quotas'> & { caller: Owner }): Promise<QuotaUse[]> {
  const concurrent_runs = await store.runs.count(underWork(caller.accountId))
  const queued_runs = await quotas.queuedRuns(caller.accountId)
  const held_runs = await quotas.heldRuns(caller.accountId)
  const used = { ...(await quotas.usage(caller)), concurrent_runs, queued_runs, held_runs }
  return quotaNames.map((name) => {
    const limit = quotas.limitOf(name, caller)
    return { name, used: used[name], limit: limit === Infinity ? null : limit }
  })
}
