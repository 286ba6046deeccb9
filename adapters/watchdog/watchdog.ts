import type { Log } from '#src/ports/log.ts'
import type { Hold, Meter } from '#src/ports/meter.ts'
import { Marks } from './marks.ts'

/** A hold of the event loop above this is counted and logged at `debug`. */
export const heldMs = 10
/** A hold of this length or more is logged at `warn`. */
export const loudMs = 100
/** Checking this often finds every hold above 10 ms, as none fits between two checks. */
const looksEveryMs = 5
/** The interval while no work is under way. */
const idlesMs = 100
const quietLooks = 200
/** Log lines per level and second; further holds are counted with the next line. */
const linesAtMost = 5

/** What a watchdog needs of the process. */
export interface Timepiece {
  /** Monotonic milliseconds. */
  now(): number
  /** Milliseconds that this thread has used the processor. */
  cpu(): number
  /** Milliseconds that the event loop has been idle. */
  idle(): number
  /**
   * Calls back after that many milliseconds; returns a function that cancels it. Does not keep the
   * process alive.
   */
  after(milliseconds: number, look: () => void): () => void
}

/** Reports what blocks the event loop. */
export interface Watchdog extends Pick<Meter, 'began' | 'rested' | 'during'> {
  stop(): void
}

/** Watches the loop from now on. @param told is called for every hold, also those that are not logged */
export function watchdog(
  log: Pick<Log, 'debug' | 'warn'>,
  told: (hold: Hold) => void,
  time: Timepiece = ofProcess,
): Watchdog {
  return new Looking(log, told, time)
}

class Looking implements Watchdog {
  readonly #log: Pick<Log, 'debug' | 'warn'>
  readonly #told: (hold: Hold) => void
  readonly #time: Timepiece
  readonly #marks = new Marks()
  #last: number
  #cpu: number
  #idle: number
  #period = looksEveryMs
  #quiet = 0
  /** Some work has begun and not ended. */
  #isWorking = false
  #cancel: () => void = () => undefined
  #second = 0
  readonly #lines = { debug: 0, warn: 0 }
  readonly #untold = { debug: 0, warn: 0 }

  constructor(log: Pick<Log, 'debug' | 'warn'>, told: (hold: Hold) => void, time: Timepiece) {
    this.#log = log
    this.#told = told
    this.#time = time
    this.#last = time.now()
    this.#cpu = time.cpu()
    this.#idle = time.idle()
    this.#wait(looksEveryMs)
  }

  began(work: string): void {
    const now = this.#time.now()
    if (this.#period === idlesMs) this.#wake(now)
    this.#marks.add(work, false, now)
    this.#isWorking = true
    this.#quiet = 0
  }

  rested(work: string): void {
    this.#marks.add(work, true, this.#time.now())
    this.#isWorking = false
  }

  during<T>(part: string, does: () => T): T {
    if (this.#isWorking) return does()
    this.began(part)
    try {
      return does()
    } finally {
      this.rested(part)
    }
  }

  stop(): void {
    this.#cancel()
  }

  /** Work begins after a rest: the time before counts as no hold. */
  #wake(now: number): void {
    this.#cancel()
    this.#note(now)
    this.#marks.longest(now, now)
    this.#wait(looksEveryMs)
  }

  #wait(milliseconds: number): void {
    this.#period = milliseconds
    this.#cancel = this.#time.after(milliseconds, () => this.#look())
  }

  #note(now: number): void {
    this.#last = now
    this.#cpu = this.#time.cpu()
    this.#idle = this.#time.idle()
  }

  #look(): void {
    const time = this.#time
    const now = time.now()
    const late = now - this.#last - this.#period
    const { work = 'other', milliseconds } = this.#marks.longest(this.#last, now)
    // What is a little late was held for a short time at most.
    if (late >= heldMs - looksEveryMs) {
      const worked = now - this.#last - (time.idle() - this.#idle)
      const held = Math.min(milliseconds, worked)
      if (held > heldMs) this.#found(work, held, Math.min(held, time.cpu() - this.#cpu))
    }
    this.#note(now)
    this.#quiet += 1
    this.#wait(this.#quiet > quietLooks ? idlesMs : looksEveryMs)
  }

  #found(work: string, ms: number, cpuMs: number): void {
    this.#told({ work, seconds: ms / 1000, cpuSeconds: cpuMs / 1000 })
    const level = ms >= loudMs ? 'warn' : 'debug'
    const second = Math.floor(this.#last / 1000)
    if (second !== this.#second) Object.assign(this.#lines, { debug: 0, warn: 0 })
    this.#second = second
    if (++this.#lines[level] > linesAtMost) {
      this.#untold[level] += 1
      return
    }
    const untold = this.#untold[level]
    this.#untold[level] = 0
    this.#log[level]('the event loop was held', {
      operation: work,
      held_ms: rounded(ms),
      cpu_ms: rounded(cpuMs),
      ...(untold > 0 && { untold }),
    })
  }
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}

const ofProcess: Timepiece = {
  now: () => performance.now(),
  cpu() {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },
  idle: () => performance.eventLoopUtilization().idle,
  after(milliseconds, look) {
    const timer = setTimeout(look, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}
