import { schedule } from 'node-cron'

export interface Ticker {
  /** No further tick begins; one that is under way is the caller's to wait for. */
  stop(): void
}

/**
 * Calls back each second, but never while the call before is still under way. It keeps no process
 * alive. What the callback throws goes to `onError`, and the ticking goes on.
 */
export function startTicker(
  onSecond: () => void | Promise<void>,
  onError: (cause: unknown) => void = () => undefined,
): Ticker {
  const tick = async (): Promise<void> => {
    try {
      await onSecond()
    } catch (cause) {
      onError(cause)
    }
  }
  const job = schedule('* * * * * *', tick, {
    noOverlap: true,
    // Local time has hours that pass twice, through which node-cron would rest.
    timezone: 'UTC',
    // A busy second is made up by the next one.
    suppressMissedWarning: true,
    logger: silent,
    unref: true,
  })
  return {
    stop: () => void job.destroy(),
  }
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}
