import { timestamp } from '#src/core/time.ts'
import type { Ports } from '#src/core/context.ts'
import type { Write } from '#src/ports/store.ts'
import type { Settled } from '../attempt.ts'
import type { StoredDelivery } from '../delivery.ts'

/** The longest text has fewer parts. */
const partsAtMost = 100

/** Once a part was taken, the next one is due; once it was given up, the rest of the message is too. */
export async function afterPart(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { next_part }: Pick<StoredDelivery, 'next_part'>,
  { status, error: why }: Settled,
): Promise<Write[]> {
  if (next_part === undefined || status === 'pending') return []
  if (status === 'delivered') {
    const at = timestamp(clock.now())
    return [
      {
        in: 'deliveries',
        update: { id: next_part, status: 'pending' },
        change: { $set: { due_at: at, next_attempt_at: at } },
      },
    ]
  }
  const writes: Write[] = []
  const error = `An earlier part of the message was not taken. ${why}`
  const $set = { status: 'failed', error } as const
  for (let id: string | undefined = next_part; id !== undefined && writes.length < partsAtMost;) {
    writes.push({ in: 'deliveries', update: { id, status: 'pending' }, change: { $set } })
    const part: StoredDelivery | undefined = await store.deliveries.get(id)
    id = part?.next_part
  }
  return writes
}
