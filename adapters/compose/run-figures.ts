import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import type { Metrics } from '#adapters/metrics/counted.ts'

/** Where counts end, so that a look at them stays short: 2,000 stands for so many and more. */
const countedAtMost = 2000
/** What queued runs may wait for; of these the first two are the server's own affair. */
const queues = ['worker', 'room', 'turn', 'brain', 'resume', 'time'] as const
type Queue = (typeof queues)[number]
const own = queues.slice(0, 2)

/** Shows how many runs wait and for how long, by an index that has only runs that have not ended. */
export function measureRuns(metrics: Metrics, ports: Pick<Ports, 'store' | 'clock'>): void {
  metrics.gauge(
    'abode_runs_queued',
    'Queued runs: also those that wait for an agent, a person or a time.',
    () => countOf(ports, queues),
  )
  metrics.gauge(
    'abode_runs_waiting',
    'Queued runs that wait for a worker of the server, or for a free place of their account.',
    () => countOf(ports, own),
  )
  metrics.gauge(
    'abode_runs_oldest_waiting_seconds',
    'How long the oldest of those has been due.',
    () => oldestOf(ports),
  )
}

async function countOf({ store }: Pick<Ports, 'store'>, of: readonly Queue[]): Promise<number> {
  let count = 0
  for (const waits_for of of) {
    if (count >= countedAtMost) break
    count += await store.runs.count({ waits_for, status: 'queued' }, countedAtMost - count)
  }
  return count
}

async function oldestOf({ store, clock }: Pick<Ports, 'store' | 'clock'>): Promise<number> {
  const now = clock.now()
  const due = { status: 'queued', due_at: { $lte: timestamp(now) } } as const
  const first = { sort: { due_at: 1 }, limit: 1 } as const
  let seconds = 0
  for (const waits_for of own) {
    const [oldest] = await store.runs.pick(['due_at'], { ...due, waits_for }, first)
    if (oldest) seconds = Math.max(seconds, (now.getTime() - Date.parse(String(oldest[0]))) / 1000)
  }
  return seconds
}
