import type { Clock } from '#src/ports/clock.ts'

export interface FakeClock extends Clock {
  /** Moves the time on, and wakes those who sleep until then, in order. */
  advance(milliseconds: number): Promise<void>
  /** Sets the wall clock to another time, wakes no one, and leaves the monotonic clock alone. */
  set(time: number): void
  /** Whether a sleep ends exactly that many milliseconds from now. */
  isSlept(milliseconds: number): boolean
}

interface Sleeper {
  at: number
  wake: () => void
}

/** Lets everything that was set going come to rest: promises, and the store's turns. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** A clock that stands still until a test moves it. */
export function fakeClock(start = Date.parse('2026-03-01T12:00:00.000Z')): FakeClock {
  let now = start
  const sleepers = new Set<Sleeper>()
  return {
    now: () => new Date(now),
    isSlept: (milliseconds) => [...sleepers].some(({ at }) => at === now + milliseconds),
    set(time) {
      for (const sleeper of sleepers) sleeper.at += time - now
      start += time - now
      now = time
    },
    monotonic: () => now - start,
    after(milliseconds, wake) {
      const sleeper = { at: now + milliseconds, wake }
      sleepers.add(sleeper)
      return () => void sleepers.delete(sleeper)
    },
    everySecond(wake) {
      let sleeper: Sleeper
      const again = (): void => {
        sleeper = { at: now + 1000, wake: () => (wake(), again()) }
        sleepers.add(sleeper)
      }
      again()
      return () => void sleepers.delete(sleeper)
    },
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    sleep(milliseconds, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const sleeper = { at: now + milliseconds, wake: resolve }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', () => {
          if (sleepers.delete(sleeper)) reject(signal.reason)
        })
      })
    },
    async advance(milliseconds) {
      const until = now + milliseconds
      for (;;) {
        const [next] = [...sleepers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (!next) break
        now = Math.max(now, next.at)
        sleepers.delete(next)
        next.wake()
        await settle()
      }
      now = until
      await settle()
    },
  }
}
