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
  /** Keys and tokens that were revoked. */
  revoked_keys: number
  /** Claims that a person has accepted or rejected. */
  claims: number
}

/** One of them as callers are told of it: how many are kept, and for how many days; null for no bound. */
export interface Kept {
  name: keyof Retention
  count: number | null
  days: number | null
}

/** All of them, by name. */
export function keptOf(retention: Retention): Kept[] {
  const finite = (value: number): number | null => (value === Infinity ? null : value)
  return (Object.keys(retention) as (keyof Retention)[]).map((name) => {
    const bound = retention[name]
    if (typeof bound !== 'number') {
      return { name, count: finite(bound.count), days: finite(bound.days) }
    }
    // Of earlier states so many are kept, however old they are.
    if (name === 'revisions') return { name, count: finite(bound), days: null }
    return { name, count: null, days: finite(bound) }
  })
}
