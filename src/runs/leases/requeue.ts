import type { Ports } from '#src/core/context.ts'
import { Unmet } from '#src/ports/store.ts'
import { pushesOf } from '../chat/push/changes.ts'
import { requeued } from '../claim.ts'
import { runEvent } from '../events.ts'
import { brainQueue } from '../queue.ts'
import type { StoredRun } from '../run.ts'

/** Returns a run to the queue whose agent let its lease run out. @returns whether this process did it */
export async function requeueSilent(ports: Ports, run: StoredRun): Promise<boolean> {
  const { store, clock, waiting } = ports
  const insert = runEvent(run.id, 'run.lease_expired', clock.now(), { attempt: run.attempt })
  try {
    const back = requeued(run)
    const pushes = await pushesOf(ports, back.run, clock.now(), { ifTold: true })
    await store.commit([back.write, { in: 'run_events', insert }, ...pushes])
    waiting.tell(brainQueue(run.owner_id))
    return true
  } catch (cause) {
    // Its agent came back in the last moment, or another process was quicker.
    if (!(cause instanceof Unmet)) throw cause
    return false
  }
}
