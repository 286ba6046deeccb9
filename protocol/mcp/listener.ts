import type { ListeningBounds } from './listener-bounds.ts'

/** Changes within this time are reported once. */
const togetherMs = 50

/** The changes of what a listener is told of, until the signal is aborted. */
export type Follow = (signal: AbortSignal) => AsyncIterable<unknown>

/** The writer of a stream. */
interface Pen {
  /** Never rejects. */
  tell(uri: string): Promise<void>
  /** Ends the stream with its final result. */
  close(): void
}

interface Asking {
  /** @throws when the credential is no longer valid */
  identify(): Promise<unknown>
  bounds: Pick<ListeningBounds, 'milliseconds' | 'lookAgainMs'>
}

/** One stream of changes, from its beginning until what it follows, its credential or its time ends. */
export class Listening {
  readonly #asking: Asking
  readonly #ended = new AbortController()
  readonly #timers: NodeJS.Timeout[]
  readonly #untold = new Map<string, NodeJS.Timeout>()
  #told: Promise<void> = Promise.resolve()
  #pen: Pen | undefined

  constructor(asking: Asking) {
    this.#asking = asking
    const { milliseconds, lookAgainMs } = asking.bounds
    this.#timers = [
      setTimeout(() => this.end(), milliseconds),
      setInterval(() => void this.#mayGoOn(), lookAgainMs),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  /** The stream is open; its end may have come before. */
  opens(pen: Pen): void {
    this.#pen = pen
    if (this.#ended.signal.aborted) pen.close()
  }

  onEnd(listener: () => void): void {
    this.#ended.signal.addEventListener('abort', listener, { once: true })
  }

  /** Reports each change, under its URI, until no more can follow. */
  follow(followed: ReadonlyMap<string, Follow>): void {
    const { signal } = this.#ended
    const following = [...followed].map(async ([uri, follow]) => {
      for await (const _ of follow(signal)) this.#note(uri)
    })
    // A run that is gone, or does not belong to the caller any more, is followed no further.
    void Promise.allSettled(following).then(() => this.#finish())
  }

  end(): void {
    if (this.#ended.signal.aborted) return
    this.#ended.abort()
    for (const timer of [...this.#timers, ...this.#untold.values()]) clearTimeout(timer)
    this.#pen?.close()
  }

  #note(uri: string): void {
    if (this.#untold.has(uri) || this.#ended.signal.aborted) return
    const timer = setTimeout(() => this.#tell(uri), togetherMs)
    this.#untold.set(uri, timer)
  }

  /** One after the other, so that the last word on each is how it stands. */
  #tell(uri: string): void {
    clearTimeout(this.#untold.get(uri))
    if (!this.#untold.delete(uri)) return
    this.#told = this.#tellAfter(this.#told, uri)
  }

  async #tellAfter(before: Promise<void>, uri: string): Promise<void> {
    await before
    if (await this.#mayGoOn()) await this.#pen?.tell(uri)
  }

  /** Pending changes are reported before the stream ends by itself. */
  async #finish(): Promise<void> {
    for (const uri of this.#untold.keys()) this.#tell(uri)
    await this.#told
    this.end()
  }

  /** A revoked credential ends its streams; a temporarily unavailable store does not. */
  async #mayGoOn(): Promise<boolean> {
    try {
      await this.#asking.identify()
    } catch (cause) {
      if (isUnavailable(cause)) return false
      this.end()
    }
    return !this.#ended.signal.aborted
  }
}

function isUnavailable(cause: unknown): boolean {
  return cause instanceof Error && 'kind' in cause && cause.kind === 'unavailable'
}
