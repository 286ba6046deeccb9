import type { Clock } from '#src/ports/clock.ts'

/**
 * Callers of this process that wait for something to happen to a key (the id of a run, the name of
 * a queue). Register before looking, so that what happens in between is not missed.
 */
export interface Waiting {
  /** Resolves true when told, false after that many milliseconds or when the signal is aborted. */
  until(key: string, milliseconds: number, signal?: AbortSignal): Promise<boolean>
  tell(key: string): void
  /** What is waited for now. */
  keys(): string[]
}

/** Nobody waits yet. */
export function waiting(clock: Clock): Waiting {
  const waiters = new Map<string, Set<() => void>>()
  return {
    until(key, milliseconds, signal) {
      const told = new AbortController()
      const set = waiters.get(key) ?? new Set()
      const tell = (): void => told.abort()
      waiters.set(key, set.add(tell))
      const either = signal ? AbortSignal.any([signal, told.signal]) : told.signal
      return clock
        .sleep(milliseconds, either)
        .catch(() => undefined)
        .then(() => told.signal.aborted)
        .finally(() => {
          set.delete(tell)
          if (set.size === 0 && waiters.get(key) === set) waiters.delete(key)
        })
    },
    tell(key) {
      for (const tell of waiters.get(key) ?? []) tell()
    },
    keys: () => [...waiters.keys()],
  }
}
