import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Ports } from '#src/core/context.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type { Write } from '#src/ports/store.ts'

/** Tasks for which writes are made before other work has a turn. */
const tasksInOneTurn = 20

/** The writes of all of these tasks. */
export async function gathered(
  { clock }: Pick<Ports, 'clock'>,
  tasks: readonly StoredTask[],
  writesOf: (task: StoredTask) => Promise<readonly Write[]>,
): Promise<Write[]> {
  const writes: Write[] = []
  for (const [index, task] of tasks.entries()) {
    if (index % tasksInOneTurn === tasksInOneTurn - 1) await turnOf(clock)
    writes.push(...(await writesOf(task)))
  }
  return writes
}
