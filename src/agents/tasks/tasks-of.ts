import type { Store } from '#src/ports/store.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

/** Tasks that are read in one go. */
const atOnce = 100

/** The tasks of these agents, agent by agent and in the order of each. */
export async function tasksOf(
  store: Pick<Store, 'tasks'>,
  charIds: readonly string[],
): Promise<StoredTask[]> {
  const found: StoredTask[] = []
  for (const char_id of charIds.toSorted()) {
    const own: StoredTask[] = []
    for (let after: string | undefined = ''; after !== undefined;) {
      const filter = { char_id, id: { $gt: after } }
      const read: StoredTask[] = await store.tasks.find(filter, { sort: { id: 1 }, limit: atOnce })
      own.push(...read)
      after = read[atOnce - 1]?.id
    }
    found.push(...own.sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1)))
  }
  return found
}
