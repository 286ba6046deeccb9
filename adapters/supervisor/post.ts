/** How long a process may take, and how often it is started again. */
export interface PostTerms {
  /** A process that is not ready by then has failed. */
  readonly readyWithinMs: number
  /** So many that fail before they are ready, one after the other, end it all. */
  readonly failuresAtMost: number
  /** The pause before the second start in a row; each one more doubles it. */
  readonly pauseMs: number
  readonly pauseAtMostMs: number
  /** A process that was ready for so long is followed by the next at once. */
  readonly steadyMs: number
  /** A process that says nothing for so many looks is frozen. */
  readonly silentLooks: number
  /** One that says nothing for so many looks does not answer for now. */
  readonly restlessLooks: number
  readonly lookMs: number
}

export const postTerms: PostTerms = {
  readyWithinMs: 30_000,
  failuresAtMost: 5,
  pauseMs: 100,
  pauseAtMostMs: 10_000,
  steadyMs: 60_000,
  silentLooks: 10,
  restlessLooks: 3,
  lookMs: 1000,
}

/** How a process ended. */
export interface End {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A process that was started. */
export interface Running {
  /** Ends it at once. */
  kill(): void
  /** Resolves when it has ended. */
  readonly ended: Promise<End>
}

/** What a post reports. */
export interface PostReports {
  /** A process has ended, and another one follows after this pause. */
  replaced(end: End, pauseMs: number): void
  /** A process says nothing any more, and is ended. */
  frozen(): void
  /** It is no use to start another one. @param why goes on after the name of the process */
  failed(why: string, code: number | null): void
}

/** The post of one process: starts another one where it has ended or is frozen. */
export class Post {
  readonly #start: () => Running
  readonly #reports: PostReports
  readonly #terms: PostTerms
  #running: Running | undefined
  #isReady = false
  #wasEverReady = false
  #readyAt = 0
  #failures = 0
  #restarts = 0
  #silent = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(start: () => Running, reports: PostReports, terms: PostTerms = postTerms) {
    this.#start = start
    this.#reports = reports
    this.#terms = terms
  }

  /** The process that holds it now. */
  get running(): Running | undefined {
    return this.#running
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Whether its process is ready and its event loop turns. */
  get isAnswering(): boolean {
    return this.#isReady && this.#silent < this.#terms.restlessLooks
  }

  begin(): void {
    const running = this.#start()
    this.#running = running
    this.#isReady = false
    let isLate = false
    this.#timer = setTimeout(() => {
      isLate = true
      running.kill()
    }, this.#terms.readyWithinMs)
    void running.ended.then((end) => this.#ended(end, isLate))
  }

  /** The process is ready. */
  ready(): void {
    clearTimeout(this.#timer)
    this.#isReady = true
    this.#wasEverReady = true
    this.#failures = 0
    this.#readyAt = performance.now()
    this.#silent = 0
    this.#look()
  }

  /** The process has said something. */
  heard(): void {
    this.#silent = 0
  }

  /** No process follows. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #look(): void {
    this.#timer = setTimeout(() => {
      this.#silent += 1
      if (this.#silent <= this.#terms.silentLooks) return this.#look()
      this.#reports.frozen()
      this.#running?.kill()
    }, this.#terms.lookMs)
  }

  #ended(end: End, isLate: boolean): void {
    clearTimeout(this.#timer)
    const wasReady = this.#isReady
    this.#running = undefined
    this.#isReady = false
    if (this.#isClosed) return
    const { failuresAtMost, readyWithinMs, steadyMs } = this.#terms
    if (!wasReady) {
      this.#failures += 1
      if (!this.#wasEverReady || this.#failures >= failuresAtMost) {
        const after = `was not ready within ${readyWithinMs / 1000} seconds`
        this.#reports.failed(isLate ? after : `ended before it was ready${inWords(end)}`, end.code)
        return
      }
    } else if (performance.now() - this.#readyAt >= steadyMs) this.#restarts = 0
    const pause = this.#pause()
    this.#restarts += 1
    this.#reports.replaced(end, pause)
    this.#timer = setTimeout(() => this.begin(), pause)
  }

  #pause(): number {
    const { pauseMs, pauseAtMostMs } = this.#terms
    if (this.#restarts === 0) return 0
    return Math.min(pauseMs * 2 ** (this.#restarts - 1), pauseAtMostMs)
  }
}

function inWords({ code, signal }: End): string {
  return signal === null ? `, with exit code ${code}` : `, by ${signal}`
}
