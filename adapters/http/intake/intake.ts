import type { Context } from 'koa'
import { callerName, type Caller } from '#src/core/admission/caller.ts'
import { siteOf } from '#src/core/admission/networks.ts'
import { anonymousBytesAtMost } from '#src/core/operation-facts.ts'
import { Budget, type Hold, type ShareName } from './budget.ts'
import { Incoming } from './incoming.ts'
import { jsonThread, type JsonThread } from './json-thread.ts'
import type { BodyBound } from './refusals.ts'

/** The limit of a body that its sender signs. */
export const signedBytesAtMost = 2 ** 20

/** How the body of one request is read. */
export interface Reading extends BodyBound {
  /** The hold that counts its bytes. */
  readonly hold: Hold
  /** Whose turn it is when a large body is parsed. */
  readonly sender: string
  readonly thread: JsonThread
}

/** The sender of a body, as far as the headers tell. */
export interface BodySender {
  caller: Caller | undefined
  /** It may carry a valid signature of its author. */
  isSigned?: boolean | undefined
  address: string
}

/** The intake of bodies: what they may hold together, and the thread that parses large ones. */
export class Intake {
  readonly #budget: Budget
  readonly #thread: JsonThread

  constructor(budget = new Budget(), thread = jsonThread()) {
    this.#budget = budget
    this.#thread = thread
  }

  /** Bytes of bodies in memory now. */
  get heldBytes(): number {
    return this.#budget.taken
  }

  /**
   * How a body of this sender is read. The caller must release the hold.
   * @param most the limit of the body's reader, in bytes
   */
  reading({ caller, isSigned = false, address }: BodySender, most: number): Reading {
    const isKnown = caller !== undefined && caller.kind !== 'anonymous'
    const share: ShareName = isKnown ? 'known' : isSigned ? 'signed' : 'anonymous'
    const sender = isKnown ? (caller.accountId ?? callerName(caller, address)) : siteOf(address)
    const bound = { known: most, signed: signedBytesAtMost, anonymous: anonymousBytesAtMost }[share]
    return {
      limit: Math.min(most, bound),
      isReduced: bound < most,
      hold: this.#budget.hold(share, sender),
      sender,
      thread: this.#thread,
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

/**
 * Whether the request is answered before its body has arrived completely; the rest is then not awaited.
 */
export function isCutShort({ req }: Context): boolean {
  if (req.complete) return false
  const { 'content-length': length, 'transfer-encoding': chunks } = req.headers
  return chunks !== undefined || Number(length ?? 0) > anonymousBytesAtMost
}

/** Whether the rest of the body is not read, so its sender is not awaited either. */
export function isCut({ req }: Context): boolean {
  return req instanceof Incoming && req.isCut
}

/** Drops the rest of this body: nothing reads it. */
export function leave({ req }: Context): void {
  if (req instanceof Incoming) req.leave()
}
