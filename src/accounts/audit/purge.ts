import { purgedAtOnce, type Purge } from '#src/core/counts/purge.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { secondsAfter } from '#src/core/time.ts'
import { auditDays } from './record.ts'

/** Deletes records that have expired, and gives back what they counted. The rest of a chain stays a chain. */
export const purgeAudit: Purge = async ({ store, quotas }, now) => {
  const expired = { at: { $lt: secondsAfter(now, -auditDays * 86_400) } }
  const found = await store.audit.find(expired, { sort: { at: 1 }, limit: purgedAtOnce })
  for (const record of found) {
    // If two processes delete it, only one gives back what it counted.
    const gone = await store.audit.delete({ id: record.id })
    if (gone > 0) quotas.addBytes(record.account_id, -sizeOf(record))
  }
  return found.length === purgedAtOnce
}
