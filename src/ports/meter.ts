/** What goes by itself, once it was kept for long enough. */
export const purgedKinds = ['runs', 'events', 'messages', 'orders', 'accounts'] as const
/** One kind of what goes by itself. */
export type PurgedKind = (typeof purgedKinds)[number]

/** A time in which the event loop could not turn. */
export interface Hold {
  /** An operation or a background job, or `other`. */
  work: string
  seconds: number
  /** How much of it this thread worked, and did not wait for the machine. */
  cpuSeconds: number
}

/** Counts what happens, for an operator who watches. */
export interface Meter {
  /** A run ended with this status. */
  runEnded(status: string): void
  /**
   * This process begins to work on something and lets nothing else in meanwhile.
   * @param work an operation or a background job, by its name: never a word that a caller made up
   */
  began(work: string): void
  /** That work has ended, or waits for something and lets others go on. */
  rested(work: string): void
  /** So many things of a kind went. */
  purged(kind: PurgedKind, count: number): void
}
