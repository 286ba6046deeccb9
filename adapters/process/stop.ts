import type { Config } from '#adapters/config/read.ts'
import type { Log } from '#src/ports/log.ts'
import { failed } from './start.ts'

/** How long a process may take to stop, besides what runs are given to end in beyond the default. */
const stopsWithinMs = 9500
/** Requests may take about as long, so that such a grace costs nothing. */
const graceIncludedMs = 5000

type Grace = Pick<Config, 'graceSeconds'>

/** How many milliseconds a process may take to stop after this signal, with what it lets runs go on for. */
export function stopsWithin(signal: string, config: Grace): number {
  return stopsWithinMs + Math.max(0, graceMsAt(signal, config) - graceIncludedMs)
}

/**
 * Ends the process with 0 once its parts have ended, and with 1 if they do not in time.
 * @param end ends them, and lets runs go on for so long
 */
export async function stopInOrder(
  signal: string,
  config: Grace,
  log: Log,
  end: (graceMs: number) => Promise<void>,
): Promise<never> {
  const milliseconds = stopsWithin(signal, config)
  setTimeout(() => {
    log.error('stopping took too long', { milliseconds })
    process.exit(failed)
  }, milliseconds).unref()
  await end(graceMsAt(signal, config))
  log.info('stopped')
  process.exit(0)
}

/** Only who sends `SIGTERM` wants to wait for runs. */
function graceMsAt(signal: string, { graceSeconds }: Grace): number {
  return signal === 'SIGTERM' ? graceSeconds * 1000 : 0
}
