import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { taskKey, type StoredTask } from '#src/tasks/task.ts'
import { releaseParked } from './concurrency.ts'
import { consequencesOf } from './consequences.ts'
import type { Run, StoredRun } from './run.ts'

/** How a run ended. */
export type Outcome =
  | {
      status: 'completed'
      output: unknown
      artifacts?: Run['artifacts']
      usage?: Run['usage']
      reason?: string
    }
  | {
      status: 'failed' | 'timed_out' | 'cancelled' | 'abandoned'
      error: Run['error']
      reason?: string | null
      usage?: Run['usage']
      /** Where the last claim was no attempt any more. */
      attempt?: number
    }

/** A run's end as one commit: the run as it then is, and the writes with what they set going. */
export interface Ending {
  run: StoredRun
  writes: Write[]
  /** Of each run that they queue, the account. */
  owners: string[]
}

/**
 * The commit that ends a run, with what its result sets going. The update names the claim, so that
 * whoever has lost it fails (`Unmet`) and changes nothing.
 * @param task the run's task where it was just read; otherwise it is read here
 */
export async function endingOf(
  ports: Ports,
  run: StoredRun,
  outcome: Outcome,
  now: Date,
  task?: StoredTask,
): Promise<Ending> {
  const change = endOf(outcome, now)
  const held = run.claim ? { 'claim.token': run.claim.token } : { status: run.status }
  const update: Write = { in: 'runs', update: { id: run.id, ...held }, change: { $set: change } }
  const known = task ?? (await ports.store.tasks.get(taskKey(run.char_id, run.task_id)))
  const ended = { ...run, ...change }
  const further = await consequencesOf(ports, { run: ended, task: known, outcome, now })
  return { run: ended, writes: [update, ...further], owners: ownersOf(further) }
}

/**
 * The commit of a run that is accepted and ended in one: nobody ever sees it queued, and a crash
 * leaves all of it or nothing.
 */
export async function instantEnding(
  ports: Ports,
  queued: StoredRun,
  outcome: Outcome,
  now: Date,
  task: StoredTask,
): Promise<Ending> {
  const run = { ...queued, ...endOf(outcome, now), attempt: 1, started_at: timestamp(now) }
  const further = await consequencesOf(ports, { run, task, outcome, now })
  return { run, writes: [{ in: 'runs', insert: run }, ...further], owners: ownersOf(further) }
}

/** Of each run that the writes queue, the account. */
export function ownersOf(writes: readonly Write[]): string[] {
  return writes.flatMap((write) =>
    write.in === 'runs' && 'insert' in write && write.insert.status === 'queued'
      ? [write.insert.owner_id]
      : [],
  )
}

function endOf(outcome: Outcome, now: Date) {
  return {
    status: outcome.status,
    reason: outcome.reason ?? null,
    output: outcome.status === 'completed' ? (outcome.output ?? null) : null,
    artifacts: outcome.status === 'completed' ? (outcome.artifacts ?? []) : [],
    error: outcome.status === 'completed' ? null : outcome.error,
    finished_at: timestamp(now),
    due_at: null,
    claim: null,
    waits_for: null,
    open: null,
    ...(outcome.usage && { usage: outcome.usage }),
    ...('attempt' in outcome && { attempt: outcome.attempt }),
  }
}

/**
 * Ends a run in a commit of its own, and tells those who wait.
 * @returns the run as it ended, or undefined when the claim had been lost
 */
export async function end(
  ports: Ports,
  run: StoredRun,
  outcome: Outcome,
  task?: StoredTask,
): Promise<StoredRun | undefined> {
  for (;;) {
    const ending = await endingOf(ports, run, outcome, ports.clock.now(), task)
    try {
      await ports.store.commit(ending.writes)
    } catch (cause) {
      if (!(cause instanceof Unmet)) throw cause
      // The first write names the claim; any other rests on what may have changed since it was read.
      if (cause.index === 0) return undefined
      continue
    }
    await announce(ports, ending)
    return ending.run
  }
}

/**
 * After the commit of an ending: whoever waits for the run is told, the queued ones are looked at,
 * and the place that it leaves is given to the next.
 */
export async function announce(ports: Ports, { run, owners }: Ending): Promise<void> {
  ports.meter.runEnded(run.status)
  ports.quotas.addBytes(run.owner_id, JSON.stringify(run.output).length)
  ports.waiting.tell(run.id)
  for (const ownerId of owners) announceQueued(ports, ownerId, 1)
  if (await releaseParked(ports, run.owner_id)) ports.wake.runs(1)
  ports.waiting.tell(brainQueue(run.owner_id))
}

/** After the commit of new runs: our workers and the agents that lease runs look for them. */
export function announceQueued(
  ports: Pick<Ports, 'wake' | 'waiting'>,
  ownerId: string,
  count: number,
): void {
  if (count === 0) return
  ports.wake.runs(count)
  ports.waiting.tell(brainQueue(ownerId))
}

/** What agents that lease runs of this account wait for. */
export function brainQueue(ownerId: string): string {
  return `brain:${ownerId}`
}
