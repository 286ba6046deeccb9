import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'

/** Where the count ends, so that a look stays short: 2,000 stands for so many and more. */
const countedAtMost = 2000
/** What queued runs wait for that is the server's own affair. */
const own = ['worker', 'room'] as const

/** The queued runs that wait for a worker of the server, or for a free place of their account. */
export interface Waiting {
  runs: number
  /** How long the oldest of them has been due. */
  oldest_seconds: number
}

/** Looks by an index that has only runs that have not ended. */
export async function waitingRuns({
  store,
  clock,
}: Pick<Ports, 'store' | 'clock'>): Promise<Waiting> {
  const now = clock.now()
  const due = { status: 'queued', due_at: { $lte: timestamp(now) } } as const
  let [runs, oldest_seconds] = [0, 0]
  for (const waits_for of own) {
    const left = countedAtMost - runs
    if (left > 0) runs += await store.runs.count({ waits_for, status: 'queued' }, left)
    const first = { sort: { due_at: 1 }, limit: 1 } as const
    const [row] = await store.runs.pick(['due_at'], { ...due, waits_for }, first)
    const seconds = row ? (now.getTime() - Date.parse(String(row[0]))) / 1000 : 0
    oldest_seconds = Math.max(oldest_seconds, Math.round(seconds))
  }
  return { runs, oldest_seconds }
}
