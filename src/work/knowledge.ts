import type { Ports } from '#src/core/context.ts'
import {
  beatSeconds,
  handBack,
  keptOn,
  refreshDue,
  Turns,
  type Lane,
} from '#src/knowledge/claim.ts'
import { ThreadEmbedder } from '#src/commons/search/embed.ts'
import { Embedder } from '#src/knowledge/embed.ts'
import type { StoredItem } from '#src/knowledge/item.ts'
import { readItem } from '#src/knowledge/read-item.ts'
import { purgeRemains } from '#src/knowledge/purge.ts'
import { timesOf, type Times } from '#src/core/turns/leases.ts'
import { SharedPlaces } from './turns/shared-places.ts'

/** Items read at once in each lane: in all, of one account, and kept for accounts without any. */
const readAtOnce = { all: 8, each: 4, kept: 2 }

/** Reads what agents are to know, and forgets what they are no longer to know. */
export interface Librarian {
  /** Takes what is due, as far as there is room, and gives how much that was. */
  tick(): Promise<number>
  /** Takes no more; what is being read is handed back. */
  stop(): Promise<void>
}

/** @param more called when there may be room, or something due, before the next tick */
export function librarian(ports: Ports, more: () => void): Librarian {
  return new FairLibrarian(ports, more)
}

/** One step in each tick, however much is left: strangers write threads, and each text is paid for. */
const none = (): number => 0

const stopped = Symbol('the process stops')
const lost = Symbol('the claim is lost')

/** A lane of items: no lane waits for another. */
interface Reading {
  turns: Turns
  places: SharedPlaces
}

class FairLibrarian implements Librarian {
  readonly #ports: Ports
  readonly #more: () => void
  /** Items that were sent do not wait for addresses, which may be slow to answer. */
  readonly #lanes: readonly Reading[]
  readonly #embedder: Embedder
  readonly #threads: ThreadEmbedder
  readonly #stopping = new AbortController()
  readonly #active = new Set<Promise<void>>()
  /** Work that goes on along with the reading, each kind once at a time. */
  readonly #chores = new Map<string, Promise<void>>()

  constructor(ports: Ports, more: () => void) {
    this.#ports = ports
    this.#more = more
    const lane = (name: Lane): Reading => ({
      turns: new Turns(ports, name),
      places: new SharedPlaces(readAtOnce),
    })
    this.#lanes = [lane('sent'), lane('fetched')]
    this.#embedder = new Embedder(ports)
    this.#threads = new ThreadEmbedder(ports)
  }

  async tick(): Promise<number> {
    const { signal } = this.#stopping
    if (signal.aborted) return 0
    const times = await timesOf(this.#ports)
    await refreshDue(this.#ports, times.now)
    this.#goOn('purge', () => purgeRemains(this.#ports))
    this.#goOn('embed', () => this.#embedder.embedSome(signal))
    this.#goOn('embed threads', () => this.#threads.embedSome(signal).then(none))
    let taken = 0
    for (const lane of this.#lanes) taken += await this.#fill(lane, times)
    return taken
  }

  /** Takes what there is room for, first of accounts of which nothing is being read. */
  async #fill({ turns, places }: Reading, times: Times): Promise<number> {
    let taken = 0
    while (places.isOpen && !this.#stopping.signal.aborted) {
      let item = await turns.next(times, places.isFirstOf)
      if (!item && places.hasSpare) item = await turns.next(times, places.isOneMoreOf)
      if (!item) return taken
      taken += 1
      this.#start(item, places.take(item.owner_id))
    }
    return taken
  }

  async stop(): Promise<void> {
    this.#stopping.abort(stopped)
    await Promise.all([...this.#active, ...this.#chores.values()])
  }

  /** Repeats the work until there is nothing left to do. */
  #goOn(name: string, work: () => Promise<number>): void {
    if (this.#chores.has(name)) return
    const all = async (): Promise<void> => {
      while (!this.#stopping.signal.aborted && (await work()) > 0);
    }
    const going = all()
      .catch((cause: unknown) => {
        if (this.#stopping.signal.aborted) return
        this.#ports.log.error('work on knowledge failed', { work: name, cause })
      })
      .finally(() => this.#chores.delete(name))
    this.#chores.set(name, going)
  }

  #start(item: StoredItem, leave: () => void): void {
    const reading = this.#read(item)
      .catch((cause: unknown) => {
        // It comes due again when its lease runs out.
        const fields = { item_id: item.id, cause }
        this.#ports.log.error('an item of knowledge could not be settled', fields)
      })
      .finally(() => {
        this.#active.delete(reading)
        leave()
        this.#more()
      })
    this.#active.add(reading)
  }

  async #read(item: StoredItem): Promise<void> {
    const leaving = new AbortController()
    const signal = AbortSignal.any([this.#stopping.signal, leaving.signal])
    const done = new AbortController()
    void this.#keepClaim(item, done.signal, leaving)
    try {
      await readItem(this.#ports, item, signal)
    } catch (cause) {
      if (signal.reason === stopped) return await handBack(this.#ports, item)
      if (signal.reason !== lost) throw cause
    } finally {
      done.abort(true)
    }
  }

  /** Gives signs of life while it is read; ends the reading when the claim is lost. */
  async #keepClaim(item: StoredItem, done: AbortSignal, leaving: AbortController): Promise<void> {
    for (;;) {
      await this.#ports.clock.sleep(beatSeconds * 1000, done).catch(() => undefined)
      if (done.aborted) return
      try {
        if (!(await keptOn(this.#ports, item))) leaving.abort(lost)
      } catch (cause) {
        this.#ports.log.warn('a claim could not be extended', { item_id: item.id, cause })
      }
    }
  }
}
