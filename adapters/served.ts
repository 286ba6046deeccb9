import type { Core } from '#src/core/call.ts'
import { noMetrics, type Door, type Metrics } from './metrics/metrics.ts'

/** Calls that wait for something end with what there is once the process is to stop. */
export function endingWaits(inner: Core, draining: AbortSignal): Core {
  return {
    ...inner,
    serve(call) {
      const waits = call.follow === true || 'wait_seconds' in call.operation.input.shape
      if (!waits) return inner.serve(call)
      const signal = call.signal ? AbortSignal.any([call.signal, draining]) : draining
      return inner.serve({ ...call, signal })
    },
  }
}

/** Counts the operations that come through one door. */
export function metered(inner: Core, door: Door, metrics: Metrics): Core {
  if (metrics === noMetrics) return inner
  return {
    ...inner,
    async serve(call) {
      const begun = performance.now()
      const outcome = await inner.serve(call)
      const seconds = (performance.now() - begun) / 1000
      metrics.request(door, call.operation.name, outcome.refusal?.status ?? 200, seconds)
      return outcome
    },
  }
}
