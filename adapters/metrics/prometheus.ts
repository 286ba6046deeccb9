import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Hold } from '#src/ports/meter.ts'
import { purgedKinds, services } from '#src/ports/meter.ts'
import type { Figures, Metrics } from './counted.ts'
import { MetricsPage } from './page.ts'
import { storeIn } from './store.ts'
import { workIn } from './work.ts'

// From a read in memory to a request that waits for a run.
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]
// Few: each is a line of the page for every operation, status and code.
const operationBuckets = [0.005, 0.05, 0.5, 5]
/** Of operation, status and code together; the others are counted as one. */
const kindsAtMost = 600
const otherKind = { operation: 'other', status: 0, code: 'other' }
const answered = { status: 200, code: 'ok' }
/** More than there are operations; further labels are counted together. */
const operationsAtMost = 300
/** The same for the labels of event-loop holds. */
const worksAtMost = 300

const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

const doors = ['rest', 'mcp', 'a2a'] as const
const outcomes = ['ok', 'refused', 'failed'] as const
/** The label of what met no operation. */
const none = 'none'

/** Passes that many names through, and replaces all later ones by one. */
function few(most: number): (name: string) => string {
  const names = new Set<string>()
  return (name) => {
    if (names.size < most) names.add(name)
    return names.has(name) ? name : 'other'
  }
}

/** Metrics in a registry of their own, including memory, event loop and garbage collection. */
export function openPrometheus(endedStatuses: readonly string[]): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // Only counters may be called so; these are sums of gauges that are there too.
  for (const name of misnamed) registry.removeSingleMetric(name)
  const runs = new Counter({
    name: 'abode_runs_finished_total',
    help: 'Runs that ended, by status.',
    labelNames: ['status'] as const,
    registers,
  })
  const held = holdsIn(registry)
  const purged = new Counter({
    name: 'abode_purged_total',
    help: 'What went because it was kept for long enough, by kind.',
    labelNames: ['kind'] as const,
    registers,
  })
  for (const status of endedStatuses) runs.inc({ status }, 0)
  for (const kind of purgedKinds) purged.inc({ kind }, 0)
  const knownWork = few(worksAtMost)
  const page = new MetricsPage(registry)

  return {
    ...requestsIn(registry),
    runEnded: (status) => runs.inc({ status }),
    held: (hold) => held({ ...hold, work: knownWork(hold.work) }),
    purged: (kind, count) => purged.inc({ kind }, count),
    ...outagesIn(registry),
    ...workIn(registry),
    ...storeIn(registry),
    ...factsIn(registry),
    text: () => page.text(),
    // The library's types name the kinds by numbers, and its values have these words.
    figures: async () => (await registry.getMetricsAsJSON()) as unknown as Figures,
    contentType: registry.contentType,
  }
}

function outagesIn(registry: Registry): Pick<Metrics, 'outage'> {
  const outages = new Counter({
    name: 'abode_outages_total',
    help: 'How often what the server needs went away, by what it is: store, model, mail.',
    labelNames: ['service'] as const,
    registers: [registry],
  })
  for (const service of services) outages.inc({ service }, 0)
  return { outage: (service) => outages.inc({ service }) }
}

/** Figures that others find out. */
function factsIn(registry: Registry): Pick<Metrics, 'gauge' | 'facts'> {
  const registers = [registry]
  return {
    gauge(name, help, read, over = 'max') {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers,
        aggregator: over,
        collect: () => gauge.set(read()),
      })
    },
    facts({ name, help, labels, first, over }) {
      const gauge = new Gauge({ name, help, labelNames: labels, registers, aggregator: over })
      for (const each of first) gauge.set(each, 0)
      return (each, value) => gauge.set(each, value)
    },
  }
}

/** Counts requests, and refusals by their code. */
function requestsIn(registry: Registry): Pick<Metrics, 'request' | 'refused'> {
  const registers = [registry]
  const requests = new Counter({
    name: 'abode_requests_total',
    help: 'Answered requests by door, operation and outcome (ok, refused, failed).',
    labelNames: ['door', 'operation', 'outcome'] as const,
    registers,
  })
  const seconds = new Histogram({
    name: 'abode_request_seconds',
    help: 'How long requests took, by door.',
    labelNames: ['door'] as const,
    buckets: secondsBuckets,
    registers,
  })
  const took = new Histogram({
    name: 'abode_operation_seconds',
    help: 'How long operations took, by operation, status and code (ok where none refused).',
    labelNames: ['operation', 'status', 'code'] as const,
    buckets: operationBuckets,
    registers,
  })
  const kinds = few(kindsAtMost)
  const known = few(operationsAtMost)
  const refusals = new Counter({
    name: 'abode_refusals_total',
    help: 'Refused requests by operation (none where they met no operation), status and code.',
    labelNames: ['operation', 'status', 'code'] as const,
    registers,
  })
  const refused: Metrics['refused'] = (operation, { status, code }) =>
    refusals.inc({ operation: known(operation), status, code })
  // So that a rate can be told from the first scrape on.
  took.zero({ operation: none, ...answered })
  for (const door of doors) {
    seconds.zero({ door })
    for (const outcome of outcomes) requests.inc({ door, operation: none, outcome }, 0)
  }
  refusals.inc({ operation: none, status: 404, code: 'path_not_found' }, 0)
  return {
    request(door, name, lasted, outcome) {
      const { status, code } = outcome
      const operation = known(name)
      requests.inc({ door, operation, outcome: outcomeOf(status) })
      seconds.observe({ door }, lasted)
      const isShown = kinds(`${operation} ${status} ${code}`) !== 'other'
      took.observe(isShown ? { operation, status, code } : otherKind, lasted)
      if (status >= 400) refused(name, outcome)
    },
    refused,
  }
}

/** Counts holds of the event loop, and the longest since the page was last read. */
function holdsIn(registry: Registry): (hold: Hold) => void {
  const registers = [registry]
  const labelNames = ['operation'] as const
  const holds = new Counter({
    name: 'abode_loop_holds_total',
    help: 'How often the event loop was held for more than 10 ms, by what held it.',
    labelNames,
    registers,
  })
  const seconds = new Counter({
    name: 'abode_loop_held_seconds_total',
    help: 'For how long, all together.',
    labelNames,
    registers,
  })
  const longest = { seconds: 0, cpuSeconds: 0 }
  const shown = (name: string, help: string, which: keyof typeof longest): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers,
      aggregator: 'max',
      collect() {
        gauge.set(longest[which])
        longest[which] = 0
      },
    })
  }
  shown(
    'abode_loop_longest_hold_seconds',
    'The longest hold since this page was last read; 0 where none was above 10 ms.',
    'seconds',
  )
  shown(
    'abode_loop_longest_hold_cpu_seconds',
    'The most work of this thread in one hold since this page was last read.',
    'cpuSeconds',
  )
  holds.inc({ operation: 'other' }, 0)
  seconds.inc({ operation: 'other' }, 0)
  return (hold) => {
    holds.inc({ operation: hold.work })
    seconds.inc({ operation: hold.work }, hold.seconds)
    longest.seconds = Math.max(longest.seconds, hold.seconds)
    longest.cpuSeconds = Math.max(longest.cpuSeconds, hold.cpuSeconds)
  }
}

function outcomeOf(status: number): (typeof outcomes)[number] {
  if (status < 400) return 'ok'
  return status < 500 ? 'refused' : 'failed'
}
