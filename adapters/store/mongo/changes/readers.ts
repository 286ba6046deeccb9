import type { ChangeStore } from './change-store.ts'

/** How often a process shows that it lives, while there are others. */
const beatMs = 3_000
/** How long another may show no life. */
const silentMs = 10_000
/** For so long the last look at who is registered holds. */
export const heldMs = 2_000

/** The processes that are registered on the database, as this one knows them. */
export class Readers {
  readonly #store: ChangeStore
  readonly #origin: string
  #others = new Map<string, { beat: number; since: number }>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #beatAt = Number.NEGATIVE_INFINITY
  #isLooking = false
  #hasLost = false

  constructor(store: ChangeStore, origin: string) {
    this.#store = store
    this.#origin = origin
  }

  /** Whether there are others. */
  get hasOthers(): boolean {
    return this.#others.size > 0
  }

  /** Whether others may be told: without a recent look there may be some. */
  get isHeard(): boolean {
    const isRecent = performance.now() - this.#lookedAt < heldMs
    if (!isRecent && !this.#isLooking) void this.#lookSoon()
    return this.hasOthers || !isRecent
  }

  async #lookSoon(): Promise<void> {
    this.#isLooking = true
    // Where that fails, others count as there.
    await this.look().catch(() => undefined)
    this.#isLooking = false
  }

  /** Looks who is registered. @returns whether this process is */
  async look(): Promise<boolean> {
    const now = performance.now()
    const beats = new Map(await this.#store.readers())
    const isRegistered = beats.delete(this.#origin)
    if ([...this.#others.keys()].some((id) => !beats.has(id))) this.#hasLost = true
    const known = this.#others
    this.#others = new Map(
      [...beats].map(([id, beat]) => {
        const before = known.get(id)
        return [id, before?.beat === beat ? before : { beat, since: now }]
      }),
    )
    this.#lookedAt = now
    return isRegistered
  }

  /** Whether one that was registered is not any more, since this was asked last. */
  hasLost(): boolean {
    const hasLost = this.#hasLost
    this.#hasLost = false
    return hasLost
  }

  /** Registers this process. */
  async register(): Promise<void> {
    await this.#store.beat()
    this.#beatAt = performance.now()
  }

  /** Shows that this process lives, and drops others that have not for long. */
  async keepUp(): Promise<void> {
    const now = performance.now()
    if (!this.hasOthers || now - this.#beatAt < beatMs) return
    await this.register()
    for (const [id, { beat, since }] of this.#others) {
      if (now - since > silentMs) await this.#store.drop(id, beat)
    }
  }
}
