import { digest } from '../ids.ts'
import type { StoredBytes } from './stored-bytes.ts'

/** The parts of an account's storage limit that others may use in addition to it: all together, and each. */
const shares = { all: 1 / 2, sender: 1 / 20 } as const

/** Which of the two shares is used up. */
export type Share = keyof typeof shares

/** How many runs others may have in addition to the account's own, of its limit; at least one. */
export function runsOf(share: Share, limit: number): number {
  return Math.ceil(limit * shares[share])
}

/** A sender as its bytes are counted: contains no name and no address. */
export function senderKey(name: string): string {
  return digest(name).slice(0, 32)
}

/**
 * What others leave with accounts: messages, calls of hooks, chats and orders. It has a limit of its own,
 * so that no stranger can use up the account's own storage, and none can use up the room of the others.
 */
export class Received {
  readonly #bytes: StoredBytes

  constructor(bytes: StoredBytes) {
    this.#bytes = bytes
  }

  /** The limit of a share in bytes. @param storable what the account itself may store */
  static limitOf(share: Share, storable: number): number {
    return Math.floor(storable * shares[share])
  }

  /**
   * Whether so many more bytes are too many.
   * @param storable what the account itself may store
   * @returns the share that has no room for them, if there is one
   * @throws Unavailable
   */
  async lacks(
    accountId: string,
    sender: string,
    bytes: number,
    storable: number,
  ): Promise<Share | undefined> {
    if (storable === Infinity) return undefined
    const parts = { sender: senderId(accountId, sender), all: allId(accountId) } as const
    for (const share of ['sender', 'all'] as const) {
      const most = Received.limitOf(share, storable) - bytes
      if (await this.#bytes.reaches(parts[share], most + 1)) return share
    }
    return undefined
  }

  /** Counts so many bytes more, or fewer. */
  add(accountId: string, sender: string, bytes: number): void {
    this.#bytes.add(allId(accountId), bytes)
    this.#bytes.add(senderId(accountId, sender), bytes)
  }

  /** Bytes that others have left with an account. @throws Unavailable */
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
