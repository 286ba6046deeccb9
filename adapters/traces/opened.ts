import type { IncomingHttpHeaders } from 'node:http'
import type { Traces } from '#src/ports/traces/traces.ts'

/** Traces of this process. */
export interface OpenedTraces extends Traces {
  /** Whether anything is traced. */
  readonly isOn: boolean
  /** Does the work of a request as a part of the trace that it names. */
  within<T>(headers: IncomingHttpHeaders, work: () => T): T
  /** What a request to others is sent with: the trace that is under way. */
  headers(): Record<string, string>
  /** Sends what is left. */
  close(): Promise<void>
}
