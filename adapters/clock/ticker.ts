import { createTask } from 'node-cron'

export interface Ticker {
  /** No further tick begins; one that is under way is the caller's to wait for. */
  stop(): void
}

const secondMs = 1000
/** A timer may come so much before the second that it was set for. */
const earlyMs = 5

/**
 * Calls back each second, but never while the call before is still under way. It keeps no process
 * alive. What the callback throws goes to `onError`, and the ticking goes on.
 */
export function startTicker(
  onSecond: () => void | Promise<void>,
  onError: (cause: unknown) => void = () => undefined,
): Ticker {
  // It only tells when the next second is, and is never started: where the clock has been put
  // forward, its own timer goes through every second in between before anything else happens, and
  // where it has been put back it rests until the old time comes again.
  const seconds = createTask('* * * * * *', () => undefined, {
    // Local time has hours that pass twice.
    timezone: 'UTC',
    logger: silent,
  })
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const tick = async (): Promise<void> => {
    try {
      await onSecond()
    } catch (cause) {
      onError(cause)
    }
    if (!isOver) arm()
  }
  const arm = (): void => {
    const left = (seconds.getNextRuns(1)[0]?.getTime() ?? 0) - Date.now()
    const isNext = left > earlyMs && left <= secondMs
    timer = setTimeout(() => void tick(), isNext ? left : secondMs).unref()
  }
  arm()
  return {
    stop() {
      isOver = true
      clearTimeout(timer)
      void seconds.destroy()
    },
  }
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}
