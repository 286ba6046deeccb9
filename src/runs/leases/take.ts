import type { Context } from '#src/core/context.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import { Unavailable, type Write } from '#src/ports/store.ts'
import { ownRuns } from '../access.ts'
import { handBack, leaseNext, waitingForBrain } from '../claim.ts'
import { hasRoom } from '../concurrency.ts'
import { end } from '../ending/end-run.ts'
import { park, Parking } from '../ending/park.ts'
import { isDrained } from '../operated/drain.ts'
import { brainQueue } from '../queue.ts'
import type { StoredRun, Wanted } from '../run.ts'
import { briefOf, noLease, type Lease } from './brief.ts'

/** A lease, and the run that was claimed for it, if there is one. */
export interface Taken {
  lease: Lease
  held?: StoredRun
  /** What is kept of what it says, for the commit that answers with it. */
  said?: Write[]
}

/**
 * Claims the oldest run that waits for an agent within the caller's reach. One that cannot be done, or
 * waits for an approval first, is settled on the way.
 * @param leaving a run that its holder is about to end, whose place the next may take
 */
export async function takeNext(
  context: Context<'key'>,
  wanted: Wanted,
  leaseSeconds: number,
  leaving?: StoredRun,
): Promise<Taken> {
  const among = { ...wanted, ...ownRuns(context) }
  for (;;) {
    // Checked before the lock is taken: most checks find nothing.
    const waiting = { ...among, status: 'queued', waits_for: 'brain' } as const
    const oldest = { sort: { due_at: 1 }, limit: 1 } as const
    if ((await context.store.runs.text(waiting, oldest)).length === 0) return { lease: noLease }
    if (await isDrained(context)) return { lease: { ...noLease, reason: 'draining' } }
    const leased = await leaseNext(context, among, leaseSeconds, wanted)
    if (!leased) return { lease: noLease }
    const brief = await briefed(context, leased, leaving)
    if (brief === 'concurrency') return { lease: { ...noLease, reason: brief } }
    if (brief) return { ...brief, held: leased.run }
  }
}

/** The lease of a run that was just claimed; undefined if it was settled, and another may be taken. */
async function briefed(
  context: Context<'key'>,
  { run, token }: { run: StoredRun; token: string },
  leaving: StoredRun | undefined,
): Promise<Pick<Taken, 'lease' | 'said'> | 'concurrency' | undefined> {
  try {
    if (!(await hasRoom(context, run, leaving))) {
      await handBack(context, run, waitingForBrain(run))
      return 'concurrency'
    }
    const brief = await briefOf(context, run, token)
    if ('lease' in brief) return { ...brief, lease: await kept(context, run, brief.lease) }
    const { settle } = brief
    await (settle instanceof Parking ? park(context, run, settle) : end(context, run, settle))
    return undefined
  } catch (cause) {
    await giveBack(context, run, cause)
    throw cause
  }
}

/** The lease, once the mark of what it gives besides the input is kept with the run. */
async function kept(context: Context<'key'>, run: StoredRun, lease: Lease): Promise<Lease> {
  const marks = marksOf(lease.run ?? {})
  if (!marks.untrusted || run.untrusted) return lease
  const { id, owner_id, claim } = run
  const held = { id, owner_id, 'claim.token': claim?.token ?? '' }
  await context.store.runs.update(held, { $set: marks })
  return lease
}

/**
 * Returns a run to the queue because the answer that would have given it to a worker failed. Where it is
 * not known whether that was kept, a retry may still get it: then the lease is left to run out.
 */
export async function giveBack(
  context: Context<'key'>,
  run: StoredRun,
  cause: unknown,
): Promise<void> {
  if (cause instanceof Unavailable && cause.outcomeUnknown) return
  await handBack(context, run, waitingForBrain(run))
  context.waiting.tell(brainQueue(run.owner_id))
}
