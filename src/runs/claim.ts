import type { Ports } from '#src/core/context.ts'
import type { Settings } from '#src/core/settings.ts'
import { digest, newId, newToken } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Filter } from '#src/ports/filter.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { brainWaitHours } from './new-run.ts'
import { runEvent } from './events.ts'
import { isDrained } from './operated/drain.ts'
import type { RunClaim, StoredRun, Wanted } from './run.ts'

export const attemptsAtMost = 3

/** How many of its attempts a run has used up: not those that ended because their process stopped. */
export function attemptsUsed({ attempt, handed_back = 0 }: StoredRun): number {
  return attempt - handed_back
}

/** A worker's lease, and how often it is extended. */
export const workerLeaseSeconds = 30
export const workerBeatSeconds = 10
/** Until when heartbeats may extend an agent's lease. */
export const brainLeaseHours = 24

type Needed = Pick<Ports, 'store'>
type Timed = Pick<Ports, 'store' | 'clock'>
interface BudgetSettings {
  settings: Pick<Settings, 'runSeconds'>
}

/** What any claim changes. @param now by the clock of this machine, for display */
function claimed(claim: RunClaim, now: Date) {
  return {
    $set: {
      status: 'running' as const,
      reason: null,
      // No longer parked.
      waits_for: claim.by,
      claim,
      due_at: claim.until,
      started_at: timestamp(now),
    },
    $inc: { attempt: 1, taken: 1 },
  }
}

/** What changes where no one holds a run any more, although it has not ended. */
export const unclaimed = { claim: null, taken: 0 } as const

/** Whether the claim of a run was made as the one before had run out. */
export function isTakenOver({ taken = 1 }: StoredRun): boolean {
  return taken > 1
}

/** The runs that our workers may take. @param leases the store's time for leases */
function claimable(leases: Date): Filter<StoredRun> {
  // A queued run may be taken at any time: the clock may have been different when it was queued.
  const left = { status: 'running', due_at: { $lte: timestamp(leases) } } as const
  return { waits_for: 'worker', $or: [{ status: 'queued' }, left] }
}

/**
 * Accounts with runs that our workers may take, in order, after the given one.
 * @param most the maximum number
 */
export async function ownersDue({ store }: Needed, after: string, most: number): Promise<string[]> {
  const due = claimable(await store.leaseTime())
  const first = { sort: { owner_id: 1, due_at: 1 }, limit: 1 } as const
  const owners: string[] = []
  while (owners.length < most) {
    const next = { ...due, owner_id: { $gt: owners.at(-1) ?? after } }
    const [found] = await store.runs.pick(['owner_id'], next, first)
    if (!found) break
    owners.push(String(found[0]))
  }
  return owners
}

/** How long a run of the account may take. Where all plans have the same, the account is not read. */
function runSecondsOf(
  { store, settings: { runSeconds } }: Needed & BudgetSettings,
  ownerId: string,
): number | Promise<number> {
  const { claimed, unclaimed } = runSeconds
  if (claimed === unclaimed) return claimed
  return store.accounts.get(ownerId).then((account) => (account?.holder_id ? claimed : unclaimed))
}

/**
 * Claims the run of the account that has been due for longest, queued or with an expired lease; undefined
 * if none is due. Safe to call concurrently: the update makes it no longer due, so each caller gets
 * another one. None is claimed while the runs of the store are drained.
 */
export async function claimDue(
  { store, clock, settings }: Timed & BudgetSettings,
  ownerId: string,
): Promise<StoredRun | undefined> {
  if (await isDrained({ store, clock })) return undefined
  const budget = runSecondsOf({ store, settings }, ownerId)
  const now = await store.leaseTime()
  const claim: RunClaim = {
    token: newId('wrk'),
    by: 'worker',
    at: timestamp(now),
    until: secondsAfter(now, workerLeaseSeconds),
    longest: secondsAfter(now, typeof budget === 'number' ? budget : await budget),
  }
  const due = { owner_id: ownerId, ...claimable(now) }
  return store.runs.update(due, claimed(claim, clock.now()), { sort: { due_at: 1 } })
}

/**
 * Claims the oldest run that waits for an agent, among those of the filter.
 * @param wanted what the agent asked for; its next lease may be asked for in the same words
 * @returns the run and the lease token, of which only the digest is stored
 */
export async function leaseNext(
  { store, clock }: Timed,
  among: Filter<StoredRun>,
  leaseSeconds: number,
  wanted: Wanted = {},
): Promise<{ run: StoredRun; token: string } | undefined> {
  const { claim, token } = brainClaim(await store.leaseTime(), leaseSeconds, wanted)
  const waitingOnes = { ...among, status: 'queued', waits_for: 'brain' } as const
  const change = claimed(claim, clock.now())
  const run = await store.runs.update(waitingOnes, change, { sort: { due_at: 1 } })
  return run && { run, token }
}

/** A new run that is claimed for an agent before anyone has seen it queued, and the lease token. */
export async function leasedAtOnce(
  { store, clock }: Timed,
  run: StoredRun,
  leaseSeconds: number,
  wanted: Wanted,
): Promise<{ run: StoredRun; token: string }> {
  const { claim, token } = brainClaim(await store.leaseTime(), leaseSeconds, wanted)
  const { $set, $inc } = claimed(claim, clock.now())
  return { run: { ...run, ...$set, attempt: run.attempt + $inc.attempt }, token }
}

function brainClaim(
  now: Date,
  seconds: number,
  wanted: Wanted,
): { claim: RunClaim; token: string } {
  const token = newToken('lse')
  const claim: RunClaim = {
    token: digest(token),
    by: 'brain',
    at: timestamp(now),
    until: secondsAfter(now, seconds),
    longest: secondsAfter(now, brainLeaseHours * 3600),
    seconds,
    ...(Object.keys(wanted).length > 0 && { wanted }),
  }
  return { claim, token }
}

/** When a claim expires unless it is extended, by the clock of this machine: for display. */
export async function leaseEnd(
  { store, clock }: Timed,
  { until }: Pick<RunClaim, 'until'>,
): Promise<string> {
  const left = Date.parse(until) - (await store.leaseTime()).getTime()
  return secondsAfter(clock.now(), left / 1000)
}

/** Extends a claim, up to its longest time. @returns the run, or undefined if the claim is lost */
export async function extend(
  { store }: Needed,
  run: Pick<StoredRun, 'id' | 'owner_id'>,
  claim: RunClaim,
  seconds: number,
): Promise<StoredRun | undefined> {
  const now = await store.leaseTime()
  const wanted = secondsAfter(now, seconds)
  const until = wanted < claim.longest ? wanted : claim.longest
  return store.runs.update(
    {
      id: run.id,
      owner_id: run.owner_id,
      'claim.token': claim.token,
      'claim.until': { $gt: timestamp(now) },
    },
    { $set: { 'claim.until': until, due_at: until } },
  )
}

/** How a claimed run is returned: when it is due, and whom it waits for. */
export type Return = Pick<StoredRun, 'due_at' | 'reason' | 'waits_for'>

/** Returns a claimed run without work; the attempt does not count. */
export async function handBack({ store }: Needed, run: StoredRun, back: Return): Promise<void> {
  if (!run.claim) return
  await store.runs.update(
    { id: run.id, owner_id: run.owner_id, 'claim.token': run.claim.token },
    { $set: { ...back, ...unclaimed, status: 'queued' }, $inc: { attempt: -1 } },
  )
}

/**
 * Returns a claimed run whose work has begun, as this process stops. The next attempt has the next number, since
 * this one may have had effects, and is none of those that the run has.
 */
export async function handBackBegun({ store, clock }: Timed, run: StoredRun): Promise<undefined> {
  if (!run.claim) return
  const back = { due_at: timestamp(await store.now()), reason: null, waits_for: 'worker' } as const
  const event = { attempt: run.attempt, reason: 'stopping' }
  const writes: Write[] = [
    {
      in: 'runs',
      update: { id: run.id, owner_id: run.owner_id, 'claim.token': run.claim.token },
      change: { $set: { ...back, ...unclaimed, status: 'queued' }, $inc: { handed_back: 1 } },
    },
    { in: 'run_events', insert: runEvent(run.id, 'run.handed_back', clock.now(), event) },
  ]
  await store.commit(writes).catch((cause: unknown) => {
    // Someone has ended it, or its claim ran out.
    if (!(cause instanceof Unmet)) throw cause
  })
}

/** A run that waits for an agent, until it has waited too long. */
export function waitingForBrain(run: Pick<StoredRun, 'created_at' | 'released_at'>): Return {
  const since = new Date(run.released_at ?? run.created_at)
  const due_at = secondsAfter(since, brainWaitHours * 3600)
  return { due_at, reason: 'waiting_for_worker', waits_for: 'brain' }
}

/** A run whose agent gave up or stopped its heartbeats, queued again; the attempt counts. */
export function requeued(run: StoredRun): { run: StoredRun; write: Write } {
  const held = run.claim ? { 'claim.token': run.claim.token } : { status: run.status }
  const set = { ...waitingForBrain(run), ...unclaimed, status: 'queued' } as const
  return {
    run: { ...run, ...set },
    write: {
      in: 'runs',
      update: { id: run.id, owner_id: run.owner_id, ...held },
      change: { $set: set },
    },
  }
}
