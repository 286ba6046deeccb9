import { timestamp } from '#src/core/time.ts'
import type { Metrics } from '#adapters/metrics/counted.ts'
import type { Tally } from '#adapters/store/opened.ts'
import { showsFact } from './fact.ts'
import { secondsSince, type Look } from './look.ts'

const countedAtMost = 10_000

/** What waits to be passed on or sent. */
const backlogs: Readonly<Record<string, Tally>> = {
  events: {
    in: 'events',
    filter: {},
    sort: { id: 1 },
    by: [],
    least: 'due_at',
    atMost: countedAtMost,
  },
  deliveries: {
    in: 'deliveries',
    filter: { status: 'pending' },
    by: [],
    least: 'due_at',
    atMost: countedAtMost,
  },
}
const kinds = Object.keys(backlogs).map((of) => ({ of }))

/** Shows what waits to be passed on or sent, and how late schedules are. */
export function backlogFigures(metrics: Metrics): Look {
  const waiting = metrics.facts({
    name: 'abode_backlog',
    help: 'Events that are not yet passed on, and deliveries that are neither made nor given up.',
    labels: ['of'],
    first: kinds,
    over: 'max',
  })
  const oldest = metrics.facts({
    name: 'abode_backlog_oldest_seconds',
    help: 'How long the oldest of them has been due.',
    labels: ['of'],
    first: kinds,
    over: 'max',
  })
  const lag = showsFact(
    metrics,
    'abode_schedule_lag_seconds',
    'How long the schedule that is due for longest has not been looked at.',
  )
  return async ({ store, tally, now }) => {
    for (const [of, backlog] of Object.entries(backlogs)) {
      const [group] = await tally(backlog)
      waiting({ of }, group?.count ?? 0)
      oldest({ of }, secondsSince(now, group?.least))
    }
    const due = { due_at: { $lte: timestamp(now) } } as const
    const [first] = await store.tasks.pick(['due_at'], due, { sort: { due_at: 1 }, limit: 1 })
    lag(secondsSince(now, first?.[0]))
  }
}
