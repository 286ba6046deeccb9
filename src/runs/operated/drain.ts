import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import type { Filter } from '#src/ports/filter.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'
import type { StoredRun } from '../run.ts'

/** The fact of the store under which it is noted since when runs are drained. */
const factId = 'runs_drained'
/** So long a process may go on claiming after it was noted: it looks once in that time. */
export const drainNoticedMs = 1000

interface Look {
  at: number
  since: Promise<string | undefined>
}

const looks = new WeakMap<Store['meta'], Look>()

/**
 * Since when the runs of this store are drained: no process claims any more of them, for itself or for an agent.
 * Undefined where they are not. A process reads it once a second, however many claims ask.
 */
export function drainedSince({
  store: { meta },
  clock,
}: Pick<Ports, 'store' | 'clock'>): Promise<string | undefined> {
  const now = clock.monotonic()
  const last = looks.get(meta)
  if (last && now - last.at < drainNoticedMs) return last.since
  const since = readDrain(meta)
  looks.set(meta, { at: now, since })
  // The next claim asks again.
  since.catch(() => looks.delete(meta))
  return since
}

/** Whether the operator has told the processes of the store to claim no runs. */
export async function isDrained(ports: Pick<Ports, 'store' | 'clock'>): Promise<boolean> {
  return (await drainedSince(ports)) !== undefined
}

async function readDrain(meta: Store['meta']): Promise<string | undefined> {
  return (await meta.get(factId))?.value
}

/** From now on no process of the store claims runs. @returns since when, also where that was so before */
export async function beginDrain({ meta }: Pick<Store, 'meta'>, now: Date): Promise<string> {
  const value = timestamp(now)
  try {
    await meta.insert({ id: factId, value })
    return value
  } catch (cause) {
    if (!(cause instanceof DuplicateKey)) throw cause
    return (await readDrain(meta)) ?? value
  }
}

/** Runs are claimed again. @returns whether they were drained */
export async function endDrain({ meta }: Pick<Store, 'meta'>): Promise<boolean> {
  return (await meta.delete({ id: factId })) > 0
}

/** Runs that a process or an agent works on; of one whose lease is over no one does. */
async function held(store: Pick<Store, 'leaseTime'>): Promise<Filter<StoredRun>[]> {
  const due_at = { $gt: timestamp(await store.leaseTime()) }
  const kinds = ['worker', 'brain'] as const
  return kinds.map((waits_for) => ({ waits_for, status: 'running', due_at }))
}

/** How many runs of the store are under work. */
export async function runsUnderWork(store: Pick<Store, 'runs' | 'leaseTime'>): Promise<number> {
  const counts = (await held(store)).map((filter) => store.runs.count(filter))
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
