import type { Ports } from '#src/core/context.ts'
import { charactersAtMost, documentsInPieces, textsInPieces } from '#src/core/turns/pieces.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Store, TextRead } from '#src/ports/store.ts'
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

/** The read of the stored tasks of one agent, in order, up to what is read in one turn of the event loop. */
export function tasksOfOne(charId: string) {
  const options = { sort: { order: 1 }, charactersAtMost } as const
  return { in: 'tasks', filter: { char_id: charId }, options } satisfies TextRead
}

/** The stored texts of all tasks of one agent, in order, read in pieces that do not hold up other work. */
export async function taskTexts({ store, clock }: TaskSource, charId: string): Promise<string[]> {
  const read = { key: charId, ...tasksOfOne(charId) }
  const rows = await textsInPieces(clock, store.tasks, read)
  return rows.map(({ text }) => text)
}
