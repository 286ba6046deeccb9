import { brainQueue } from '../queue.ts'
import type { Outcome, Ending } from '../ended.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { taskOf } from '#src/agents/tasks/of-run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { acceptedBytes, broughtBytes, countRun } from '../retention/bytes.ts'
import { releaseParked } from '../concurrency.ts'
import type { StoredRun } from '../run.ts'
import { scrubbedOutcome } from './scrub.ts'
import { keptArtifacts } from '../output/artifacts.ts'
import { eachPutOnce } from '#src/agents/memory/put.ts'
import { isOvertaken } from '#src/core/revision.ts'
import { steppingOf } from '../workflows/next-step.ts'

/**
 * The commit that ends a run, with what its result sets going. The update names the claim, so that
 * whoever has lost it fails (`Unmet`) and changes nothing.
 * @param task the run's task where it was just read; otherwise it is read here
 * @param by the run whose end brings this one with it, if one does
 */
export async function endingOf(
  ports: Ports,
  run: StoredRun,
  brought: Outcome,
  now: Date,
  task?: StoredTask,
  by?: string,
): Promise<Ending> {
  const known = task ?? (await taskOf(ports.store, run))
  const clean = await scrubbedOutcome(ports, known, brought)
  const { outcome, writes: notes } = keptArtifacts(clean, known, run.id, now)
  const ends = endOf(outcome, now)
  const brings = broughtBytes(ends)
  const change = { ...ends, bytes: (run.bytes ?? acceptedBytes(run)) + brings }
  const held = run.claim ? { 'claim.token': run.claim.token } : { status: run.status }
  const update: Write = { in: 'runs', update: { id: run.id, ...held }, change: { $set: change } }
  const ended = { ...run, ...change }
  const further = await ports.consequencesOf(ports, { run: ended, task: known, outcome, now })
  const also: Ending[] = []
  const stepping = await steppingOf(ports, { run: ended, outcome, now }, by)
  for (const other of stepping?.ends ?? []) {
    also.push(await endingOf(ports, other.run, other.outcome, now, undefined, run.id))
  }
  const beside = [...(stepping?.writes ?? []), ...also.flatMap(({ writes }) => writes)]
  const writes = eachPutOnce([update, ...notes, ...further, ...beside])
  return { run: ended, writes, bytes: brings, also }
}

/**
 * The commit of a run that is accepted and ended in one: nobody ever sees it queued, and a crash
 * leaves all of it or nothing.
 */
export async function instantEnding(
  ports: Ports,
  queued: StoredRun,
  brought: Outcome,
  now: Date,
  task: StoredTask,
): Promise<Ending> {
  // What ends at once was given no secrets, but may have been handed one by its caller.
  const clean = await scrubbedOutcome(ports, task, brought)
  const { outcome, writes: notes } = keptArtifacts(clean, task, queued.id, now)
  const ends = endOf(outcome, now)
  const bytes = (queued.bytes ?? acceptedBytes(queued)) + broughtBytes(ends)
  const run = { ...queued, ...ends, bytes, attempt: 1, started_at: timestamp(now) }
  const further = await ports.consequencesOf(ports, { run, task, outcome, now, atOnce: true })
  const writes = eachPutOnce([{ in: 'runs', insert: run }, ...notes, ...further])
  return { run, writes, bytes: 0, also: [] }
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
      if (!isOvertaken(cause)) throw cause
      // The first write names the claim; any other rests on what may have changed since it was read.
      if (cause instanceof Unmet && cause.index === 0) return undefined
      continue
    }
    await announce(ports, ending)
    return ending.run
  }
}

/**
 * After the commit of an ending: what it brought is counted, callers who wait for the run are told, and
 * the place that it leaves is given to the next.
 */
export async function announce(ports: Ports, ending: Ending): Promise<void> {
  const { run, bytes, also } = ending
  ports.meter.runEnded(run.status)
  countRun(ports.quotas, run, bytes)
  ports.waiting.tell(run.id)
  if (await releaseParked(ports, run.owner_id)) ports.wake.runs(1, run.owner_id)
  ports.waiting.tell(brainQueue(run.owner_id))
  for (const other of also) await announce(ports, other)
}
