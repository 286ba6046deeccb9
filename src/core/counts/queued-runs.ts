import type { Clock } from '#src/ports/clock.ts'
import type { Store } from '#src/ports/store.ts'

/** A part of what waits for an account: its own runs, those of others, or those of one of them. */
export interface Queue {
  accountId: string
  of: 'own' | 'others' | { sender: string }
}

/** What is known of a queue. */
interface Known {
  /** As last counted in the store. */
  counted: number
  /** Admitted since. */
  added: number
  countedAt: number
}

/** Accounts that are remembered; one that was forgotten is admitted a tenth anew. */
const accountsAtMost = 10_000
/** How often the queue of an account is counted at most that is full, and one that takes its time. */
const freshMs = 1000
const longFreshMs = 10_000
const longFrom = 10_000

/**
 * Admits runs to the queues of accounts. They are counted in the store after each tenth of what may
 * wait, so that hardly any run costs a read; those that ended meanwhile are found at the next count.
 * Of several processes each may admit a tenth beyond.
 */
export class QueuedRuns {
  readonly #store: Store
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #known = new Map<string, Known>()

  constructor(store: Store, clock: Pick<Clock, 'monotonic'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Whether one more may wait; it is counted by being asked for. */
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

  /** How many of its own wait for the account: of many, as it was within the last seconds. */
  async count(accountId: string): Promise<number> {
    const queue = { accountId, of: 'own' } as const
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
    const sender = typeof of === 'string' ? ({ $gt: '' } as const) : of.sender
    const ofOthers = await runs.count({ ...queued, sender })
    const counted = of === 'own' ? (await runs.count(queued)) - ofOthers : ofOthers
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
