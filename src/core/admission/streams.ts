import type { Caller } from './caller.ts'
import { Refusal } from '../errors.ts'

/** How many streams and waits may be open at once. */
export interface StreamBounds {
  /** Of all together; and of all unclaimed accounts together, so that places are left for the others. */
  readonly all: number
  readonly unclaimed: number
  /** Of all unclaimed accounts at one address. */
  readonly address: number
  /** So many an account may always have, however many its address has, while there is room in all. */
  readonly always: number
  readonly account: { readonly claimed: number; readonly unclaimed: number }
  /** Of one key, session or token. */
  readonly credential: { readonly claimed: number; readonly unclaimed: number }
}

/** Each takes a connection, of which at most ten thousand are open. */
export const streamBounds: StreamBounds = {
  all: 5000,
  unclaimed: 4000,
  address: 1000,
  always: 10,
  account: { claimed: 1000, unclaimed: 200 },
  credential: { claimed: 500, unclaimed: 100 },
}

/**
 * The bounds in each of so many processes that serve together. Each leaves an account some, because its
 * connections need not spread evenly.
 */
export function streamBoundsOf(processes: number): StreamBounds {
  const { all, unclaimed, address, always, account, credential } = streamBounds
  const part = (most: number): number => Math.max(always, Math.floor(most / processes))
  const parts = (most: StreamBounds['account']) => ({
    claimed: part(most.claimed),
    unclaimed: part(most.unclaimed),
  })
  return {
    all: part(all),
    unclaimed: part(unclaimed),
    address: part(address),
    always,
    account: parts(account),
    credential: parts(credential),
  }
}

/** A stream ends after this time; its reader may resume it where it stopped. */
export const streamMilliseconds = 30 * 60_000

const retryAfterSeconds = 10

/** The holder of a stream, by which it is counted. */
export interface StreamHolder {
  caller: Caller
  address: string
}

/** Calls that stay open: streams of events, waits for a run, subscriptions. */
export class Streams {
  readonly #bounds: StreamBounds
  readonly #open = new Map<string, number>()

  constructor(bounds: StreamBounds = streamBounds) {
    this.#bounds = bounds
  }

  /** How many are open now. */
  get size(): number {
    return this.#open.get('all') ?? 0
  }

  /**
   * Opens one, and returns the function that ends it.
   * @throws Refusal `rate_limited`
   */
  open({ caller, address }: StreamHolder): () => void {
    const counted = this.#counted(caller, address)
    const full = counted.find(([key, most]) => (this.#open.get(key) ?? 0) >= most)
    if (full) throw tooMany(full[1])
    for (const [key] of counted) this.#open.set(key, (this.#open.get(key) ?? 0) + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      for (const [key] of counted) {
        const left = (this.#open.get(key) ?? 0) - 1
        if (left > 0) this.#open.set(key, left)
        else this.#open.delete(key)
      }
    }
  }

  /** What a stream counts for, and the limit of each. */
  #counted(caller: Caller, address: string): [string, number][] {
    const { all, unclaimed, address: each, always, account, credential } = this.#bounds
    const isClaimed = caller.kind === 'key' && caller.claimed
    const kind = isClaimed ? 'claimed' : 'unclaimed'
    const counted: [string, number][] = [['all', all]]
    if (!isClaimed) {
      const own = this.#open.get(`account ${caller.subject}`) ?? 0
      const isSure = caller.kind === 'key' && own < always
      counted.push(['unclaimed', unclaimed], [`address ${address}`, isSure ? Infinity : each])
    }
    if (caller.subject !== undefined) counted.push([`account ${caller.subject}`, account[kind]])
    const id = credentialOf(caller)
    if (id !== undefined) counted.push([`credential ${id}`, credential[kind]])
    return counted
  }
}

function credentialOf(caller: Caller): string | undefined {
  if (caller.kind === 'anonymous') return undefined
  if (caller.kind === 'member') return caller.keyId ?? caller.tokenId
  return caller.kind === 'handle' ? caller.tokenId : caller.keyId
}

function tooMany(most: number): Refusal {
  return new Refusal('rate_limited', `More than ${most} streams and waits are open at once.`, {
    retryAfterSeconds,
    hint: 'Close one that is no longer read: one stream has all events of its run.',
  })
}
