import type { Log } from '#src/ports/log.ts'
import { noTraces } from '#src/ports/traces/traces.ts'
import type { OpenedTraces } from './opened.ts'
import type { TraceSettings } from '#src/core/settings.ts'

const off: OpenedTraces = {
  ...noTraces,
  isOn: false,
  within: (_, work) => work(),
  headers: () => ({}),
  close: () => Promise.resolve(),
}

/** Opens traces; their libraries are loaded only if they are on. */
export async function openTraces(
  settings: TraceSettings | undefined,
  about: { version: string; log: Log },
): Promise<OpenedTraces> {
  if (!settings) return off
  const { openTelemetry } = await import('./telemetry.ts')
  return openTelemetry(settings, about)
}
