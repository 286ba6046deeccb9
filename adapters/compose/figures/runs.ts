import { runtimeNames } from '#src/agents/tasks/runtimes.ts'
import { budgetReason } from '#src/runs/spend/hold.ts'
import { heldReason } from '#src/runs/waits/held.ts'
import type { StoredRun } from '#src/runs/run.ts'
import type { Metrics } from '#adapters/metrics/counted.ts'
import type { Tallied } from '#adapters/store/opened.ts'
import { showsFact } from './fact.ts'
import { secondsSince, type Look, type Looked } from './look.ts'

/** Where counts of a queue end: so many stand for so many and more. */
const countedAtMost = 10_000

/** What runs may wait for; of these the first two are the server's own affair. */
const queues = ['worker', 'room', 'turn', 'brain', 'resume', 'time', 'approval', 'steps'] as const
type Queue = (typeof queues)[number]
const own: ReadonlySet<Queue> = new Set(queues.slice(0, 2))

/** Why a queued run waits, in the words of the contract. */
const reasons = [
  'none',
  'concurrency',
  'waiting_for_worker',
  'waiting_for_turn',
  heldReason,
  budgetReason,
  'other',
] as const
const runtimes = [...runtimeNames, 'none', 'other']

interface Waits {
  count: number
  oldest: number
}

/** Shows how many runs wait for what and for how long, by an index that has only runs that have not ended. */
export function runFigures(metrics: Metrics): Look {
  const figures = figuresOf(metrics)
  const total = totals(metrics)
  const byReason = keptCounts(figures.reasons)
  return async (looked) => {
    const byRuntime = new Map<string, number>(runtimes.map((name) => [name, 0]))
    const all: [Queue, Waits][] = []
    for (const queue of queues) {
      const groups = await tallyOf(looked, queue)
      const queued = groups.filter(({ by: [status] }) => status === 'queued')
      const counts = new Map<string, number>()
      for (const { by, count } of queued) {
        add(counts, known(by[1], reasons), count)
        add(byRuntime, known(by[2], runtimes), count)
      }
      const waits = { count: sum(queued), oldest: secondsSince(looked.now, firstOf(queued)) }
      all.push([queue, waits])
      figures.open({ with: queue }, sum(groups) - waits.count)
      if (isQueue(queue)) figures.oldest({ queue }, waits.oldest)
      byReason(queue, counts)
    }
    for (const [runtime, count] of byRuntime) figures.runtimes({ runtime }, count)
    total(all)
  }
}

function figuresOf(metrics: Metrics) {
  return {
    reasons: metrics.facts({
      name: 'abode_queue_runs',
      help: 'Queued runs by what they wait for (worker, room, turn, brain, resume, time) and why.',
      labels: ['queue', 'reason'],
      first: queues.filter(isQueue).map((queue) => ({ queue, reason: 'none' })),
      over: 'max',
    }),
    runtimes: metrics.facts({
      name: 'abode_queue_runtime_runs',
      help: 'Queued runs by the runtime of their task.',
      labels: ['runtime'],
      first: runtimes.map((runtime) => ({ runtime })),
      over: 'max',
    }),
    oldest: metrics.facts({
      name: 'abode_queue_oldest_seconds',
      help: 'How long the oldest queued run of a queue has waited.',
      labels: ['queue'],
      first: queues.filter(isQueue).map((queue) => ({ queue })),
      over: 'max',
    }),
    open: metrics.facts({
      name: 'abode_runs_open',
      help: 'Runs that have begun and not ended, by who has them.',
      labels: ['with'],
      first: queues.map((name) => ({ with: name })),
      over: 'max',
    }),
  }
}

/** Shows the counts of a queue, and 0 for what it had before and has no more. */
function keptCounts(show: (labels: Record<'queue' | 'reason', string>, value: number) => void) {
  const shown = new Map<Queue, Set<string>>()
  return (queue: Queue, counts: ReadonlyMap<string, number>): void => {
    const all = new Set([...(shown.get(queue) ?? []), ...counts.keys()])
    shown.set(queue, all)
    for (const reason of all) show({ queue, reason }, counts.get(reason) ?? 0)
  }
}

/** The figures of all queues together, and of those that are the server's own affair. */
function totals(metrics: Metrics): (all: readonly [Queue, Waits][]) => void {
  const queued = showsFact(
    metrics,
    'abode_runs_queued',
    'Queued runs: also those that wait for an agent, a person or a time.',
  )
  const waiting = showsFact(
    metrics,
    'abode_runs_waiting',
    'Queued runs that wait for a worker of the server, or for a free place of their account.',
  )
  const oldest = showsFact(
    metrics,
    'abode_runs_oldest_waiting_seconds',
    'How long the oldest of those has been due.',
  )
  return (all) => {
    const ours = all.filter(([queue]) => own.has(queue)).map(([, waits]) => waits)
    queued(all.reduce((before, [, { count }]) => before + count, 0))
    waiting(ours.reduce((before, { count }) => before + count, 0))
    oldest(Math.max(...ours.map((waits) => waits.oldest)))
  }
}

function tallyOf({ tally }: Looked, waits_for: Queue): Promise<Tallied[]> {
  // What waits for our workers is due at once; the others have deadlines.
  const least: keyof StoredRun = own.has(waits_for) ? 'due_at' : 'created_at'
  const by: (keyof StoredRun)[] = ['status', 'reason', 'runtime']
  const sort = { due_at: 1 } as const
  return tally({ in: 'runs', filter: { waits_for }, sort, by, least, atMost: countedAtMost })
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

function sum(groups: readonly Tallied[]): number {
  return groups.reduce((before, { count }) => before + count, 0)
}

/** The least time of any group. */
function firstOf(groups: readonly Tallied[]): string | undefined {
  const all = groups.map(({ least }) => least).filter((least) => typeof least === 'string')
  return all.reduce<string | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined)
}

/** Only words that are known become labels. */
function known(value: Tallied['by'][number] | undefined, among: readonly string[]): string {
  if (value == null) return 'none'
  return typeof value === 'string' && among.includes(value) ? value : 'other'
}

/** Runs that wait for a decision, or for their steps, are not queued. */
function isQueue(name: Queue): boolean {
  return name !== 'approval' && name !== 'steps'
}
