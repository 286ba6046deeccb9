import { DuplicateKey, type Store } from '#src/ports/store.ts'

/** Bytes of each row that may be counted in memory only. */
const unwrittenBytes = 65_536
/** Rows written at once, so few that no commit of them holds up a request. */
const writtenAtOnce = 100

/** The known state of one row: as last read or written, what is being written, and what is still to write. */
interface Known {
  /** Undefined until it has been read. */
  stored: number | undefined
  writing: number
  added: number
  underWay: Promise<void> | undefined
  /** How many writes have begun. */
  writes: number
}

type UsageRow = Awaited<ReturnType<Store['usage']['get']>>

/** How often a row is read again, because it was written meanwhile. */
const readsAtMost = 5

/** Counts the bytes of rows of `usage` in memory first, and in the store within seconds. */
export class StoredBytes {
  readonly #store: Pick<Store, 'usage'>
  readonly #known = new Map<string, Known>()

  constructor(store: Pick<Store, 'usage'>) {
    this.#store = store
  }

  /** Counts so many bytes more, or fewer. */
  add(id: string, bytes: number): void {
    const known = this.#knownOf(id)
    known.added += bytes
    // One write at a time, so that the last known value is the last written one.
    if (Math.abs(known.added) < unwrittenBytes || known.underWay) return
    // The caller does not wait; bytes of a failed write are added to the next one.
    this.#write(id, known).catch(() => undefined)
  }

  /** How many bytes there are. @throws Unavailable */
  async of(id: string): Promise<number> {
    const known = this.#knownOf(id)
    if (known.stored === undefined) {
      const row = await this.#store.usage.get(id)
      known.stored ??= row?.bytes ?? 0
    }
    return known.stored + this.#unwritten(id)
  }

  /**
   * The row, and with it how many bytes there are at that moment: a row that is being written may be read before
   * the write has ended here. @throws Unavailable
   */
  async read(id: string): Promise<{ row: UsageRow; bytes: number }> {
    for (let reads = 1; ; reads += 1) {
      // A failed write is counted in memory again.
      await this.#known.get(id)?.underWay?.catch(() => undefined)
      const writes = this.#known.get(id)?.writes
      const row = await this.#store.usage.get(id)
      const isStill = this.#known.get(id)?.writes === writes
      if (isStill || reads === readsAtMost) {
        return { row, bytes: (row?.bytes ?? 0) + this.#unwritten(id) }
      }
    }
  }

  /** How many of them are not written to the row yet. */
  #unwritten(id: string): number {
    const known = this.#known.get(id)
    return known ? known.added + known.writing : 0
  }

  /** Writes what is counted in memory only. @throws Unavailable */
  async settle(): Promise<void> {
    const all = [...this.#known]
    for (let done = 0; done < all.length; done += writtenAtOnce) {
      const some = all.slice(done, done + writtenAtOnce)
      await Promise.all(some.map(([id, known]) => this.#settle(id, known)))
    }
  }

  async #settle(id: string, known: Known): Promise<void> {
    // Bytes that it fails to write are counted again, and written below.
    await known.underWay?.catch(() => undefined)
    if (known.added !== 0) await this.#write(id, known)
    else if (!known.underWay) this.#known.delete(id)
  }

  #knownOf(id: string): Known {
    const known = this.#known.get(id)
    if (known) return known
    const made = { stored: undefined, writing: 0, added: 0, underWay: undefined, writes: 0 }
    this.#known.set(id, made)
    return made
  }

  #write(id: string, known: Known): Promise<void> {
    known.underWay = this.#written(id, known).finally(() => {
      known.underWay = undefined
    })
    return known.underWay
  }

  async #written(id: string, known: Known): Promise<void> {
    const { added } = known
    known.writes += 1
    known.added = 0
    known.writing = added
    try {
      known.stored = await this.#raised(id, added)
    } catch (cause) {
      known.added += added
      throw cause
    } finally {
      known.writing = 0
    }
  }

  /** An account always has its row; any other is made with its first bytes and deleted with its last. */
  async #raised(id: string, by: number): Promise<number> {
    const { usage } = this.#store
    const row = await usage.update({ id }, { $inc: { bytes: by } }, { lazy: true })
    if (!id.includes('/')) return row?.bytes ?? 0
    if (row && row.bytes <= 0) await usage.delete({ id, bytes: { $lte: 0 } })
    if (row) return row.bytes
    if (by <= 0) return 0
    try {
      await usage.insert({ id, agents: 0, apps: 0, bytes: by }, { lazy: true })
      return by
    } catch (cause) {
      if (!(cause instanceof DuplicateKey)) throw cause
      return this.#raised(id, by)
    }
  }
}
