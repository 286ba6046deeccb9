import { statusOf, type AdmittingCore, type Core } from '#src/core/door.ts'
import { inCommons } from '#src/core/commons/refusals.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Metrics, Door } from '#adapters/metrics/counted.ts'
import { tracedDoor } from '#adapters/traces/door.ts'
import type { OpenedTraces } from '#adapters/traces/opened.ts'
import type { ApplicationOptions } from '#adapters/http/application.ts'
import { logged, logRefused } from '#adapters/log/logged.ts'
import type { Log } from '#src/ports/log.ts'
import { noMetrics } from '#adapters/metrics/metrics.ts'

/** Calls that wait return what they have once the process is to stop. */
export function endingWaits(inner: AdmittingCore, draining: AbortSignal): AdmittingCore {
  return {
    ...inner,
    serve(call) {
      const waits = call.follow === true || 'wait_seconds' in call.operation.input.shape
      if (!waits) return inner.serve(call)
      if (!call.signal) return inner.serve({ ...call, signal: draining })
      // A stream continues after the call is answered.
      if (call.follow) {
        return inner.serve({ ...call, signal: AbortSignal.any([call.signal, draining]) })
      }
      return either(call.signal, draining, (signal) => inner.serve({ ...call, signal }))
    },
  }
}

/**
 * The core as the doors of the Commons use it: also callers that cannot be identified are refused in
 * its terms.
 */
export function ofCommons(inner: Core): Core {
  return {
    ...inner,
    async identify(sent) {
      try {
        return await inner.identify(sent)
      } catch (cause) {
        throw cause instanceof Refusal ? inCommons(cause) : cause
      }
    },
  }
}

/** What sees the calls of a process. */
export interface Watching {
  metrics: Metrics
  /** Undefined where requests are not logged. */
  log: Log | undefined
  traces: OpenedTraces
}

/** What is told of each request, also of one that means no operation. */
export function seenBy({
  metrics,
  traces,
  log,
}: Watching): Pick<ApplicationOptions, 'refused' | 'within'> {
  return {
    refused(fault, about) {
      metrics.refused('none', fault)
      if (log) logRefused(log, fault, about)
    },
    within: (headers, work) => traces.within(headers, work),
  }
}

/** Counts the operations that arrive through a door, and writes each into the log where that is wanted. */
export function watched(inner: AdmittingCore, door: Door, watching: Watching): AdmittingCore {
  const { metrics, log, traces } = watching
  const counted = metered(tracedDoor(inner, door, traces), door, metrics)
  return log ? logged(counted, door, log) : counted
}

/** Counts the operations that arrive through one door. */
function metered(inner: AdmittingCore, door: Door, metrics: Metrics): AdmittingCore {
  if (metrics === noMetrics) return inner
  return {
    ...inner,
    async admit(heading) {
      const begun = performance.now()
      const admitted = await inner.admit(heading)
      const seconds = (performance.now() - begun) / 1000
      const refusal = admitted?.refusal
      if (refusal) metrics.request(door, heading.operation.name, seconds, refusal)
      return admitted
    },
    async serve(call) {
      const begun = performance.now()
      const outcome = await inner.serve(call)
      const seconds = (performance.now() - begun) / 1000
      const told = outcome.refusal ?? { status: statusOf(call.operation, outcome), code: 'ok' }
      metrics.request(door, call.operation.name, seconds, told)
      return outcome
    },
  }
}

/** `AbortSignal.any` for a limited time: what it leaves on a long-lived signal is costly to clean up. */
async function either<T>(
  one: AbortSignal,
  other: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const joined = new AbortController()
  const abort = (): void => joined.abort()
  if (one.aborted || other.aborted) abort()
  one.addEventListener('abort', abort)
  other.addEventListener('abort', abort)
  try {
    return await work(joined.signal)
  } finally {
    one.removeEventListener('abort', abort)
    other.removeEventListener('abort', abort)
  }
}
