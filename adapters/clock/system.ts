import type { Clock } from '#src/ports/clock.ts'
import type { Ticker } from './ticker.ts'

/** Timers hold 32 bits; a longer delay would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** The ticker's library is large to load, and nothing ticks in the first second. */
const tickerLoadsAfterMs = 1000

/**
 * The clock of this machine. A pending sleep keeps the process alive, because work is due when it ends:
 * to stop the process, abort its sleeps.
 */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  after(milliseconds, wake) {
    const timer = setTimeout(wake, Math.min(milliseconds, longestTimerMs))
    return () => clearTimeout(timer)
  },
  everySecond(wake) {
    let ticker: Ticker | undefined
    let isOver = false
    const load = async (): Promise<void> => {
      const { startTicker } = await import('./ticker.ts')
      if (!isOver) ticker = startTicker(wake)
    }
    const loading = setTimeout(() => void load(), tickerLoadsAfterMs).unref()
    return () => {
      isOver = true
      clearTimeout(loading)
      ticker?.stop()
    }
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  async sleep(milliseconds, signal) {
    const end = performance.now() + milliseconds
    let left = milliseconds
    do {
      await pause(Math.min(left, longestTimerMs), signal)
      left = end - performance.now()
    } while (left > 0)
  },
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
