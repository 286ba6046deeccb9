import * as z from 'zod'
import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import type { Slim } from '#src/core/input/slim.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import type { Write } from '#src/ports/store.ts'
import { mayActFor } from '#src/agents/access.ts'
import { taskOf } from '#src/agents/tasks/of-run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { pushesOf } from '../chat/push/changes.ts'
import { leasedAtOnce, requeued } from '../claim.ts'
import { isPlaceKept } from '../concurrency.ts'
import type { Outcome } from '../ended.ts'
import { announce, endingOf } from '../ending/end-run.ts'
import { tellBeginning } from '../ending/run-events.ts'
import { heldRun, type LeasedRun } from '../lease.ts'
import { publicRun } from '../new-run.ts'
import { heldOutput, misfitWords } from '../output/held-output.ts'
import { endInTurn } from '../output/remember.ts'
import { Run, slimRun, type StoredRun } from '../run.ts'
import { runStep, withTrace } from './step.ts'
import { briefOf, Lease, noLease } from './brief.ts'
import { isDrained } from '../operated/drain.ts'
import { giveBack, takeNext, type Taken } from './take.ts'

/** The member by which a worker that ends a run asks for the next one. */
export const leaseNextInput = z.boolean().default(false).describe('Also lease the next run.')

export const HandedIn = Run.extend({
  started: z
    .array(Run.pick({ id: true, char_id: true, task_id: true, status: true }))
    .optional()
    .describe('Runs that its end began.'),
  next_lease: Lease.nullable().optional().describe('As runs.lease answers it.'),
}).meta({ id: 'HandedIn' })
/** A run that its worker has handed in; with what follows, if asked for. */
export type HandedIn = z.infer<typeof HandedIn>

/** What a summary shows of it. */
export const slimHandedIn: Slim = { summary: [...slimRun.summary, 'started', 'next_lease'] }

interface Sent {
  run_id: string
  lease_token: string
  lease_next: boolean
}

/** What is done with a held run: how it ends, or that it goes back to the queue. */
type Decision = (held: LeasedRun) => Outcome | 'again'

/**
 * Ends a leased run for its worker or returns it to the queue; with `lease_next` the worker is given the
 * next run in the same commit, so that a repeat of the call answers the same lease. That no run can be
 * leased never keeps one from ending.
 * @throws Refusal `run_not_found`, `forbidden`, `run_ended`, `lease_lost`, `write_conflict`; answers
 *   `output_invalid` to the first output of a lease that does not fit
 */
export async function endHeld(
  context: Context<'key'>,
  sent: Sent,
  decide: Decision,
): Promise<Answer<HandedIn>> {
  const { run_id, lease_token } = sent
  const judged = await retryUnmet(async () => {
    const run = await heldRun(context, run_id, lease_token)
    return judgedOf(context, run, decide(run))
  })
  if (judged.objection) return judged.objection
  const taken = sent.lease_next ? await takenBefore(context, judged.held) : undefined
  try {
    let known: Judged | undefined = judged
    const handIn = () =>
      retryUnmet(async () => {
        // A caller that loses the lease in between is refused when the lease is checked again.
        const held = known?.held ?? (await heldRun(context, run_id, lease_token))
        const task = known ? known.task : await taskOf(context.store, held)
        known = undefined
        const outcome = decide(held)
        return outcome === 'again'
          ? again(context, held, taken)
          : ended(context, held, outcome, taken, task)
      })
    return await context.traces.step(runStep(judged.held), handIn)
  } catch (cause) {
    if (taken?.held) await giveBack(context, taken.held, cause)
    throw cause
  }
}

/** A held run with its task, before it is ended; or the refusal of what it is to end with. */
interface Judged {
  held: LeasedRun
  task: StoredTask | undefined
  objection?: Answer<HandedIn>
}

async function judgedOf(
  context: Context<'key'>,
  held: LeasedRun,
  outcome: Outcome | 'again',
): Promise<Judged> {
  if (outcome === 'again') return { held, task: undefined }
  const task = await taskOf(context.store, held)
  // The second output that does not fit ends the run as failed.
  if (outcome.status !== 'completed' || held.claim.refused) return { held, task }
  const { misfits } = await heldOutput(context, task, outcome.output)
  if (!misfits) return { held, task }
  const errors = misfits.map(({ pointer, message }) => ({
    pointer: `/output${pointer}`,
    message,
    code: 'output_invalid',
  }))
  const update = { id: held.id, owner_id: held.owner_id, 'claim.token': held.claim.token }
  const noted: Write = { in: 'runs', update, change: { $set: { 'claim.refused': true } } }
  const message = `The output does not fit the output_schema of the task. ${misfitWords(misfits)}`
  const hint =
    'The lease still holds: call <runs.complete> again with the whole output, corrected. Then the run fails.'
  const refused = { code: 'output_invalid', message, hint } as const
  const objection = await context.commit({ errors }, [noted], { refused })
  // An answer that is kept as a refusal shows its members alone.
  return { held, task, objection: objection as Answer as Answer<HandedIn> }
}

/** Claimed before the commit that ends the other, which also keeps the answer with the lease. */
async function takenBefore(context: Context<'key'>, held: LeasedRun): Promise<Taken | undefined> {
  try {
    const { wanted = {}, seconds = 600 } = held.claim
    return await takeNext(context, wanted, seconds, held)
  } catch (cause) {
    context.log.warn('no run could be leased together with the end of another', { cause })
    return { lease: noLease }
  }
}

async function ended(
  context: Context<'key'>,
  held: LeasedRun,
  outcome: Outcome,
  taken: Taken | undefined,
  task: StoredTask | undefined,
): Promise<Answer<HandedIn>> {
  const { ending, answer, next } = await endInTurn(task, async () => {
    const made = await endingOf(context, held, outcome, context.clock.now(), task)
    const follows = taken && (await following(context, held, made.writes, taken))
    const shown = { ...publicRun(made.run), ...follows?.shown }
    const kept = await context.commit<HandedIn>(shown, follows?.writes ?? made.writes)
    return { ending: made, answer: kept, next: follows?.held }
  })
  await announce(context, ending)
  await tellTaken(context, next)
  return answer
}

async function again(
  context: Context<'key'>,
  held: LeasedRun,
  taken: Taken | undefined,
): Promise<Answer<HandedIn>> {
  const { run, write } = requeued(held)
  const pushes = await pushesOf(context, run, context.clock.now(), { ifTold: true })
  const shown = taken && { started: [], next_lease: taken.held ? taken.lease : null }
  const said = taken?.said ?? []
  const writes = [write, ...pushes, ...said]
  const answer = await context.commit<HandedIn>({ ...publicRun(run), ...shown }, writes)
  await tellTaken(context, taken?.held)
  return answer
}

/** What follows the end of a run for its worker, and the writes of that end with it. */
async function following(
  context: Context<'key'>,
  held: LeasedRun,
  writes: readonly Write[],
  taken: Taken,
) {
  const own = taken.held ? undefined : await firstOf(context, held, writes)
  const next = own ?? taken
  const all = own ? writes.map((write) => (write === own.queued ? own.claimed : write)) : writes
  const started = startedBy(all).filter((run) => isReadable(context, run))
  const shown = {
    started: started.map(({ id, char_id, task_id, status }) => ({ id, char_id, task_id, status })),
    next_lease: next.held ? next.lease : null,
  }
  return { shown, writes: [...all, ...(next.said ?? [])], held: next.held }
}

function startedBy(writes: readonly Write[]): StoredRun[] {
  return writes.flatMap((write) => (write.in === 'runs' && 'insert' in write ? [write.insert] : []))
}

function isReadable({ caller }: Context<'key'>, run: StoredRun): boolean {
  return run.owner_id === caller.accountId && mayActFor(caller, run.char_id)
}

/**
 * Where no other run waits, the first that this end queues for an agent: it is claimed in the commit that
 * makes it. One that cannot be done is left to the next lease, which settles it.
 */
async function firstOf(context: Context<'key'>, { claim }: LeasedRun, writes: readonly Write[]) {
  const { wanted = {}, seconds = 600 } = claim
  const isWanted = ({ char_id, task_id }: StoredRun): boolean =>
    (wanted.char_id ?? char_id) === char_id && (wanted.task_id ?? task_id) === task_id
  for (const queued of writes) {
    if (queued.in !== 'runs' || !('insert' in queued)) continue
    const { insert } = queued
    if (insert.status !== 'queued' || insert.waits_for !== 'brain') continue
    if (!isWanted(insert) || !isReadable(context, insert)) continue
    if ((await isDrained(context)) || !(await isPlaceKept(context, insert.owner_id))) {
      return undefined
    }
    const own = withTrace(context, insert)
    const { run, token } = await leasedAtOnce(context, own, seconds, wanted)
    const brief = await briefOf(context, run, token)
    if (!('lease' in brief)) continue
    const marked = { ...run, ...marksOf(brief.lease.run ?? {}) }
    const claimed: Write = { in: 'runs', insert: marked }
    return { ...brief, held: marked, queued, claimed }
  }
  return undefined
}

async function tellTaken(context: Context<'key'>, run: StoredRun | undefined): Promise<void> {
  if (!run) return
  await tellBeginning(context, run)
  context.waiting.tell(run.id)
}
