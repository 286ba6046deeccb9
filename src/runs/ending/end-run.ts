import { brainQueue } from '../queue.ts'
import type { Outcome, Ending } from '../ended.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { taskOf } from '#src/agents/tasks/of-run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { acceptedBytes, broughtBytes, countRun } from '../retention/bytes.ts'
import { releaseParked } from '../concurrency.ts'
import type { StoredRun } from '../run.ts'
import { scrubbedOutcome } from './scrub.ts'
import { heldOutcome } from '../output/held-output.ts'
import { keptArtifacts } from '../output/artifacts.ts'
import { eachPutOnce } from '#src/agents/memory/put.ts'
import { isOvertaken } from '#src/core/revision.ts'
import { endInTurn } from '../output/remember.ts'
import { untoldMark } from '../notices/untold.ts'
import { steppingOf } from '../workflows/next-step.ts'

/**
 * The commit that ends a run, with the consequences of its result. The update is bound to the claim, so a
 * worker that has lost it fails (`Unmet`) and changes nothing.
 * @param task the run's task if it was just read; otherwise it is read here
 * @param by the run whose end causes this one, if any
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
  const fit = await heldOutcome(ports, known, brought)
  const clean = await scrubbedOutcome(ports, known, fit)
  const { outcome, writes: notes } = keptArtifacts(clean, known, run.id, now)
  const ends = endOf(outcome, now)
  const brings = broughtBytes(ends)
  const owed = untoldMark({ ...run, ...ends })
  const change = {
    ...ends,
    ...marksOf(run),
    bytes: (run.bytes ?? acceptedBytes(run)) + brings,
    ...owed,
    ...(run.held != null && { held: null }),
  }
  const held = run.claim ? { 'claim.token': run.claim.token } : { status: run.status }
  const update: Write = {
    in: 'runs',
    update: { id: run.id, owner_id: run.owner_id, ...held },
    change: { $set: change },
  }
  const ended = { ...run, ...change }
  const further = await ports.consequencesOf(ports, { run: ended, task: known, outcome, now })
  const also: Ending[] = []
  const stepping = await steppingOf(ports, { run: ended, outcome, now }, by)
  for (const other of stepping?.ends ?? []) {
    also.push(await endingOf(ports, other.run, other.outcome, now, undefined, run.id))
  }
  const stepWrites = [...(stepping?.writes ?? []), ...also.flatMap(({ writes }) => writes)]
  const writes = eachPutOnce([update, ...notes, ...further, ...stepWrites])
  return { run: ended, writes, bytes: brings, also }
}

/**
 * The commit of a run that is accepted and ended at once: it is never seen queued, and a crash leaves
 * all of it or nothing.
 */
export async function instantEnding(
  ports: Ports,
  queued: StoredRun,
  brought: Outcome,
  now: Date,
  task: StoredTask,
): Promise<Ending> {
  // A run that ends at once gets no secrets, but its caller may have passed one.
  const clean = await scrubbedOutcome(ports, task, await heldOutcome(ports, task, brought))
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
 * Ends a run in its own commit, and tells callers that wait.
 * @returns the ended run, or undefined if the claim was lost
 */
export async function end(
  ports: Ports,
  run: StoredRun,
  outcome: Outcome,
  task?: StoredTask,
): Promise<StoredRun | undefined> {
  for (;;) {
    const known = task ?? (await taskOf(ports.store, run))
    const ending = await endInTurn(known, async () => {
      const made = await endingOf(ports, run, outcome, ports.clock.now(), known)
      await ports.store.commit(made.writes)
      return made
    }).catch((cause: unknown) => {
      if (!isOvertaken(cause)) throw cause
      // The first write is bound to the claim; the others to state that may have changed since it was read.
      return cause instanceof Unmet && cause.index === 0 ? ('lost' as const) : undefined
    })
    if (ending === 'lost') return undefined
    if (!ending) continue
    await announce(ports, ending)
    return ending.run
  }
}

/**
 * After the commit of an ending: counts its results, tells callers that wait for the run, and passes
 * its place on to the next run.
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
