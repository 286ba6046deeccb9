import { insertedInto, type Effect } from '#src/core/effects.ts'
import type { Quotas } from '#src/core/counts/quotas.ts'
import type { StoredDelivery } from './delivery.ts'

/** Bytes of a delivery's record in addition to its address and its body. */
const recordBytes = 700

/** The delivery with the bytes that it counts while it is stored. */
export function measured(delivery: StoredDelivery): StoredDelivery {
  const { url, body } = delivery
  return { ...delivery, bytes: recordBytes + url.length + body.length }
}

/** Counts bytes of a delivery for the account or sender that caused it. */
export function countDelivery(
  quotas: Pick<Quotas, 'addBytes' | 'received'>,
  { owner_id, sender }: Pick<StoredDelivery, 'owner_id' | 'sender'>,
  bytes: number,
): void {
  if (bytes === 0) return
  if (sender === undefined) quotas.addBytes(owner_id, bytes)
  else quotas.received.add(owner_id, sender, bytes)
}

/** Counts the deliveries that a commit has stored. */
export const countDeliveries: Effect = ({ quotas }, writes) => {
  for (const one of insertedInto('deliveries', writes)) countDelivery(quotas, one, one.bytes ?? 0)
}
