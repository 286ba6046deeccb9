import { createTask } from 'node-cron'

export interface Ticker {
  /** No further tick begins; waiting for the one under way is up to the caller. */
  stop(): void
}

const secondMs = 1000
/** A timer may fire up to this long before the second it was set for. */
const earlyMs = 5

/**
 * Calls back each second, but never while the previous call is still running. It does not keep the
 * process alive. Errors thrown by the callback go to `onError`, and the ticking goes on.
 */
export function startTicker(
  onSecond: () => void | Promise<void>,
  onError: (cause: unknown) => void = () => undefined,
): Ticker {
  // Used only to compute the next second and never started: when the clock is set forward, its own
  // timer would run through every second in between before anything else happens, and when the clock is
  // set back, it would pause until the old time comes again.
  const seconds = createTask('* * * * * *', () => undefined, {
    // Local time has hours that occur twice.
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
