/** The time of this machine, and timers on it. Leases use `store.leaseTime()`, which all processes share. */
export interface Clock {
  now(): Date
  /** Milliseconds that only go forward, for intervals. */
  monotonic(): number
  /** Calls back after that many milliseconds; gives the function that cancels it. */
  after(milliseconds: number, wake: () => void): () => void
  /** Calls back about once in each second of the wall clock; gives the function that ends it. */
  everySecond(wake: () => void): () => void
  /** Resolves in a later turn of the event loop: long work lets others in between. */
  turn(): Promise<void>
  /** Resolves after that many milliseconds; rejects with the signal's reason when it is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}
