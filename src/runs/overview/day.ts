import * as z from 'zod'
import { idsBefore } from '#src/core/ids.ts'
import type { Store } from '#src/ports/store.ts'
import { BoundedCount, countedUpTo } from '#src/core/counts/bounded.ts'

const outcomes = ['completed', 'failed', 'timed_out', 'cancelled', 'abandoned', 'skipped'] as const
const states = ['running', 'queued', 'waiting_approval', 'waiting_input'] as const

const countOfEach = <const N extends string>(names: readonly N[]) =>
  z.object(
    Object.fromEntries(names.map((name) => [name, BoundedCount])) as Record<N, typeof BoundedCount>,
  )

export const RunsOfDay = countOfEach(outcomes).meta({
  id: 'OverviewOutcomes',
  description: 'Of runs made since then.',
})
/** How the runs that were made since a time have ended. */
export type RunsOfDay = z.infer<typeof RunsOfDay>

export const RunsNow = countOfEach(states).meta({ id: 'OverviewRuns' })
/** The runs that have not ended. */
export type RunsNow = z.infer<typeof RunsNow>

/** How the runs of an account that were made since then have ended. */
export function outcomesSince({ runs }: Store, owner_id: string, since: Date): Promise<RunsOfDay> {
  const id = { $gte: idsBefore('run', since) }
  return counts(outcomes, (status) => countedUpTo(runs, { owner_id, status, id }))
}

/** The runs of an account that have not ended. */
export function runsNow({ runs }: Store, owner_id: string): Promise<RunsNow> {
  return counts(states, (status) => countedUpTo(runs, { owner_id, status }))
}

async function counts<const N extends string>(
  names: readonly N[],
  countOf: (name: N) => Promise<BoundedCount>,
): Promise<Record<N, BoundedCount>> {
  const each = await Promise.all(names.map(async (name) => [name, await countOf(name)] as const))
  // One of each name.
  return Object.fromEntries(each) as Record<N, BoundedCount>
}
