import type { ChangeStore, FeedListener, Note } from '#adapters/store/mongo/changes/change-store.ts'

/** A database of notes in memory, with change streams, which the engine of the tests has not. */
export class NotesInMemory {
  readonly notes: Note[] = []
  readonly readers = new Map<string, number>()
  /** The streams that were opened, by who opened them. */
  readonly feeds: { origin: string; listener: FeedListener; isClosed: boolean }[] = []
  hasFeeds = true
  isAway = false
  reads = 0

  /** The same for one of its processes. */
  of(origin: string): ChangeStore {
    const here = async <T>(work: () => T): Promise<T> => {
      if (this.isAway) throw new Error('away')
      return work()
    }
    return {
      notesAfter: (known) =>
        here(() => {
          this.reads += 1
          const isLater = (note: Note): boolean => note.n > (known.get(note.origin) ?? 0)
          return this.notes.filter((note) => note.origin !== origin && isLater(note))
        }),
      add: (note) => here(() => this.#add(note)),
      removeUpTo: (n) => here(() => this.#keep((note) => note.origin !== origin || note.n > n)),
      readers: () => here(() => new Map(this.readers)),
      beat: () => here(() => void this.readers.set(origin, (this.readers.get(origin) ?? 0) + 1)),
      leave: () => here(() => void this.readers.delete(origin)),
      drop: (of, beat) =>
        here(() => {
          if (this.readers.get(of) === beat) this.readers.delete(of)
        }),
      openFeed: (listener) => {
        const feed = { origin, listener, isClosed: false }
        this.feeds.push(feed)
        if (!this.hasFeeds) queueMicrotask(() => listener.failed('unsupported'))
        return {
          async close() {
            feed.isClosed = true
          },
        }
      },
      isUnsupported: (error) => error === 'unsupported',
    }
  }

  #add(note: Note): void {
    if (this.notes.some(({ origin, n }) => origin === note.origin && n === note.n)) return
    this.notes.push(note)
    if (!this.hasFeeds) return
    for (const { origin, listener, isClosed } of this.feeds) {
      if (!isClosed && origin !== note.origin) listener.note(note)
    }
  }

  #keep(keeps: (note: Note) => boolean): void {
    const kept = this.notes.filter(keeps)
    this.notes.splice(0, this.notes.length, ...kept)
  }
}
