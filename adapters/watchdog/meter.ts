import type { Log } from '#src/ports/log.ts'
import type { Hold, Meter } from '#src/ports/meter.ts'
import { watchdog } from './watchdog.ts'

/** The target of the counters. */
type Counted = Pick<Meter, 'runEnded' | 'purged' | 'slotsTaken' | 'leaseExpired'> & {
  held(hold: Hold): void
}

/** The meter of a process: counts, and until it is stopped knows what blocks the event loop. */
export function watchedMeter(counted: Counted, log: Log): Meter & { stop(): void } {
  const watching = watchdog(log, (hold) => counted.held(hold))
  return {
    began: (work) => watching.began(work),
    rested: (work) => watching.rested(work),
    during: (part, does) => watching.during(part, does),
    purged: (kind, count) => counted.purged(kind, count),
    slotsTaken: (count) => counted.slotsTaken(count),
    leaseExpired: (by) => counted.leaseExpired(by),
    runEnded(status) {
      // Runs are worked on concurrently: the time before the end of one was most likely its own.
      watching.rested('runner')
      counted.runEnded(status)
    },
    stop: () => watching.stop(),
  }
}
