import type { Touched } from '#src/ports/touched.ts'
import { keptSeconds, type ChangeFeed, type ChangeStore } from './change-store.ts'
import { Notes } from './notes.ts'
import { NoteOrder, together } from './order.ts'
import { heldMs, Readers } from './readers.ts'

/** Between two reads of the notes where there are no change streams, and others to write any. */
const pollMs = 20
/** Between two reads otherwise: of who is registered, and of what a stream may have missed. */
const roundMs = 1_000
/** The longest time from when a write looks whether it is heard to when it is done. */
const writeMs = 5_000
/** For so long others may not know a newcomer, which then looks at everything so often. */
const unknownMs = heldMs + writeMs
const everythingMs = 250

type Listener = (touched: Touched) => void

/** What this process tells others of its writes, and what they tell it. */
export class Changes {
  readonly #store: ChangeStore
  readonly #readers: Readers
  readonly #notes: Notes
  readonly #listeners = new Set<Listener>()
  readonly #order = new NoteOrder()
  #feed: ChangeFeed | undefined
  #hasFeeds = true
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #isWatching = false
  #isRegistered = false
  #isClosed = false
  #lookedAt = Number.NEGATIVE_INFINITY
  #readAt = Number.NEGATIVE_INFINITY
  #everythingAt = Number.NEGATIVE_INFINITY
  #knownFrom = Number.POSITIVE_INFINITY

  /** @param origin names this process */
  constructor(store: ChangeStore, origin: string) {
    this.#store = store
    this.#readers = new Readers(store, origin)
    this.#notes = new Notes(store, origin)
  }

  /** Looks once who is there, so that a lone process tells nothing from its first write on. */
  async open(): Promise<void> {
    await this.#readers.look()
  }

  /** Whether others may be told of a write that begins now. */
  get isHeard(): boolean {
    return this.#readers.isHeard
  }

  /** Tells others what a write has touched that is done. */
  tell(names: Iterable<string>): void {
    this.#notes.add(names)
  }

  /** Calls back with what other processes touch; returns the function that ends it. */
  watch(listener: Listener): () => void {
    if (this.#isClosed) return () => {}
    const own: Listener = (touched) => listener(touched)
    this.#listeners.add(own)
    if (!this.#isWatching) this.#start()
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) void this.#stop()
    }
  }

  /** Tells no listener any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#listeners.clear()
    await this.#stop()
  }

  /** After the last write: what it has touched is told, and this process is not registered any more. */
  async leave(): Promise<void> {
    await this.#notes.close()
    if (this.#isRegistered) await this.#store.leave().catch(() => undefined)
  }

  #start(): void {
    this.#isWatching = true
    if (this.#hasFeeds) this.#follow()
    this.#next(0)
  }

  async #stop(): Promise<void> {
    this.#isWatching = false
    clearTimeout(this.#timer)
    const feed = this.#feed
    this.#feed = undefined
    if (feed) await closed(feed)
    await this.#round
  }

  #follow(): void {
    const feed: ChangeFeed = this.#store.openFeed({
      note: (note) => {
        if (this.#feed === feed) this.#tellListeners(this.#order.touched(note))
      },
      failed: (error) => {
        if (this.#feed !== feed) return
        this.#feed = undefined
        void closed(feed)
        // Otherwise the next round opens another, and reads what was missed.
        this.#hasFeeds = !this.#store.isUnsupported(error)
        if (!this.#hasFeeds) this.#next(0)
      },
    })
    this.#feed = feed
  }

  #next(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#round ??= this.#read()
        .catch(() => undefined)
        .finally(() => {
          this.#round = undefined
          if (!this.#isWatching) return
          this.#next(this.#pause())
        })
    }, milliseconds).unref()
  }

  #pause(): number {
    if (!this.#hasFeeds && this.#readers.hasOthers) return pollMs
    return performance.now() < this.#knownFrom ? everythingMs : roundMs
  }

  /** One round: who is there, and which notes. */
  async #read(): Promise<void> {
    const begun = performance.now()
    const told: (Touched | undefined)[] = []
    try {
      if (begun - this.#lookedAt >= roundMs - pollMs) {
        this.#lookedAt = begun
        await this.#look()
        // One that is gone may have written what it told no one.
        if (this.#readers.hasLost()) told.push('all')
        if (this.#hasFeeds && !this.#feed && this.#isWatching) this.#follow()
      }
      const notes = await this.#store.notesAfter(this.#order.known)
      told.push(...notes.map((note) => this.#order.touched(note)))
      // Notes that were not read for long may be gone.
      if (begun - this.#readAt > (keptSeconds * 1_000) / 2) told.push('all')
      this.#readAt = begun
      if (begun < this.#knownFrom && begun - this.#everythingAt >= everythingMs) {
        this.#everythingAt = begun
        told.push('all')
      }
    } finally {
      // Also what was found before a failure: it is not found again.
      this.#tellListeners(together(told))
    }
  }

  async #look(): Promise<void> {
    if (!(await this.#readers.look())) {
      await this.#readers.register()
      this.#isRegistered = true
      this.#knownFrom = performance.now() + unknownMs
    }
    await this.#readers.keepUp()
  }

  #tellListeners(touched: Touched | undefined): void {
    if (touched === undefined) return
    for (const listener of this.#listeners) listener(touched)
  }
}

async function closed(feed: ChangeFeed): Promise<void> {
  try {
    await feed.close()
  } catch {
    // A feed that cannot be closed has gone with its connection.
  }
}
