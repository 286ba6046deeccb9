import type { Clock } from '#src/ports/clock.ts'
import type { Store } from '#src/ports/store.ts'

/** One queue of an account: its own runs, those of others, those of one other, or those that paused tasks hold. */
export interface Queue {
  accountId: string
  of: 'own' | 'others' | 'held' | { sender: string }
}

/** The known state of a queue. */
interface Known {
  /** As last counted in the store. */
  counted: number
  /** Admitted since. */
  added: number
  countedAt: number
}

/** Accounts that are remembered; one that was forgotten may again admit a tenth. */
const accountsAtMost = 10_000
/** A full queue is counted at most this often, and so is one that takes long to count. */
const freshMs = 1000
const longFreshMs = 10_000
const longFrom = 10_000

/**
 * Admits runs to the queues of accounts. A queue is counted in the store after each tenth of its limit,
 * so that hardly any run costs a read; runs that ended meanwhile show at the next count. Each of several
 * processes may admit a tenth over the limit.
 */
export class QueuedRuns {
  readonly #store: Store
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #known = new Map<string, Known>()

  constructor(store: Store, clock: Pick<Clock, 'monotonic'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Whether one more may wait; asking counts it. */
  async admit(queue: Queue, limit: number): Promise<boolean> {
    const block = Math.max(1, Math.ceil(limit / 10))
    const key = keyOf(queue)
    let known = this.#known.get(key)
    if (!known) known = this.#remember(key, 0, Number.NEGATIVE_INFINITY)
    const isFull = known.counted + known.added >= limit
    const isDue = known.added >= block || (isFull && !this.#isFresh(known))
    if (isDue) known = await this.#count(queue)
    if (known.counted + known.added >= limit) return false
    known.added += 1
    return true
  }

  /** How many runs are in a queue; for long ones, as of the last seconds. */
  async count(queue: Queue): Promise<number> {
    const known = this.#known.get(keyOf(queue))
    const isKept = known && known.counted >= longFrom && this.#isFresh(known)
    const { counted, added } = isKept ? known : await this.#count(queue)
    return counted + added
  }

  #isFresh({ counted, countedAt }: Known): boolean {
    const age = this.#clock.monotonic() - countedAt
    return age < (counted < longFrom ? freshMs : longFreshMs)
  }

  async #count(queue: Queue): Promise<Known> {
    const { accountId, of } = queue
    const { runs } = this.#store
    const queued = { owner_id: accountId, status: 'queued' } as const
    const held = { owner_id: accountId, waits_for: 'resume' } as const
    const sender = typeof of === 'string' ? ({ $gt: '' } as const) : of.sender
    const heldOnes = typeof of === 'string' && of !== 'others' ? await runs.count(held) : 0
    const ofOthers = of === 'held' ? 0 : await runs.count({ ...queued, sender })
    // Held runs are in a queue of their own; those of others count in both.
    const heldOfOthers = of === 'own' && heldOnes > 0 ? await runs.count({ ...held, sender }) : 0
    const own = of === 'own' ? (await runs.count(queued)) - ofOthers - heldOnes + heldOfOthers : 0
    const counted = of === 'own' ? own : of === 'held' ? heldOnes : ofOthers
    return this.#remember(keyOf(queue), Math.max(0, counted), this.#clock.monotonic())
  }

  #remember(key: string, counted: number, countedAt: number): Known {
    const known = { counted, added: 0, countedAt }
    this.#known.delete(key)
    this.#known.set(key, known)
    if (this.#known.size > accountsAtMost) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest)
        break
      }
    }
    return known
  }
}

function keyOf({ accountId, of }: Queue): string {
  return typeof of === 'string' ? `${accountId}/${of}` : `${accountId}/from/${of.sender}`
}
