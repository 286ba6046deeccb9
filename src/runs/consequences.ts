import type { Ports } from '#src/core/context.ts'
import type { Write } from '#src/ports/store.ts'
import type { StoredTask } from '#src/tasks/task.ts'
import { handoffOf } from './handoff.ts'
import type { Outcome } from './outcome.ts'
import { pauseOf } from './pausing.ts'
import type { StoredRun } from './run.ts'

/** A run that is about to end. */
export interface Ended {
  /** As it will be. */
  run: StoredRun
  /** Undefined where it has been deleted since. */
  task: StoredTask | undefined
  outcome: Outcome
  now: Date
}

/** Something that the end of a run sets going: writes that go into the commit of its outcome. */
export type Consequence = (ports: Ports, ended: Ended) => Promise<Write[]> | Write[]

/** Everything that the end of a run may set going, in the order in which it is written. */
const consequences: readonly Consequence[] = [handoffOf, pauseOf]

/** What the end of a run sets going. */
export async function consequencesOf(ports: Ports, ended: Ended): Promise<Write[]> {
  const writes: Write[] = []
  for (const consequence of consequences) {
    // Most have nothing to say, and a promise for each would cost more than they do.
    const found = consequence(ports, ended)
    writes.push(...(found instanceof Promise ? await found : found))
  }
  return writes
}
