import { growing } from '#src/core/counts/growth.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { timestamp } from '#src/core/time.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { Together } from './catch-up.ts'
import type { StoredSlot } from './slot.ts'

/** How long a row goes on: slots are forgotten by their first fire, and the latest ones must not be. */
const goesOnMs = 30 * 86_400_000

/**
 * The last slot of a task, where it stands for fires that did not come because the task is disabled,
 * and these belong to them; undefined where they begin a row of their own.
 * @param message why they do not come, in words
 */
export async function rowToProlong(
  { slots }: Pick<Store, 'slots'>,
  { char_id, task_id, owner_id }: StoredTask,
  message: string,
  fires: Together,
): Promise<StoredSlot | undefined> {
  // The id may have belonged to another account before.
  const filter = { char_id, task_id, owner_id }
  const [last] = await slots.find(filter, { sort: { at: -1 }, limit: 1 })
  if (last?.reason !== 'task_disabled' || last.message !== message) return undefined
  return fires.to - Date.parse(last.at) < goesOnMs ? last : undefined
}

/** The write by which a row stands for these fires too; it counts the bytes by which the row grows. */
export function prolonged(row: StoredSlot, fires: Together): Write {
  const { id, at, to, count, owner_id, bytes = 0, ...rest } = row
  const times = [Date.parse(at), Date.parse(to ?? at), fires.from, fires.to]
  const told = {
    at: timestamp(new Date(Math.min(...times))),
    to: timestamp(new Date(Math.max(...times))),
    count: count + fires.count,
  }
  const size = sizeOf({ ...rest, id, owner_id, ...told })
  const change = { $set: { ...told, bytes: size } }
  return growing({ in: 'slots', update: { id, at, count }, change }, owner_id, size - bytes)
}
