import type { Hold, PurgedKind } from '#src/ports/meter.ts'

/** The counters of this process; all of them do nothing unless the operator has switched metrics on. */
export interface Metrics {
  /**
   * One answered request. The operation is a name from the catalog, or a fixed word if none was meant:
   * never a value that a caller made up.
   */
  request(door: Door, operation: string, seconds: number, refusal: Refused | undefined): void
  /** A refusal, also of a request that meant no operation. */
  refused(operation: string, refusal: Refused): void
  /** A run that ended with this status. */
  runEnded(status: string): void
  /** The event loop was blocked for more than 10 ms. */
  held(hold: Hold): void
  /** Things of one kind that were purged after their retention time. */
  purged(kind: PurgedKind, count: number): void
  /** A fact of the store, which is the same in all its processes; read whenever the metrics are. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** The page for Prometheus. */
  text(): Promise<string>
  /** The same as values, to be added up with those of other processes. */
  figures(): Promise<Figures>
  /** The media type of that page. */
  readonly contentType: string
}

/** How a request was refused: by a code of the contract. */
export interface Refused {
  readonly status: number
  readonly code: string
}

/** What a process counts and measures. */
export type Figures = readonly Figure[]

/** One metric with the values of all its labels. */
export interface Figure {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  /** How the values of several processes become one. */
  readonly aggregator: 'sum' | 'first' | 'min' | 'max' | 'average' | 'omit'
  readonly values: readonly {
    readonly labels: Readonly<Record<string, string | number>>
    readonly value: number
  }[]
}

export type Door = 'rest' | 'mcp' | 'a2a'
