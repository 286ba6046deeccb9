import type { Clock } from '#src/ports/clock.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'

/** Bytes of each row that may be counted in memory only. */
const unwrittenBytes = 65_536
/** Rows written at once, so few that no commit of them holds up a request. */
const writtenAtOnce = 100
/** A row is read again at most this often because there is no room. */
const freshMs = 1000

/**
 * How far a row may be below 0 without being wrong, in bytes: one process has written what was deleted, and up to
 * so many have yet to write what was added.
 */
export const belowZeroAtMost = 16 * unwrittenBytes

/** The known state of one row: as last read or written, what is being written, and what is still to write. */
interface Known {
  /** Undefined until it has been read. */
  stored: number | undefined
  /** When that was, by the monotonic clock. */
  storedAt: number
  /** It is being read again. */
  reading: Promise<number> | undefined
  writing: number
  added: number
  underWay: Promise<void> | undefined
  /** How many writes have begun. */
  writes: number
}

type UsageRow = Awaited<ReturnType<Store['usage']['get']>>

/** How often a row is read again, because it was written meanwhile. */
const readsAtMost = 5

/**
 * Counts the bytes of rows of `usage` in memory first, and in the store when it is settled: each process does that
 * every few seconds. In the same rhythm it forgets the rows that it has not changed, as others change them too.
 */
export class StoredBytes {
  readonly #store: Pick<Store, 'usage'>
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #known = new Map<string, Known>()

  constructor(store: Pick<Store, 'usage'>, clock: Pick<Clock, 'monotonic'>) {
    this.#store = store
    this.#clock = clock
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
    if (known.stored === undefined) return (await this.read(id)).bytes
    return known.stored + this.#unwritten(id)
  }

  /**
   * Whether there are so many bytes, by a row that was read or written in the last second: others may have made
   * room. @throws Unavailable
   */
  async reaches(id: string, bytes: number): Promise<boolean> {
    if ((await this.of(id)) < bytes) return false
    const known = this.#knownOf(id)
    if (this.#clock.monotonic() - known.storedAt < freshMs) return true
    // All that ask meanwhile share one read.
    known.reading ??= this.#readAgain(id, known)
    return (await known.reading) >= bytes
  }

  async #readAgain(id: string, known: Known): Promise<number> {
    try {
      return (await this.read(id)).bytes
    } finally {
      known.reading = undefined
    }
  }

  /**
   * The row, and with it how many bytes there are at that moment: a row that is being written may be read before
   * the write has ended here. @throws Unavailable
   */
  async read(id: string): Promise<{ row: UsageRow; bytes: number }> {
    for (let reads = 1; ; reads += 1) {
      // A failed write is counted in memory again.
      await this.#known.get(id)?.underWay?.catch(() => undefined)
      const known = this.#known.get(id)
      const { writes, underWay } = known ?? {}
      const row = await this.#store.usage.get(id)
      // What was forgotten meanwhile may have been known and written again.
      const isSame = this.#known.get(id) === known && known?.writes === writes
      const isStill = isSame && underWay === undefined
      if (isStill && known) this.#learn(known, row?.bytes ?? 0)
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

  /** Writes what is counted in memory only, and forgets rows without any such bytes. @throws Unavailable */
  async settle(): Promise<void> {
    const unwritten: [string, Known][] = []
    for (const [id, known] of this.#known) {
      if (known.added !== 0 || known.underWay) unwritten.push([id, known])
      else this.#known.delete(id)
    }
    for (let done = 0; done < unwritten.length; done += writtenAtOnce) {
      const some = unwritten.slice(done, done + writtenAtOnce)
      await Promise.all(some.map(([id, known]) => this.#settle(id, known)))
    }
  }

  async #settle(id: string, known: Known): Promise<void> {
    // Bytes that it fails to write are counted again, and written below.
    await known.underWay?.catch(() => undefined)
    if (known.added !== 0) await this.#write(id, known)
  }

  #learn(known: Known, stored: number): void {
    known.stored = stored
    known.storedAt = this.#clock.monotonic()
  }

  #knownOf(id: string): Known {
    const known = this.#known.get(id)
    if (known) return known
    const made: Known = {
      stored: undefined,
      storedAt: Number.NEGATIVE_INFINITY,
      reading: undefined,
      writing: 0,
      added: 0,
      underWay: undefined,
      writes: 0,
    }
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
      this.#learn(known, await this.#raised(id, added))
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
