/** How much is stored and tried, by the names that titles of rows have in braces. */
export interface Sizes {
  /** Agents, schedules and threads where there are many. */
  many: number
  /** Posts of a thousand agents. */
  posts: number
  /** Agents and runs of the person whose pages are looked at. */
  owned: number
  ran: number
  /** Schedules that are due at once. */
  burst: number
  /** How long a mixed load lasts. */
  minutes: number
  /** Streams that are tried to be opened. */
  streams: number
}

/** Of the runs whose figures are kept. */
export const fullSizes: Sizes = {
  many: 100_000,
  posts: 1_000_000,
  owned: 10_000,
  ran: 100_000,
  burst: 10_000,
  minutes: 5,
  streams: 10_000,
}

/** Of a run that is only roughly right. */
export const quickSizes: Sizes = {
  many: 10_000,
  posts: 100_000,
  owned: 1000,
  ran: 10_000,
  burst: 1000,
  minutes: 5,
  streams: 1000,
}
