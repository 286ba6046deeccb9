import type { Clock } from '#src/ports/clock.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'

/** The rate limits by name; one that ends in `_all` counts all callers together. */
export type LimitName =
  | 'agent_claim'
  | 'agent_claim_all'
  | 'identities'
  | 'challenges'
  | 'anonymous_reads'
  | 'keyed_reads'
  | 'writes'
  | 'threads_new'
  | 'threads'
  | 'replies_new'
  | 'replies'
  | 'votes'
  | 'message_requests'
  | 'registrations'
  | 'invitations'
  | 'logins'
  | 'passwords'
  | 'known_emails'
  | 'mails'
  | 'notification_tests'
  | 'oauth'
  | 'oauth_clients'
  | 'oauth_requests'
  | 'device_codes'

/** At most `count` in each window of `seconds`. */
export interface Limit {
  count: number
  seconds: number
}

/** The limits in force; one that is absent does not limit. */
export type LimitTable = { readonly [N in LimitName]?: Limit }

/** How a limit stands after a request was counted. */
export interface LimitState extends Limit {
  name: string
  remaining: number
  /** Seconds until the window ends. */
  resetSeconds: number
  admitted: boolean
}

/** Tokens leased so far from one limit, for one subject, in one window. */
export interface LimitRow {
  id: string
  used: number
  ends_at: string
}

interface Bucket {
  id: string
  beginsAt: number
  endsAt: number
  tokens: number
  /** Credit given out in advance and not yet written to the row. */
  unsettled: number
  /** The value of the row when it was last read. */
  leased: number
  spent: boolean
  /** The limit's count at the last request. */
  count: number
  leasing: Promise<void> | undefined
}

/**
 * Counts requests against limits that all processes share. Tokens are leased in blocks from one row
 * for each limit, subject and window, so that most requests touch memory only. The first block of a
 * window is credit, settled with the first lease: a process that crashes may let one block pass
 * twice. A limit too small for that (a block under four) leases one by one and waits.
 */
export interface Limiter {
  take(name: string, limit: Limit, subject: string): LimitState | Promise<LimitState>
  /** The state of a limit that is known here to have no token left; takes none. */
  spent(name: string, limit: Limit, subject: string): LimitState | undefined
  /** Tokens used in the current window, by the shared row. */
  used(name: string, limit: Limit, subject: string): Promise<number>
  /** Writes what was given out on credit; called before a graceful stop. */
  settle(): Promise<void>
}

const bucketsAtMost = 100_000
const sweepMs = 10_000

/** A limiter on the rows of a store. */
export function limiter(store: Store, clock: Clock): Limiter {
  return new BlockLimiter(store, clock)
}

class BlockLimiter implements Limiter {
  readonly #store: Store
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()
  #sweptAt = 0

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  take(name: string, limit: Limit, subject: string): LimitState | Promise<LimitState> {
    const now = this.#clock.now().getTime()
    if (Math.abs(now - this.#sweptAt) > sweepMs) this.#sweep(now)
    const bucket = this.#bucket(name, limit, subject, now)
    const admitted = this.#takeNow(bucket, limit)
    if (admitted !== undefined) return this.#state(name, limit, bucket, now, admitted)
    return this.#takeLater(name, limit, bucket, now)
  }

  spent(name: string, limit: Limit, subject: string): LimitState | undefined {
    const now = this.#clock.now().getTime()
    const bucket = this.#buckets.get(`${name}:${subject}`)
    if (!bucket?.spent || bucket.tokens > 0 || !isOf(now, bucket)) return undefined
    return bucket.count < limit.count ? undefined : this.#state(name, limit, bucket, now, false)
  }

  async used(name: string, limit: Limit, subject: string): Promise<number> {
    const bucket = this.#bucket(name, limit, subject, this.#clock.now().getTime())
    const row = await this.#store.limits.get(bucket.id)
    const given = bucket.unsettled > 0 ? bucket.unsettled - bucket.tokens : -bucket.tokens
    return Math.max(0, (row?.used ?? 0) + given)
  }

  async settle(): Promise<void> {
    for (const bucket of this.#buckets.values()) {
      await bucket.leasing
      const given = bucket.unsettled - bucket.tokens
      if (given > 0) await this.#lease(bucket, { count: Infinity, seconds: 0 }, given)
      bucket.unsettled = 0
      bucket.tokens = 0
    }
  }

  #bucket(name: string, limit: Limit, subject: string, now: number): Bucket {
    const key = `${name}:${subject}`
    const known = this.#buckets.get(key)
    if (known && isOf(now, known)) {
      // A limit that has widened, as when an account is claimed, has room where the narrower had none.
      if (limit.count > known.count) known.spent = false
      known.count = limit.count
      return known
    }
    const windowMs = limit.seconds * 1000
    const window = Math.floor(now / windowMs)
    const block = blockOf(limit)
    const credit = isStrict(limit) ? 0 : block
    const bucket: Bucket = {
      id: `${key}:${window}`,
      beginsAt: window * windowMs,
      endsAt: (window + 1) * windowMs,
      tokens: credit,
      unsettled: credit,
      leased: 0,
      spent: false,
      count: limit.count,
      leasing: undefined,
    }
    // Re-inserted, so that the first key of the map is always the oldest bucket.
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > bucketsAtMost) {
      const [oldest] = this.#buckets.keys()
      if (oldest !== undefined) this.#buckets.delete(oldest)
    }
    return bucket
  }

  /** Undefined when only a lease can tell. */
  #takeNow(bucket: Bucket, limit: Limit): boolean | undefined {
    if (bucket.tokens > 0) {
      bucket.tokens -= 1
      const low = bucket.tokens <= blockOf(limit) / 2
      if (low && !bucket.spent && !bucket.leasing && !isStrict(limit)) {
        // The request does not wait for it; a failure shows at the next request that does.
        this.#startLease(bucket, limit).catch(() => undefined)
      }
      return true
    }
    return bucket.spent ? false : undefined
  }

  async #takeLater(name: string, limit: Limit, bucket: Bucket, now: number): Promise<LimitState> {
    for (;;) {
      await (bucket.leasing ?? this.#startLease(bucket, limit))
      const admitted = this.#takeNow(bucket, limit)
      if (admitted !== undefined) return this.#state(name, limit, bucket, now, admitted)
    }
  }

  #startLease(bucket: Bucket, limit: Limit): Promise<void> {
    const wanted = (isStrict(limit) ? 1 : blockOf(limit)) + bucket.unsettled
    bucket.leasing = this.#lease(bucket, limit, wanted).finally(() => {
      bucket.leasing = undefined
    })
    return bucket.leasing
  }

  async #lease(bucket: Bucket, limit: Limit, wanted: number): Promise<void> {
    let count = wanted
    for (;;) {
      const row =
        count > 0
          ? await this.#store.limits.update(
              { id: bucket.id, used: { $lte: limit.count - count } },
              { $inc: { used: count } },
              { lazy: bucket.tokens > 0 },
            )
          : undefined
      if (row) return this.#granted(bucket, wanted, count, row.used)
      const seen = await this.#store.limits.get(bucket.id)
      if (!seen) {
        if (await this.#insert(bucket, Math.min(count, limit.count))) {
          const granted = Math.min(count, limit.count)
          return this.#granted(bucket, wanted, granted, granted)
        }
        continue
      }
      count = Math.min(wanted, limit.count - seen.used)
      if (count <= 0) return this.#granted(bucket, wanted, 0, seen.used)
    }
  }

  async #insert(bucket: Bucket, used: number): Promise<boolean> {
    try {
      const row = { id: bucket.id, used, ends_at: new Date(bucket.endsAt).toISOString() }
      await this.#store.limits.insert(row, { lazy: bucket.tokens > 0 })
      return true
    } catch (cause) {
      if (cause instanceof DuplicateKey) return false
      throw cause
    }
  }

  #granted(bucket: Bucket, wanted: number, granted: number, used: number): void {
    // If the row had no room for the credit, the rest of it is taken back.
    bucket.tokens = Math.max(0, bucket.tokens + granted - bucket.unsettled)
    bucket.unsettled = 0
    bucket.leased = used
    bucket.spent = granted < wanted
  }

  #state(name: string, limit: Limit, bucket: Bucket, now: number, admitted: boolean): LimitState {
    const free = limit.count - Math.max(bucket.leased, bucket.unsettled)
    return {
      name,
      ...limit,
      remaining: Math.max(0, (bucket.spent ? 0 : free) + bucket.tokens),
      resetSeconds: Math.max(1, Math.ceil((bucket.endsAt - now) / 1000)),
      admitted,
    }
  }

  #sweep(now: number): void {
    this.#sweptAt = now
    for (const [key, bucket] of this.#buckets) if (!isOf(now, bucket)) this.#buckets.delete(key)
  }
}

/** Whether its window is the current one: after the clock was set back it may lie in the future. */
function isOf(now: number, { beginsAt, endsAt }: Bucket): boolean {
  return beginsAt <= now && now < endsAt
}

function blockOf(limit: Limit): number {
  return Math.ceil(limit.count / 10)
}

function isStrict(limit: Limit): boolean {
  return blockOf(limit) < 4
}
