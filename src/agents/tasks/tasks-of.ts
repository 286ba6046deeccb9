import type { Ports } from '#src/core/context.ts'
import { documentsInPieces } from '#src/core/turns/pieces.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Store } from '#src/ports/store.ts'
import { inOrder } from './replace-tasks.ts'
import type { StoredTask } from './task.ts'

/** The source from which tasks are read. */
export interface TaskSource extends Pick<Ports, 'clock'> {
  store: Pick<Store, 'tasks'>
}

/**
 * The tasks of these agents, agent by agent and in order, read in pieces that do not hold up other work.
 * @param further an additional filter for the tasks
 */
export async function tasksOf(
  { store, clock }: TaskSource,
  charIds: readonly string[],
  further?: Filter<StoredTask>,
): Promise<StoredTask[]> {
  const filter = { char_id: { $in: charIds }, ...further }
  const found = await documentsInPieces(clock, store.tasks, filter, charIds[0] ?? '')
  const byAgent = Map.groupBy(inOrder(found), ({ char_id }) => char_id)
  return charIds.toSorted().flatMap((id) => byAgent.get(id) ?? [])
}
