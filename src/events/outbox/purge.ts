import { countDelivery } from './bytes.ts'
import { deliveryDays } from './outbox.ts'
import { portionsOf } from '#src/core/counts/portions.ts'
import { purgedAtOnce, type Purge } from '#src/core/counts/purge.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Picked } from '#src/ports/store.ts'

const daySeconds = 86_400
const paths = ['id', 'app_id', 'status', 'owner_id', 'sender', 'bytes'] as const

/**
 * Deletes expired deliveries with their secrets, and gives back what they counted. Those of an app that was
 * torn down lately, and those still to be sent, are kept longer.
 */
export const purgeDeliveries: Purge = async ({ store, quotas }, now) => {
  const { deliveries, tombstones } = store
  const expired = { keep_until: { $lt: timestamp(now) } }
  const rows = await deliveries.pick(paths, expired, {
    sort: { keep_until: 1 },
    limit: purgedAtOnce,
  })
  // Read before the lock is taken: a purge that finds nothing costs no write.
  if (rows.length === 0) return false
  const found = rows.map(expiredOf)
  const apps = [...new Set(found.flatMap(({ app_id }) => app_id ?? []))]
  const asked = { id: { $in: apps.map((id) => `apps/${id}`) } }
  const graves = apps.length > 0 ? await tombstones.find(asked) : []
  const tornDown = new Map(graves.map(({ id, at }) => [id, at]))
  const keptUntil = ({ app_id, status }: Expired): string => {
    if (status === 'pending') return secondsAfter(now, daySeconds)
    const at = tornDown.get(`apps/${app_id}`)
    return at === undefined ? '' : secondsAfter(new Date(at), deliveryDays * daySeconds)
  }
  const leaving: Expired[] = []
  const staying: Promise<unknown>[] = []
  for (const one of found) {
    const keep_until = keptUntil(one)
    if (keep_until <= timestamp(now)) leaving.push(one)
    else staying.push(deliveries.update({ id: one.id }, { $set: { keep_until } }, { lazy: true }))
  }
  await Promise.all(staying)
  for (const portion of portionsOf(leaving)) {
    await Promise.all(
      portion.map(async (one) => {
        // If two processes delete it, only one gives back what it counted.
        const gone = await deliveries.delete({ id: one.id, ...expired })
        if (gone > 0) countDelivery(quotas, one, -one.bytes)
      }),
    )
  }
  return rows.length === purgedAtOnce
}

interface Expired {
  id: string
  app_id: string | null
  status: string
  owner_id: string
  sender?: string
  bytes: number
}

function expiredOf([id, app, status, owner, sender, bytes]: Picked): Expired {
  return {
    id: String(id),
    app_id: typeof app === 'string' ? app : null,
    status: String(status),
    owner_id: String(owner),
    ...(typeof sender === 'string' && { sender }),
    bytes: Number(bytes ?? 0),
  }
}
