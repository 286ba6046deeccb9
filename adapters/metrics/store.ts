import { Counter, Histogram, type Registry } from 'prom-client'
import { storeCalls, storeFaults, type Metrics } from './counted.ts'

const storeBuckets = [0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5]

/** Counts and times the calls of the store. */
export function storeIn(registry: Registry): Pick<Metrics, 'stored'> {
  const registers = [registry]
  const took = new Histogram({
    name: 'abode_store_seconds',
    help: 'How long calls of the store took (read, write of one document, commit of several, search).',
    labelNames: ['call'] as const,
    buckets: storeBuckets,
    registers,
  })
  const faults = new Counter({
    name: 'abode_store_errors_total',
    help: 'Calls of the store that failed, by call and fault.',
    labelNames: ['call', 'fault'] as const,
    registers,
  })
  for (const call of storeCalls) {
    took.zero({ call })
    for (const fault of storeFaults) faults.inc({ call, fault }, 0)
  }
  return {
    stored(call, seconds, fault) {
      took.observe({ call }, seconds)
      if (fault) faults.inc({ call, fault })
    },
  }
}
