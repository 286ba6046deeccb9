import type { Clock } from '#src/ports/clock.ts'

/**
 * Callers of this process that wait for something to happen to a key (the id of a run, the name of
 * a queue). Register before looking, so that what happens in between is not missed.
 */
export interface Waiting {
  /** Resolves true when told, false after that many milliseconds or when the signal is aborted. */
  until(key: string, milliseconds: number, signal?: AbortSignal): Promise<boolean>
  tell(key: string): void
  /** The keys that are waited for now. */
  keys(): string[]
}

/** Each who is told reads and answers: so many do so in one turn of the event loop. */
const toldAtOnce = 50

/** A registry without waiting callers. */
export function waiting(clock: Clock): Waiting {
  const waiters = new Map<string, Set<() => void>>()
  return {
    until(key, milliseconds, signal) {
      return new Promise((resolve) => {
        const set = waiters.get(key) ?? new Set()
        const settle = (told: boolean): void => {
          cancel()
          signal?.removeEventListener('abort', giveUp)
          set.delete(tell)
          if (set.size === 0 && waiters.get(key) === set) waiters.delete(key)
          resolve(told)
        }
        const tell = (): void => settle(true)
        const giveUp = (): void => settle(false)
        const cancel = clock.after(milliseconds, giveUp)
        waiters.set(key, set.add(tell))
        if (signal?.aborted) giveUp()
        else signal?.addEventListener('abort', giveUp)
      })
    },
    tell(key) {
      const told = [...(waiters.get(key) ?? [])]
      for (const tell of told.splice(0, toldAtOnce)) tell()
      if (told.length > 0) void tellInTurns(told, clock)
    },
    keys: () => [...waiters.keys()],
  }
}

async function tellInTurns(waiters: (() => void)[], clock: Pick<Clock, 'turn'>): Promise<void> {
  while (waiters.length > 0) {
    await clock.turn()
    for (const tell of waiters.splice(0, toldAtOnce)) tell()
  }
}

/**
 * How long who follows something waits before looking again without being told. All that is waited for is told,
 * from other processes too, so this is for faults alone; it differs, so that not all look at once.
 */
export function lookAgainMs(): number {
  return 90_000 + Math.random() * 60_000
}
