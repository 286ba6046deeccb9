import type { Ports } from '#src/core/context.ts'
import { pushesOf } from '../chat/push/changes.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { unclaimed } from '../claim.ts'
import { releaseParked } from '../concurrency.ts'
import { brainQueue } from '../queue.ts'
import type { StoredRun } from '../run.ts'

/** The state of a run while it waits for something other than a worker. */
export type Parked = Pick<StoredRun, 'status' | 'reason' | 'waits_for' | 'due_at'> & {
  approval_id?: string
  steps?: StoredRun['steps']
  /** The number of attempts, if the last claim does not count as one. */
  attempt?: number
  /** What it used before it was parked. */
  usage?: StoredRun['usage']
}

/**
 * What a runtime returns instead of an output if the run is to wait: for a decision, or for runs that it
 * has started. No one holds a claim on it meanwhile.
 */
export class Parking {
  readonly parked: Parked
  /** Writes of the same commit, such as the approval or the run that it waits for. */
  readonly writes: readonly Write[]

  constructor(parked: Parked, writes: readonly Write[]) {
    this.parked = parked
    this.writes = writes
  }
}

/**
 * Parks a claimed run in one commit with what it waits for, and tells callers that wait for it.
 * @returns whether the claim still held
 */
export async function park(ports: Ports, run: StoredRun, parking: Parking): Promise<boolean> {
  const held = run.claim ? { 'claim.token': run.claim.token } : { status: run.status }
  const change = { $set: { ...parking.parked, ...marksOf(run), ...unclaimed } }
  for (;;) {
    const pushes = await pushesOf(ports, { ...run, ...parking.parked }, ports.clock.now())
    const update: Write = {
      in: 'runs',
      update: { id: run.id, owner_id: run.owner_id, ...held },
      change,
    }
    try {
      await ports.store.commit([update, ...parking.writes, ...pushes])
      break
    } catch (cause) {
      if (!(cause instanceof Unmet)) throw cause
      if (cause.index === 0) return false
      // The targets have changed since they were read.
      if (cause.in !== 'chats') throw cause
    }
  }
  ports.waiting.tell(run.id)
  // No one works on it meanwhile, so its place is free.
  if (await releaseParked(ports, run.owner_id)) ports.wake.runs(1, run.owner_id)
  if (parking.parked.waits_for === 'brain') ports.waiting.tell(brainQueue(run.owner_id))
  return true
}
