import type { Clock } from '#src/ports/clock.ts'
import type { Log } from '#src/ports/log.ts'
import type { Meter } from '#src/ports/meter.ts'

/** A background job that is done again and again. */
export interface Job {
  name: string
  /** Does what is due and gives how much that was; more than nothing is followed at once by another tick. */
  tick(now: Date): Promise<number>
  intervalMs: number
}

export interface Loop {
  /** Something may be due: the next tick begins now. */
  wake(): void
  /** Ends after the tick under way. */
  stop(): Promise<void>
}

const longestBackoffMs = 30_000

/** What a loop needs. Aborting `resting` ends it after the tick under way, and before anything else is stopped. */
export interface LoopPorts {
  clock: Clock
  log: Log
  meter: Meter
  resting?: AbortSignal
}

/** Ticks until stopped: with jitter, so that processes spread, and backing off while ticks fail. */
export function startLoop(job: Job, { clock, log, meter, resting }: LoopPorts): Loop {
  const stopping = new AbortController()
  const ending = resting ? AbortSignal.any([stopping.signal, resting]) : stopping.signal
  let pausing = new AbortController()
  // One listener for all pauses: a signal made of others is noted by each of them, at every tick.
  ending.addEventListener('abort', () => pausing.abort(true), { once: true })
  let failures = 0

  const once = async (): Promise<number> => {
    meter.began(job.name)
    try {
      const ticking = job.tick(clock.now())
      meter.rested(job.name)
      const done = await ticking
      failures = 0
      return done > 0 ? 0 : job.intervalMs * (0.9 + Math.random() * 0.2)
    } catch (cause) {
      failures += 1
      log.error('a background tick failed', { job: job.name, failures, cause })
      return Math.min(longestBackoffMs, job.intervalMs * 2 ** failures)
    } finally {
      meter.rested(job.name)
    }
  }

  const run = async (): Promise<void> => {
    while (!ending.aborted) {
      pausing = new AbortController()
      const pause = await once()
      await clock.sleep(pause, pausing.signal).catch(() => undefined)
    }
  }

  const running = run()
  return {
    // With a reason of its own: an error would be made with its stack.
    wake: () => pausing.abort(true),
    stop() {
      stopping.abort()
      return running
    },
  }
}
