import { digest } from '../ids.ts'
import type { StoredBytes } from './stored-bytes.ts'

/** Of what an account may store, what others may leave with it beside that: all of them, and one. */
const shares = { all: 1 / 2, sender: 1 / 20 } as const

/** Which of the two is used up. */
export type Share = keyof typeof shares

/** How many of the runs that an account may have others may have beside them: one at least. */
export function runsOf(share: Share, limit: number): number {
  return Math.ceil(limit * shares[share])
}

/** Who leaves something with an account, as its bytes are counted: no name, and no address. */
export function senderKey(name: string): string {
  return digest(name).slice(0, 32)
}

/**
 * What others leave with accounts: messages, calls of hooks, chats and orders. It has room of its own,
 * so that no stranger can use up what an account stores itself, and none all that is there for strangers.
 */
export class Received {
  readonly #bytes: StoredBytes

  constructor(bytes: StoredBytes) {
    this.#bytes = bytes
  }

  /** How much there is room for. @param storable what the account may store itself */
  static limitOf(share: Share, storable: number): number {
    return Math.floor(storable * shares[share])
  }

  /**
   * Whether so many bytes more are too many.
   * @param storable what the account may store itself
   * @returns the share that they do not fit in, if there is one
   * @throws Unavailable
   */
  async lacks(
    accountId: string,
    sender: string,
    bytes: number,
    storable: number,
  ): Promise<Share | undefined> {
    if (storable === Infinity) return undefined
    const kept = await this.#bytes.of(senderId(accountId, sender))
    if (kept + bytes > Received.limitOf('sender', storable)) return 'sender'
    const all = await this.#bytes.of(allId(accountId))
    return all + bytes > Received.limitOf('all', storable) ? 'all' : undefined
  }

  /** Counts so many bytes more, or less. */
  add(accountId: string, sender: string, bytes: number): void {
    this.#bytes.add(allId(accountId), bytes)
    this.#bytes.add(senderId(accountId, sender), bytes)
  }

  /** What others have left with an account. @throws Unavailable */
  async of(accountId: string): Promise<number> {
    return Math.max(0, await this.#bytes.of(allId(accountId)))
  }
}

function allId(accountId: string): string {
  return `${accountId}/received`
}

function senderId(accountId: string, sender: string): string {
  return `${accountId}/from/${sender}`
}
