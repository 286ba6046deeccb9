/** The time of this machine, and timers on it. Leases use `store.leaseTime()`, which all processes share. */
export interface Clock {
  now(): Date
  /** Milliseconds that only increase, for intervals. */
  monotonic(): number
  /** Calls back after so many milliseconds; returns the function that cancels it. */
  after(milliseconds: number, wake: () => void): () => void
  /** Calls back about once in each second of the wall clock; returns the function that ends it. */
  everySecond(wake: () => void): () => void
  /** Resolves in a later turn of the event loop, so that long work lets other work run. */
  turn(): Promise<void>
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}
