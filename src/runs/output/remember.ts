import type { Ports } from '#src/core/context.ts'
import { fitsInMemory, valueBytesAtMost } from '#src/agents/memory/entry.ts'
import { memoryPut, type MemoryPlace } from '#src/agents/memory/put.ts'
import type { Write } from '#src/ports/store.ts'
import type { Consequence } from '../ended.ts'
import { runEvent } from '../events.ts'
import { workOf, type Worked } from './result.ts'

type Needed = Pick<Ports, 'store'>

/**
 * A task with a memory_namespace keeps its last output there, under its own task_id: tasks that
 * share a namespace do not overwrite each other.
 */
export const rememberedOf: Consequence = (ports, ended) => {
  const { run, task, outcome } = ended
  if (!task?.memory_namespace) return []
  const work = workOf(outcome)
  if (!work) return []
  const place = {
    charId: run.char_id,
    ownerId: run.owner_id,
    namespace: task.memory_namespace,
    key: task.task_id,
  }
  return remembered(ports, ended, place, work.output)
}

/** Puts an output into an agent's memory, in the commit of its run; one that is too large is an event of the run. */
export async function remembered(
  { store }: Needed,
  { run, now }: Worked,
  place: MemoryPlace,
  output: unknown,
): Promise<Write[]> {
  const { charId, namespace, key } = place
  if (!fitsInMemory(output)) {
    const reason = `an entry has at most ${valueBytesAtMost} bytes as JSON`
    const data = { char_id: charId, namespace, key, reason }
    return [{ in: 'run_events', insert: runEvent(run.id, 'memory.dropped', now, data) }]
  }
  return [(await memoryPut(store, place, output, now)).anyhow]
}
