import { purgeCounted, type Purge } from '#src/core/counts/purge.ts'
import { secondsAfter } from '#src/core/time.ts'
import { slotDays } from './slot.ts'

/** Slots that were kept long enough. */
export const purgeSlots: Purge = ({ store: { slots }, quotas }, now) => {
  const at = { $lt: secondsAfter(now, -slotDays * 86_400) }
  return purgeCounted(quotas, {
    find: (limit) => slots.pick(['id', 'owner_id', 'bytes'], { at }, { sort: { at: 1 }, limit }),
    remove: (id) => slots.delete({ id, at }),
  })
}
