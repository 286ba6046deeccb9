import type { Hold, PurgedKind } from '#src/ports/meter.ts'

/** What is counted of this process; nothing at all where the operator has not switched it on. */
export interface Metrics {
  /**
   * One answered request. The operation is the name of one of the catalog, or a fixed word where
   * none was meant: never something that a caller made up.
   */
  request(door: Door, operation: string, status: number, seconds: number): void
  /** A run that ended in this status. */
  runEnded(status: string): void
  /** The event loop could not turn for more than 10 ms. */
  held(hold: Hold): void
  /** So many things of a kind went because they were kept for long enough. */
  purged(kind: PurgedKind, count: number): void
  /** A figure that is read whenever the metrics are. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** The page for Prometheus. */
  text(): Promise<string>
  /** The media type of that page. */
  readonly contentType: string
}

export type Door = 'rest' | 'mcp' | 'a2a'
