/** How much is kept of what comes again and again; Infinity where there is no bound. */
export interface Bounds {
  count: number
  days: number
}

/** How long things are kept that nobody deletes. Days may be Infinity: then they stay. */
export interface Retention {
  /**
   * Of each agent, the ended runs: at an unclaimed account those that are within both bounds, at a
   * claimed one those that are within either.
   */
  runs_unclaimed: Bounds
  runs_claimed: Bounds
  /** What happened to a run. */
  events: number
  messages: number
  /** Of each agent, how many states before the one it has; Infinity for all of them. */
  revisions: number
  /** Orders that have ended. */
  orders: number
  /** After so many days without a call and a completed run an unclaimed account is closed. */
  idle_accounts: number
  /** So many days after it was closed nothing is left of an account. */
  closed_accounts: number
}
