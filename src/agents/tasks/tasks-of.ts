import type { Ports } from '#src/core/context.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { inOrder } from './replace-tasks.ts'
import type { StoredTask } from './task.ts'

/** Tasks that are read in one turn of the event loop. */
const atOnce = 100

/** The tasks of these agents, agent by agent and in the order of each, read in turns that hold up nobody. */
export async function tasksOf(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  charIds: readonly string[],
): Promise<StoredTask[]> {
  const found: StoredTask[][] = []
  let left = atOnce
  for (const char_id of charIds.toSorted()) {
    const own: StoredTask[] = []
    for (let after: string | undefined = ''; after !== undefined;) {
      const filter = { char_id, id: { $gt: after } }
      const read: StoredTask[] = await store.tasks.find(filter, { sort: { id: 1 }, limit: atOnce })
      for (const task of read) own.push(task)
      after = read[atOnce - 1]?.id
      left -= read.length + 1
      if (left > 0) continue
      await turnOf(clock)
      left = atOnce
    }
    found.push(inOrder(own))
  }
  return found.flat()
}
