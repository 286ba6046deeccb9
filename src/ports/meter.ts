/** The kinds of data that are deleted when they expire. */
export const purgedKinds = ['runs', 'events', 'messages', 'orders', 'accounts'] as const
/** One kind of data that expires. */
export type PurgedKind = (typeof purgedKinds)[number]

/** Who holds runs: a worker of the server, or an agent that has leased one. */
export const leasedBy = ['worker', 'agent'] as const
/** One of them. */
export type Leased = (typeof leasedBy)[number]

/** A period in which the event loop was blocked. */
export interface Hold {
  /**
   * An operation, a background job or work of the store (`store.runs`, `store.commit`), what ran directly
   * after one of them (`after store.runs`), or `other`.
   */
  work: string
  seconds: number
  /** How much of it this thread was computing, and not waiting for the machine. */
  cpuSeconds: number
}

/** Counts what happens, for the operator. */
export interface Meter {
  /** A run ended with this status. */
  runEnded(status: string): void
  /**
   * This process begins to work on something and lets no other work run meanwhile.
   * @param work the name of an operation or a background job, never a caller's text
   */
  began(work: string): void
  /** That work has ended, or waits for something and lets other work run. */
  rested(work: string): void
  /**
   * Runs something within one turn that belongs to the work that has begun.
   * @param part its own name, used if no work has begun
   */
  during<T>(part: string, does: () => T): T
  /** So many runs are worked on by this process now. */
  slotsTaken(count: number): void
  /** Someone who held a run let the time for it run out. */
  leaseExpired(by: Leased): void
  /** So many things of a kind were deleted. */
  purged(kind: PurgedKind, count: number): void
}

/** What the server needs of others, and may be without for a time. */
export const services = ['store', 'model', 'mail'] as const
/** One of them. */
export type Service = (typeof services)[number]
