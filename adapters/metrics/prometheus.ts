import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Metrics } from './metrics.ts'

// From a read out of memory to a request that waits for a run.
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]
/** More than there are operations; whatever comes after is counted together. */
const operationsAtMost = 300

/** Metrics in a registry of their own, with the memory, event loop and garbage of the process. */
export function openPrometheus(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
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
  const runs = new Counter({
    name: 'abode_runs_finished_total',
    help: 'Runs that ended, by status.',
    labelNames: ['status'] as const,
    registers,
  })
  const operations = new Set<string>()
  const known = (operation: string): string => {
    if (operations.size < operationsAtMost) operations.add(operation)
    return operations.has(operation) ? operation : 'other'
  }

  return {
    request(door, operation, status, took) {
      requests.inc({ door, operation: known(operation), outcome: outcomeOf(status) })
      seconds.observe({ door }, took)
    },
    runEnded: (status) => runs.inc({ status }),
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers,
        async collect() {
          gauge.set(await read())
        },
      })
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function outcomeOf(status: number): 'ok' | 'refused' | 'failed' {
  if (status < 400) return 'ok'
  return status < 500 ? 'refused' : 'failed'
}
