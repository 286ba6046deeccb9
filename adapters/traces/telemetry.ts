import { setTimeout as sleep } from 'node:timers/promises'
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  createTraceState,
  type Context,
  type Span,
  type SpanOptions,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace'
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions'
import type { Log } from '#src/ports/log.ts'
import type { Facts, Step } from '#src/ports/traces/traces.ts'
import { keptTrace, sentTrace, traceOf, type SentTrace } from './headers.ts'
import { GivenIds, idMadeOf } from './ids.ts'
import { samplerOf } from './sampler.ts'
import type { TraceSettings } from '#src/core/settings.ts'
import type { OpenedTraces } from './opened.ts'

/** What is not sent by then is dropped. */
const spansAtMost = 2048
const sendEveryMs = 2000
const sendWithinMs = 5000
const leavesWithinMs = 2000

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

/** Traces by OpenTelemetry, sent as OTLP over HTTP. */
export function openTelemetry(
  settings: TraceSettings,
  { version, log }: { version: string; log: Log },
): OpenedTraces {
  const contexts = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  const exporter = quietExporter(exporterOf(settings), log)
  const ids = new GivenIds()
  const provider = providerOf(settings, { version, exporter, ids })
  const tracer = provider.getTracer('abode', version)
  return {
    isOn: true,
    async step(step, work) {
      const parent = parentOf(step)
      if (step.as !== undefined) ids.next = idMadeOf(step.as)
      const span = tracer.startSpan(step.name, optionsOf(step), parent)
      tell(span, step.facts)
      try {
        return await contexts.with(trace.setSpan(parent, span), () =>
          work((facts, failed) => tell(span, facts, failed)),
        )
      } catch (cause) {
        // Its message could quote what callers sent.
        tell(span, {}, cause instanceof Error ? cause.name : 'failed')
        throw cause
      } finally {
        span.end()
      }
    },
    apart: (work) => contexts.with(ROOT_CONTEXT, work),
    kept() {
      const now = current()
      return now && keptTrace(now)
    },
    ahead: aheadOf,
    within({ traceparent, tracestate }, work) {
      const sent = sentTrace(traceparent, tracestate)
      return contexts.with(sent ? remote(sent) : ROOT_CONTEXT, work)
    },
    headers() {
      const now = current()
      if (!now) return {}
      const { traceparent, tracestate } = now
      return { traceparent, ...(tracestate !== undefined && { tracestate }) }
    },
    async close() {
      await sendLast(provider, exporter)
      context.disable()
    },
  }
}

function providerOf(
  settings: TraceSettings,
  { version, exporter, ids }: { version: string; exporter: SpanExporter; ids: GivenIds },
): TracerProvider {
  return new TracerProvider({
    resource: resourceOf(settings, version),
    sampler: samplerOf(settings),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: spansAtMost,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: sendWithinMs,
      }),
    ],
  })
}

function aheadOf(of: string | undefined, as: string): string | undefined {
  const kept = of === undefined ? undefined : traceOf(of)
  if (!kept) return undefined
  const [, traceId, , flags] = kept.traceparent.split('-')
  return `00-${traceId}-${idMadeOf(as)}-${flags}`
}

/** A collector that is away must not hold up the end of the process. */
async function sendLast(provider: TracerProvider, exporter: QuietExporter): Promise<void> {
  const end = (): boolean => true
  const sent = provider.shutdown().then(end, end)
  const isOver = await Promise.race([sent, sleep(leavesWithinMs, false, { ref: false })])
  if (!isOver) exporter.leave()
}

function resourceOf({ service, resource }: TraceSettings, version: string) {
  const own = { [ATTR_SERVICE_NAME]: 'abode', [ATTR_SERVICE_VERSION]: version, ...resource }
  if (service !== undefined) own[ATTR_SERVICE_NAME] = service
  return defaultResource().merge(resourceFromAttributes(own))
}

function exporterOf({ endpoint, headers }: TraceSettings): SpanExporter {
  const url = `${endpoint}/v1/traces`
  return new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: sendWithinMs })
}

interface QuietExporter extends SpanExporter {
  /** What is not sent by now is left. */
  leave(): void
}

/** Says once that nothing can be sent, and once that it goes on. */
function quietExporter(inner: SpanExporter, log: Log): QuietExporter {
  let isDown = false
  const down = (cause?: unknown): void => {
    if (!isDown) log.warn('traces cannot be sent', { cause })
    isDown = true
  }
  return {
    export(spans, done) {
      // Its own requests belong to no trace.
      context.with(ROOT_CONTEXT, () =>
        inner.export(spans, (result) => {
          if (result.error) down(result.error)
          else if (isDown) {
            isDown = false
            log.info('traces are sent again')
          }
          done(result)
        }),
      )
    },
    shutdown: () => inner.shutdown(),
    forceFlush: () => inner.forceFlush?.() ?? Promise.resolve(),
    leave: () => down(),
  }
}

/** What goes on with a trace that was kept names the one that it happens in, such as that of a worker's own call. */
function optionsOf({ kind, begun, ...rest }: Step): SpanOptions {
  const now = 'of' in rest ? trace.getSpanContext(context.active()) : undefined
  return {
    kind: kinds[kind],
    ...(begun !== undefined && { startTime: new Date(begun) }),
    ...(now && { links: [{ context: now }] }),
  }
}

function parentOf(step: Step): Context {
  if (!('of' in step)) return context.active()
  const kept = step.of === undefined ? undefined : traceOf(step.of)
  return kept ? remote(kept) : ROOT_CONTEXT
}

function remote({ traceparent, tracestate }: SentTrace): Context {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-')
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  const state = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags,
    isRemote: true,
    ...state,
  })
}

function current(): SentTrace | undefined {
  const now = trace.getSpanContext(context.active())
  if (!now) return undefined
  const { traceId, spanId, traceFlags, traceState } = now
  const flags = traceFlags.toString(16).padStart(2, '0')
  return sentTrace(`00-${traceId}-${spanId}-${flags}`, traceState?.serialize())
}

function tell(span: Span, facts: Facts, failed?: string): void {
  for (const [name, value] of Object.entries(facts)) {
    if (value !== undefined) span.setAttribute(name, value)
  }
  if (failed === undefined) return
  span.setAttribute('error.type', failed)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
