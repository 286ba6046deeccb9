import type { Delivery } from './delivery.ts'
import { deliveryDays } from './outbox.ts'
import { purgedAtOnce, type Purge } from '#src/core/counts/purge.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'

const daySeconds = 86_400

/**
 * Deliveries that were kept long enough, with their secrets; those of an app that was torn down lately,
 * and those still to be sent, are kept on.
 */
export const purgeDeliveries: Purge = async ({ store: { deliveries, tombstones } }, now) => {
  const expired = { keep_until: { $lt: timestamp(now) } }
  const rows = await deliveries.text(expired, { sort: { keep_until: 1 }, limit: purgedAtOnce })
  // Looked at before the lock is taken: a purge that finds nothing costs no write.
  if (rows.length === 0) return false
  // The stored documents are ours.
  const found = rows.map(({ text }) => JSON.parse(text) as Delivery)
  const apps = [...new Set(found.flatMap(({ app_id }) => app_id ?? []))]
  const asked = { id: { $in: apps.map((id) => `apps/${id}`) } }
  const graves = apps.length > 0 ? await tombstones.find(asked) : []
  const tornDown = new Map(graves.map(({ id, at }) => [id, at]))
  const keptUntil = ({ app_id, status }: Delivery): string => {
    if (status === 'pending') return secondsAfter(now, daySeconds)
    const at = tornDown.get(`apps/${app_id}`)
    return at === undefined ? '' : secondsAfter(new Date(at), deliveryDays * daySeconds)
  }
  const byDate = Map.groupBy(found, (one) => keptUntil(one))
  for (const [keep_until, kept] of byDate) {
    if (keep_until <= timestamp(now)) {
      await deliveries.delete({ id: { $in: kept.map(({ id }) => id) } })
    } else {
      const change = { $set: { keep_until } }
      await Promise.all(kept.map(({ id }) => deliveries.update({ id }, change, { lazy: true })))
    }
  }
  return rows.length === purgedAtOnce
}
