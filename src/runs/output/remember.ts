import type { Ports } from '#src/core/context.ts'
import { fitsInMemory, valueBytesAtMost } from '#src/agents/memory/entry.ts'
import { memoryPut, type MemoryPlace } from '#src/agents/memory/put.ts'
import { inTurn } from '#src/core/turns/in-turn.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Write } from '#src/ports/store.ts'
import type { Consequence } from '../ended.ts'
import { runEvent } from '../events.ts'
import { sourceOfStart } from '../new-run.ts'
import { workOf, type Worked } from './result.ts'

type Needed = Pick<Ports, 'store'>

/**
 * Ends runs of a task with a memory_namespace one after the other, within this process: of several that
 * put the same entry at once, all but one would have to decide again.
 */
export function endInTurn<T>(task: StoredTask | undefined, work: () => Promise<T>): Promise<T> {
  const remembers = task?.memory_namespace ?? task?.output_sharing?.handoff_memory_key
  return task && remembers ? inTurn(`memory of ${task.id}`, work) : work()
}

/**
 * Puts the last output of a task with a memory_namespace there, under its own task_id: tasks that share
 * a namespace do not overwrite each other.
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

/**
 * Puts an output into an agent's memory, in the commit of its run. If it is too large, only an event of
 * the run says so; if the agent is gone, nothing is put.
 */
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
  const source = sourceOfStart(place.ownerId, { parent: run })
  const put = await memoryPut(store, { ...place, source }, output, now)
  return put?.writes ?? []
}
