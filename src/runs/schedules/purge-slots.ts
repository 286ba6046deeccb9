import type { Ports } from '#src/core/context.ts'
import { sweepCounted } from '#src/core/counts/sweep.ts'
import { secondsAfter } from '#src/core/time.ts'
import { slotDays } from './slot.ts'

/**
 * Deletes slots that were kept long enough, and gives back what they counted.
 * @returns whether there may be more of them
 */
export function sweepSlots(
  { store: { slots }, quotas }: Pick<Ports, 'store' | 'quotas'>,
  now: Date,
): Promise<boolean> {
  const at = { $lt: secondsAfter(now, -slotDays * 86_400) }
  return sweepCounted(quotas, {
    find: (limit) => slots.pick(['id', 'owner_id', 'bytes'], { at }, { sort: { at: 1 }, limit }),
    remove: (id) => slots.delete({ id, at }),
  })
}
