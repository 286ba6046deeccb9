const mebibyte = 2 ** 20

/** What bodies on their way in hold together, in bytes. */
interface Share {
  readonly all: number
  /** Of one sender. */
  readonly each: number
  /** The part of it that is kept for senders who hold little. */
  readonly reserve: number
  readonly little: number
}

/**
 * Whose bytes are held: of nobody who is known, by network; of those who sign what they send, by
 * network; of callers with a key, token or session, by account.
 */
const shares = {
  nobody: { all: 32 * mebibyte, each: 8 * mebibyte, reserve: 8 * mebibyte, little: 2 ** 17 },
  signed: { all: 32 * mebibyte, each: 8 * mebibyte, reserve: 8 * mebibyte, little: 2 ** 18 },
  // The largest form, ten files of 10 MB, has to fit into what one may hold where others hold nothing.
  known: { all: 192 * mebibyte, each: 128 * mebibyte, reserve: 32 * mebibyte, little: 2 ** 18 },
} as const satisfies Record<string, Share>

/** Whoever holds more than a little may hold so many times what is left to others. */
const timesLeft = 2
/** How long a body may pause, and how fast it has to come else, while others find no room. */
const pauseMs = 5_000
const bytesPerMs = 16

/** One of the shares that are kept apart, so that none can use up another's. */
export type ShareName = keyof typeof shares

/** What one request holds. */
export interface Hold {
  /** Takes room for more bytes; false where there is none, and nothing was taken. */
  grow(bytes: number): boolean
  /**
   * Says how the body is ended where it comes slowly and others need its room.
   * @param end false where it has come whole
   */
  givesWay(end: () => boolean): void
  /** Gives everything back. */
  release(): void
}

/** What is known of a hold in its share. */
interface Held {
  readonly key: string
  bytes: number
  /** When it counts as slow; each byte that comes puts it off. */
  slowAt: number
  end: () => boolean
}

/** Bytes of bodies that may be in memory at once; what has no room is told to come again. */
export class Budget {
  readonly #shares: Readonly<Record<ShareName, Share>>
  readonly #now: () => number
  readonly #taken: Record<ShareName, number> = { nobody: 0, signed: 0, known: 0 }
  readonly #bySender = new Map<string, number>()
  readonly #holds: Readonly<Record<ShareName, Set<Held>>> = {
    nobody: new Set(),
    signed: new Set(),
    known: new Set(),
  }

  constructor(
    given: Readonly<Record<ShareName, Share>> = shares,
    now: () => number = () => performance.now(),
  ) {
    this.#shares = given
    this.#now = now
  }

  /** Of all shares together, for whoever watches it. */
  get taken(): number {
    return this.#taken.nobody + this.#taken.signed + this.#taken.known
  }

  /** @param sender whose part of the share it is: an account or a network */
  hold(name: ShareName, sender: string): Hold {
    const slowAt = this.#now() + pauseMs
    const held: Held = { key: `${name} ${sender}`, bytes: 0, slowAt, end: () => false }
    return {
      grow: (bytes) => {
        const now = this.#now()
        if (!this.#fits(name, held.key, bytes) && !this.#makeRoom(name, held, bytes)) return false
        this.#taken[name] += bytes
        this.#bySender.set(held.key, this.#of(held.key) + bytes)
        held.bytes += bytes
        // What comes fast does not save up for a longer pause.
        held.slowAt = Math.min(now + pauseMs, held.slowAt + bytes / bytesPerMs)
        this.#holds[name].add(held)
        return true
      },
      givesWay: (end) => {
        held.end = end
      },
      release: () => this.#release(name, held),
    }
  }

  #of(key: string): number {
    return this.#bySender.get(key) ?? 0
  }

  #fits(name: ShareName, key: string, bytes: number): boolean {
    const { all, each, reserve, little } = this.#shares[name]
    const own = this.#of(key) + bytes
    const left = all - this.#taken[name] - bytes
    if (own > each || left < 0) return false
    return own <= little || own <= timesLeft * (left - reserve)
  }

  /** Ends what comes slowly, the slowest first, until there is room. */
  #makeRoom(name: ShareName, asking: Held, bytes: number): boolean {
    const now = this.#now()
    const slow = [...this.#holds[name]].filter((held) => held !== asking && held.slowAt < now)
    for (const held of slow.sort((a, b) => a.slowAt - b.slowAt)) {
      if (!held.end()) continue
      this.#release(name, held)
      if (this.#fits(name, asking.key, bytes)) return true
    }
    return false
  }

  #release(name: ShareName, held: Held): void {
    this.#holds[name].delete(held)
    this.#taken[name] -= held.bytes
    const left = this.#of(held.key) - held.bytes
    if (left > 0) this.#bySender.set(held.key, left)
    else this.#bySender.delete(held.key)
    held.bytes = 0
  }
}
