import type { Caller } from './caller.ts'
import { Refusal } from '../errors.ts'

/** How many streams and waits may be open at once. */
export interface StreamBounds {
  /** Of all together; and of all whose account nobody has claimed, so that the others keep places. */
  readonly all: number
  readonly unclaimed: number
  /** Of all from one address whose account nobody has claimed. */
  readonly address: number
  /** So many an account has whatever others at its address hold, while there is room in all. */
  readonly always: number
  readonly account: { readonly claimed: number; readonly unclaimed: number }
  /** Of one key, session or token. */
  readonly credential: { readonly claimed: number; readonly unclaimed: number }
}

/** A connection each: ten thousand are open at most. */
export const streamBounds: StreamBounds = {
  all: 5000,
  unclaimed: 4000,
  address: 1000,
  always: 10,
  account: { claimed: 1000, unclaimed: 200 },
  credential: { claimed: 500, unclaimed: 100 },
}

/** A stream ends after that, and may be taken up again where it was left. */
export const streamMilliseconds = 30 * 60_000

const retryAfterSeconds = 10

/** Who holds a stream, as it is counted. */
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
   * Opens one, and gives how to end it.
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

  /** What one counts for, and how many of that there may be. */
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
    hint: 'End one that is not read any more: one stream tells all events of its run.',
  })
}
