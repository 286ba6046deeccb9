import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The answers after which it is looked again how many connections they went to. */
const answersALook = 64
/** With fewer connections, a caller that gets its answer at once sends its next request meanwhile. */
const busyFrom = 8
/** An answer waits so long for others, and then for the end of what is being done. */
const heldMs = 1

/** The body of an answer, whole or in pieces. */
export type Body = string | Buffer | readonly Buffer[] | undefined

/**
 * Ends answers. With many connections at work, those of one turn of the event loop end one right after the
 * other: a write wakes the program that reads, such as a proxy on this machine, unless it is still awake from
 * the write before, and waking it costs more than everything else about a small answer in the kernel.
 */
export class Batch {
  /** The connections of the latest answers. */
  readonly #sockets = new Set<Socket | null>()
  #answers = 0
  #isBusy = false
  #held: { response: ServerResponse; body: Body }[] = []
  #since = 0
  readonly #endAll = (): void => {
    const held = this.#held
    this.#held = []
    for (const { response, body } of held) endWith(response, body)
  }

  /** Ends the answer with this body, now or at the end of the turn. */
  end(response: ServerResponse, body: Body): void {
    this.#look(response.socket)
    if (!this.#isBusy && this.#held.length === 0) {
      endWith(response, body)
      return
    }
    if (this.#held.push({ response, body }) === 1) {
      this.#since = performance.now()
      setImmediate(this.#endAll)
    } else if (performance.now() - this.#since > heldMs) this.#endAll()
  }

  #look(socket: Socket | null): void {
    this.#sockets.add(socket)
    this.#answers += 1
    if (this.#answers < answersALook) return
    this.#isBusy = this.#sockets.size >= busyFrom
    this.#answers = 0
    this.#sockets.clear()
  }
}

function endWith(response: ServerResponse, body: Body): void {
  if (!isInPieces(body)) {
    response.end(body)
    return
  }
  response.cork()
  for (const piece of body) response.write(piece)
  response.end()
}

/** Whether a body comes in pieces. */
export function isInPieces(body: Body): body is readonly Buffer[] {
  return Array.isArray(body)
}
