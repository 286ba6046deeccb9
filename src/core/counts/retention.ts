/** How much of a growing history is kept; Infinity for no bound. */
export interface Bounds {
  count: number
  days: number
}

/** How long things are kept that no one deletes. Days may be Infinity: then they are kept forever. */
export interface Retention {
  /**
   * The ended runs of each agent: at an unclaimed account those within both bounds, at a claimed one
   * those within either.
   */
  runs_unclaimed: Bounds
  runs_claimed: Bounds
  /** Events of runs. */
  events: number
  messages: number
  /** How many earlier states of each agent are kept; Infinity for all. */
  revisions: number
  /** Orders that have ended. */
  orders: number
  /** An unclaimed account is closed after so many days without a call or a completed run. */
  idle_accounts: number
  /** An account is erased completely so many days after it was closed. */
  closed_accounts: number
}
