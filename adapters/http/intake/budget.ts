const mebibyte = 2 ** 20

/** What bodies on their way in hold together, in bytes: in all, and of one sender. */
interface Share {
  readonly all: number
  readonly each: number
}

/**
 * Whose bytes are held: of nobody who is known, by network; of those who sign what they send, by
 * network; of callers with a key, token or session, by account.
 */
const shares = {
  nobody: { all: 32 * mebibyte, each: 8 * mebibyte },
  signed: { all: 32 * mebibyte, each: 8 * mebibyte },
  // The largest form, ten files of 10 MB, has to fit into the share of one.
  known: { all: 192 * mebibyte, each: 128 * mebibyte },
} as const satisfies Record<string, Share>

/** One of the shares that are kept apart, so that none can use up another's. */
export type ShareName = keyof typeof shares

/** What one request holds. */
export interface Hold {
  /** Takes room for more bytes; false where there is none, and nothing was taken. */
  grow(bytes: number): boolean
  /** Gives everything back. */
  release(): void
}

/** Bytes of bodies that may be in memory at once; what has no room is told to come again. */
export class Budget {
  readonly #shares: Readonly<Record<ShareName, Share>>
  readonly #taken: Record<ShareName, number> = { nobody: 0, signed: 0, known: 0 }
  readonly #bySender = new Map<string, number>()

  constructor(given: Readonly<Record<ShareName, Share>> = shares) {
    this.#shares = given
  }

  /** Of all shares together, for whoever watches it. */
  get taken(): number {
    return this.#taken.nobody + this.#taken.signed + this.#taken.known
  }

  /** @param sender whose part of the share it is: an account or a network */
  hold(name: ShareName, sender: string): Hold {
    const key = `${name} ${sender}`
    let held = 0
    return {
      grow: (bytes) => {
        const own = (this.#bySender.get(key) ?? 0) + bytes
        const { all, each } = this.#shares[name]
        if (own > each || this.#taken[name] + bytes > all) return false
        this.#taken[name] += bytes
        this.#bySender.set(key, own)
        held += bytes
        return true
      },
      release: () => {
        if (held === 0) return
        this.#taken[name] -= held
        const left = (this.#bySender.get(key) ?? 0) - held
        if (left > 0) this.#bySender.set(key, left)
        else this.#bySender.delete(key)
        held = 0
      },
    }
  }
}
