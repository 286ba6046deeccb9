/** The part of a change stream that is used here. */
export interface ChangeFeed {
  on(event: 'change', listener: () => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  close(): Promise<void>
}

/** Changes within this time are reported once. */
const togetherMs = 20
const reopenMs = 1_000
const pollMs = 100

/**
 * Calls the listeners after every commit, including those of this process, because the server does not
 * say who committed. If the server has no change streams, they are called every 100 ms: they only look
 * again, and a document that every commit had to touch would slow down all commits.
 */
export class Watch {
  readonly #openFeed: () => ChangeFeed
  readonly #isUnsupported: (error: unknown) => boolean
  readonly #listeners = new Set<() => void>()
  #feed: ChangeFeed | undefined
  #telling: NodeJS.Timeout | undefined
  #polling: NodeJS.Timeout | undefined
  #reopening: NodeJS.Timeout | undefined
  #supported = true
  #closed = false

  constructor(openFeed: () => ChangeFeed, isUnsupported: (error: unknown) => boolean) {
    this.#openFeed = openFeed
    this.#isUnsupported = isUnsupported
  }

  add(listener: () => void): () => void {
    if (this.#closed) return () => {}
    const own = (): void => listener()
    this.#listeners.add(own)
    if (this.#listeners.size === 1) this.#start()
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) void this.#stop()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#listeners.clear()
    await this.#stop()
  }

  #start(): void {
    if (this.#supported) this.#follow()
    else this.#polling = setInterval(() => this.#tell(), pollMs).unref()
  }

  #follow(): void {
    const feed = this.#openFeed()
    this.#feed = feed
    feed.on('change', () => {
      this.#telling ??= setTimeout(() => this.#tell(), togetherMs).unref()
    })
    feed.on('error', (error) => {
      if (this.#feed !== feed) return
      this.#feed = undefined
      void closed(feed)
      this.#supported = !this.#isUnsupported(error)
      if (!this.#supported) return this.#start()
      // The driver resumes by itself where it can; otherwise the missed changes are unknown.
      this.#reopening = setTimeout(() => {
        this.#follow()
        this.#tell()
      }, reopenMs).unref()
    })
  }

  #tell(): void {
    this.#telling = undefined
    for (const listener of this.#listeners) listener()
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#telling)
    clearInterval(this.#polling)
    clearTimeout(this.#reopening)
    this.#telling = undefined
    const feed = this.#feed
    this.#feed = undefined
    if (feed) await closed(feed)
  }
}

async function closed(feed: ChangeFeed): Promise<void> {
  try {
    await feed.close()
  } catch {
    // A feed that cannot be closed has gone with its connection.
  }
}
