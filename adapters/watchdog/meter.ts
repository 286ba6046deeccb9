import type { Log } from '#src/ports/log.ts'
import type { Hold, Meter } from '#src/ports/meter.ts'
import { watchdog } from './watchdog.ts'

/** Where what is counted goes. */
type Counted = Pick<Meter, 'runEnded' | 'purged'> & {
  held(hold: Hold): void
}

/** The meter of a process: counts, and knows who holds the event loop until it is stopped. */
export function watchedMeter(counted: Counted, log: Log): Meter & { stop(): void } {
  const watching = watchdog(log, (hold) => counted.held(hold))
  return {
    began: (work) => watching.began(work),
    rested: (work) => watching.rested(work),
    purged: (kind, count) => counted.purged(kind, count),
    runEnded(status) {
      // Runs are worked on beside each other: what went before the end of one was most likely its own.
      watching.rested('runner')
      counted.runEnded(status)
    },
    stop: () => watching.stop(),
  }
}
