const mebibyte = 2 ** 20

/** The bytes that bodies being received may hold together. */
interface Share {
  readonly all: number
  /** The limit of one sender. */
  readonly each: number
  /** The part that is kept for senders that hold little. */
  readonly reserve: number
  readonly little: number
}

/**
 * The shares: anonymous senders, counted by network; senders that sign what they send, by network;
 * callers with a key, token or session, by account.
 */
const shares = {
  anonymous: { all: 32 * mebibyte, each: 8 * mebibyte, reserve: 8 * mebibyte, little: 2 ** 17 },
  signed: { all: 32 * mebibyte, each: 8 * mebibyte, reserve: 8 * mebibyte, little: 2 ** 18 },
  // The largest form, ten files of 10 MB, must fit into what one sender may hold while others hold
  // nothing.
  known: { all: 192 * mebibyte, each: 128 * mebibyte, reserve: 32 * mebibyte, little: 2 ** 18 },
} as const satisfies Record<string, Share>

/** What each share has at least: the largest body of its senders must fit into it. */
const least = {
  anonymous: { all: 2 * mebibyte, each: mebibyte },
  signed: { all: 4 * mebibyte, each: 2 * mebibyte },
  known: { all: 160 * mebibyte, each: 104 * mebibyte },
} as const satisfies Record<string, Pick<Share, 'all' | 'each'>>
/** The part of a share that is then kept for senders that hold little. */
const leastReserve = 1 / 32

/** The shares in each of so many processes that serve together. */
export function sharesOf(processes: number): Readonly<Record<ShareName, Share>> {
  if (processes === 1) return shares
  const part = (name: ShareName): Share => {
    const { all, each, reserve, little } = shares[name]
    const own = Math.max(least[name].all, Math.floor(all / processes))
    return {
      all: own,
      each: Math.max(least[name].each, Math.floor(each / processes)),
      reserve: Math.min(Math.floor(reserve / processes), Math.floor(own * leastReserve)),
      little,
    }
  }
  return { anonymous: part('anonymous'), signed: part('signed'), known: part('known') }
}

/** A sender with more than `little` may hold at most this many times what is left for others. */
const timesLeft = 2
/** How long a body may pause, and how fast it must otherwise arrive, while others find no room. */
const pauseMs = 5_000
const bytesPerMs = 16

/** One of the separate shares, so that none can use up another's. */
export type ShareName = keyof typeof shares

/** What one request holds. */
export interface Hold {
  /** Reserves room for more bytes; false if there is none, and then nothing was reserved. */
  grow(bytes: number): boolean
  /**
   * Sets how the body is ended if it arrives slowly and others need its room.
   * @param end returns false if the body has arrived completely
   */
  givesWay(end: () => boolean): void
  /** Releases everything. */
  release(): void
}

/** What a share knows of a hold. */
interface Held {
  readonly sender: string
  bytes: number
  /** The time at which it counts as slow; each arriving byte postpones it. */
  slowAt: number
  end: () => boolean
}

/** Limits the bytes of bodies in memory at once; a body without room is asked to come back later. */
export class Budget {
  readonly #shares: Readonly<Record<ShareName, Share>>
  readonly #now: () => number
  readonly #taken: Record<ShareName, number> = { anonymous: 0, signed: 0, known: 0 }
  readonly #bySender: Readonly<Record<ShareName, Map<string, number>>> = {
    anonymous: new Map(),
    signed: new Map(),
    known: new Map(),
  }
  readonly #holds: Readonly<Record<ShareName, Set<Held>>> = {
    anonymous: new Set(),
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

  /** The total of all shares, for metrics. */
  get taken(): number {
    return this.#taken.anonymous + this.#taken.signed + this.#taken.known
  }

  /** @param sender the account or network whose part of the share it is */
  hold(name: ShareName, sender: string): Hold {
    const slowAt = this.#now() + pauseMs
    const held: Held = { sender, bytes: 0, slowAt, end: () => false }
    return {
      grow: (bytes) => {
        const now = this.#now()
        if (!this.#fits(name, sender, bytes) && !this.#makeRoom(name, held, bytes)) return false
        this.#taken[name] += bytes
        this.#bySender[name].set(sender, this.#of(name, sender) + bytes)
        held.bytes += bytes
        // Fast arrival earns no credit for a longer pause.
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

  #of(name: ShareName, sender: string): number {
    return this.#bySender[name].get(sender) ?? 0
  }

  #fits(name: ShareName, sender: string, bytes: number): boolean {
    const { all, each, reserve, little } = this.#shares[name]
    const own = this.#of(name, sender) + bytes
    const left = all - this.#taken[name] - bytes
    if (own > each || left < 0) return false
    return own <= little || own <= timesLeft * (left - reserve)
  }

  /** Ends slow bodies, the slowest first, until there is room. */
  #makeRoom(name: ShareName, asking: Held, bytes: number): boolean {
    const now = this.#now()
    const slow = [...this.#holds[name]].filter((held) => held !== asking && held.slowAt < now)
    for (const held of slow.sort((a, b) => a.slowAt - b.slowAt)) {
      if (!held.end()) continue
      this.#release(name, held)
      if (this.#fits(name, asking.sender, bytes)) return true
    }
    return false
  }

  #release(name: ShareName, held: Held): void {
    this.#holds[name].delete(held)
    this.#taken[name] -= held.bytes
    const left = this.#of(name, held.sender) - held.bytes
    if (left > 0) this.#bySender[name].set(held.sender, left)
    else this.#bySender[name].delete(held.sender)
    held.bytes = 0
  }
}
