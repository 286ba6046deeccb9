import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { modelProviders } from '#src/ports/model.ts'
import { leasedBy } from '#src/ports/meter.ts'
import type { Metrics } from './counted.ts'

const nanosADollar = 1e9
// From a short answer to one that thinks for long.
const turnBuckets = [0.25, 1, 4, 16, 64, 256]
const tokenKinds = ['input', 'cached_input', 'output'] as const

/** Counts the work on runs, and what models were asked. */
export function workIn(
  registry: Registry,
): Pick<Metrics, 'slotsTaken' | 'leaseExpired' | 'modelTurn'> {
  const registers = [registry]
  const slots = new Gauge({
    name: 'abode_slots_taken',
    help: 'Runs that workers of the server work on now.',
    aggregator: 'sum',
    registers,
  })
  const leases = new Counter({
    name: 'abode_lease_expiries_total',
    help: 'Runs whose worker, or whose agent, let its time for them run out.',
    labelNames: ['by'] as const,
    registers,
  })
  for (const by of leasedBy) leases.inc({ by }, 0)
  return {
    slotsTaken: (count) => slots.set(count),
    leaseExpired: (by) => leases.inc({ by }),
    ...modelsIn(registry),
  }
}

function modelsIn(registry: Registry): Pick<Metrics, 'modelTurn'> {
  const registers = [registry]
  const calls = new Counter({
    name: 'abode_model_calls_total',
    help: 'Turns of models, by provider and outcome (ok, a fault of the provider, stopped).',
    labelNames: ['provider', 'outcome'] as const,
    registers,
  })
  const took = new Histogram({
    name: 'abode_model_call_seconds',
    help: 'How long turns of models took.',
    labelNames: ['provider'] as const,
    buckets: turnBuckets,
    registers,
  })
  const tokens = new Counter({
    name: 'abode_model_tokens_total',
    help: 'Tokens of models; cached_input is a part of input.',
    labelNames: ['provider', 'kind'] as const,
    registers,
  })
  const dollars = new Counter({
    name: 'abode_model_cost_dollars_total',
    help: 'What turns of models cost, as far as prices are known.',
    labelNames: ['provider'] as const,
    registers,
  })
  const unpriced = new Counter({
    name: 'abode_model_calls_unpriced_total',
    help: 'Turns whose cost is not known.',
    labelNames: ['provider'] as const,
    registers,
  })
  for (const provider of modelProviders) {
    calls.inc({ provider, outcome: 'ok' }, 0)
    took.zero({ provider })
    for (const kind of tokenKinds) tokens.inc({ provider, kind }, 0)
    dollars.inc({ provider }, 0)
    unpriced.inc({ provider }, 0)
  }
  return {
    modelTurn({ provider, outcome, seconds, usage, nanos }) {
      calls.inc({ provider, outcome })
      took.observe({ provider }, seconds)
      if (!usage) return
      tokens.inc({ provider, kind: 'input' }, usage.input_tokens)
      tokens.inc({ provider, kind: 'cached_input' }, usage.cached_input_tokens ?? 0)
      tokens.inc({ provider, kind: 'output' }, usage.output_tokens)
      if (nanos === undefined) unpriced.inc({ provider })
      else dollars.inc({ provider }, nanos / nanosADollar)
    },
  }
}
