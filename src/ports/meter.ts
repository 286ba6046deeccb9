/** Counts what happens, for an operator who watches. */
export interface Meter {
  /** A run ended with this status. */
  runEnded(status: string): void
}
