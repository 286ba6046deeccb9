import type { Context } from 'koa'
import { callerName, type Caller } from '#src/core/admission/caller.ts'
import { siteOf } from '#src/core/admission/networks.ts'
import { nobodysBytesAtMost } from '#src/core/operation-facts.ts'
import { Budget, type Hold, type ShareName } from './budget.ts'
import { Incoming } from './incoming.ts'
import { jsonThread, type JsonThread } from './json-thread.ts'
import type { BodyBound } from './refusals.ts'

/** Bytes that a body may have whose sender signs it. */
export const signedBytesAtMost = 2 ** 20

/** How the body of one request is read. */
export interface Reading extends BodyBound {
  /** Where its bytes are counted. */
  readonly hold: Hold
  /** Whose turn it is where a large one is parsed. */
  readonly sender: string
  readonly thread: JsonThread
}

/** Who sends a body, as far as the headers tell. */
export interface BodySender {
  caller: Caller | undefined
  /** It may carry the signature of whoever makes what it brings. */
  isSigned?: boolean | undefined
  address: string
}

/** Where bodies come in: what they may hold together, and the thread that reads large ones. */
export class Intake {
  readonly #budget: Budget
  readonly #thread: JsonThread

  constructor(budget = new Budget(), thread = jsonThread()) {
    this.#budget = budget
    this.#thread = thread
  }

  /** Bytes of bodies that are in memory now. */
  get heldBytes(): number {
    return this.#budget.taken
  }

  /**
   * How a body of this sender is read. What is held for it is given back by whoever asked.
   * @param most bytes that its reader takes at all
   */
  reading({ caller, isSigned = false, address }: BodySender, most: number): Reading {
    const isKnown = caller !== undefined && caller.kind !== 'anonymous'
    const share: ShareName = isKnown ? 'known' : isSigned ? 'signed' : 'nobody'
    const sender = isKnown ? (caller.accountId ?? callerName(caller, address)) : siteOf(address)
    const bound = { known: most, signed: signedBytesAtMost, nobody: nobodysBytesAtMost }[share]
    return {
      limit: Math.min(most, bound),
      isNobodys: bound < most,
      hold: this.#budget.hold(share, sender),
      sender,
      thread: this.#thread,
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

/** Whether the request is answered before its body has come whole, which is then not waited for. */
export function isCutShort({ req }: Context): boolean {
  if (req.complete) return false
  const { 'content-length': length, 'transfer-encoding': chunks } = req.headers
  return chunks !== undefined || Number(length ?? 0) > nobodysBytesAtMost
}

/** Whether what still comes is not read, so that its sender is not waited for either. */
export function isCut({ req }: Context): boolean {
  return req instanceof Incoming && req.isCut
}

/** Nobody reads what still comes of this body: nothing is made of it. */
export function leave({ req }: Context): void {
  if (req instanceof Incoming) req.leave()
}
