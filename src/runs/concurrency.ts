import { ownerOf } from '#src/core/counts/quota-table.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { StoredRun } from './run.ts'

type Needed = Pick<Ports, 'store' | 'quotas'>

/** Runs of an account that are parked at once, so that their writes share a commit to the disk. */
const parkedAtOnce = 32
/** Accounts that one search for unassigned places handles. */
const settledAtOnce = 64
/** No worker's lease ends later than this from now: one that does was written by another clock. */
const longestLeaseSeconds = 120

/** The runs of an account that a worker or an agent holds. */
export function underWork(ownerId: string): Filter<StoredRun> {
  return { owner_id: ownerId, status: 'running', waits_for: { $ne: 'steps' } }
}

/** The runs of an account that wait for a place. */
function parkedOf(ownerId: string) {
  return { owner_id: ownerId, waits_for: 'room' } as const
}

/** How many runs of an account may execute at once: Infinity without a limit, none while it is suspended. */
async function placesOf({ store, quotas }: Needed, ownerId: string): Promise<number> {
  const account = await store.accounts.get(ownerId)
  if (account?.suspended_at !== undefined) return 0
  return quotas.limitOf('concurrent_runs', ownerOf(ownerId, account))
}

/**
 * Whether a run that was just claimed is among the first of its account that may run at once. The
 * rank by claim decides, so that of several claimed together the earliest execute, in any process.
 * @param leaving a run that is about to end: the other may have its place, unless one waits for a place
 */
export async function hasRoom(
  ports: Needed,
  run: StoredRun,
  leaving?: StoredRun,
): Promise<boolean> {
  const limit = await placesOf(ports, run.owner_id)
  if (limit === Infinity) return true
  if (limit === 0) return false
  const first = { sort: { 'claim.at': 1 }, limit } as const
  const isFreed = leaving !== undefined && !(await isAnyParked(ports, run.owner_id))
  const others = isFreed ? { id: { $ne: leaving.id } } : {}
  const running = await ports.store.runs.text({ ...underWork(run.owner_id), ...others }, first)
  return running.some((row) => row.id === run.id)
}

/** Whether a new run may begin in the commit that ends another one, in whose place. */
export async function isPlaceKept(ports: Needed, ownerId: string): Promise<boolean> {
  return (await placesLeft(ports, ownerId)) >= 0 && !(await isAnyParked(ports, ownerId))
}

async function isAnyParked({ store }: Needed, ownerId: string): Promise<boolean> {
  return (await store.runs.pick(['id'], parkedOf(ownerId), { limit: 1 })).length > 0
}

/** How many more runs of an account may execute; less than none where it has no place at all. */
export async function placesLeft(ports: Needed, ownerId: string): Promise<number> {
  const limit = await placesOf(ports, ownerId)
  if (limit === Infinity) return Infinity
  if (limit === 0) return -1
  const running = await ports.store.runs.pick(['id'], underWork(ownerId), { limit })
  return limit - running.length
}

/**
 * Parks some of the runs that wait for a worker while all places of their account are taken: they wait
 * for a place, not for a time. The caller must look for a free place afterwards.
 * @returns how many were handled; 0 if none is left
 */
export async function parkSome({ store }: Needed, ownerId: string): Promise<number> {
  const waiting = { owner_id: ownerId, waits_for: 'worker', status: 'queued' } as const
  const oldest = { sort: { due_at: 1 }, limit: parkedAtOnce } as const
  const found = await store.runs.pick(['id'], waiting, oldest)
  const change = { $set: { waits_for: 'room', reason: 'concurrency' } } as const
  await Promise.all(found.map(([id]) => store.runs.update({ ...waiting, id: String(id) }, change)))
  return found.length
}

/**
 * After a place of the account has become free: releases the runs that have waited for longest.
 * @param most how many to release
 * @returns whether any was released
 */
export async function releaseParked(ports: Needed, ownerId: string, most = 1): Promise<boolean> {
  const { store } = ports
  const parked = parkedOf(ownerId)
  const oldest = { sort: { due_at: 1 }, limit: most } as const
  const found = await store.runs.text(parked, oldest)
  if (found.length === 0) return false
  const change = { $set: { waits_for: 'worker', reason: null } } as const
  const released = await Promise.all(
    found.map(({ id }) => store.runs.update({ ...parked, id }, change)),
  )
  return released.some((run) => run !== undefined)
}

/**
 * Makes as many runs of an account ready for a worker as places are free.
 * @returns how many are ready, at most `places`
 */
export async function fillPlaces(ports: Needed, ownerId: string, places: number): Promise<number> {
  const waiting = { owner_id: ownerId, waits_for: 'worker', status: 'queued' } as const
  const ready = (await ports.store.runs.pick(['id'], waiting, { limit: places })).length
  if (ready < places) await releaseParked(ports, ownerId, places - ready)
  return (await ports.store.runs.pick(['id'], waiting, { limit: places })).length
}

/**
 * Assigns free places that were not passed on: a crash came between the end of a run and the release of
 * the next, or the account has more places than before. Ends leases that no current clock can have
 * written.
 * @param after the account that the last call reached; empty for the beginning
 * @returns the accounts with released runs and their number, and the account that this call reached
 */
export async function settlePlaces(
  ports: Needed,
  after: string,
): Promise<{ given: { owner: string; places: number }[]; after: string }> {
  const { store } = ports
  await endImpossible(ports)
  const owners: string[] = []
  while (owners.length < settledAtOnce) {
    const last = owners.at(-1) ?? after
    const next = { waits_for: 'room', owner_id: { $gt: last } } as const
    const first = { sort: { owner_id: 1, due_at: 1 }, limit: 1 } as const
    const [found] = await store.runs.pick(['owner_id'], next, first)
    if (!found) break
    owners.push(String(found[0]))
  }
  const given = await Promise.all(
    owners.map(async (owner) => {
      const places = Math.min(await placesLeft(ports, owner), settledAtOnce)
      return { owner, places: places > 0 ? await fillPlaces(ports, owner, places) : 0 }
    }),
  )
  return {
    given: given.filter(({ places }) => places > 0),
    after: owners.length < settledAtOnce ? '' : (owners.at(-1) ?? ''),
  }
}

async function endImpossible({ store }: Needed): Promise<void> {
  const now = await store.leaseTime()
  const latest = timestamp(new Date(now.getTime() + longestLeaseSeconds * 1000))
  const held = { waits_for: 'worker', status: 'running', due_at: { $gt: latest } } as const
  for (const run of await store.runs.find(held, { limit: settledAtOnce })) {
    const change = { $set: { due_at: timestamp(now) } }
    await store.runs.update({ ...held, id: run.id }, change)
  }
}
