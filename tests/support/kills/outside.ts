import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Tally } from './tally.ts'

/** No answer comes sooner: a kill within this time after an ask comes while it is under way. */
const soonestMs = 100
/** The longest that a test waits from an event to its kill, so that kills land anywhere in the work. */
export const longestPauseMs = 40

/** What is asked of the address outside. */
export interface Ask {
  /** The run, which its idempotency key names. */
  id: string
  path: string
  body: string
}

/** Undefined where no answer ever comes. */
export type Answer = { status: number; text: string } | undefined

/** An address outside that does the work of runs, slowly, and tells how often it was asked. */
export class Outside {
  readonly asks = new Tally()
  readonly #longestMs: number
  readonly #answer: (ask: Ask) => Answer
  readonly #server = createServer((request, response) => {
    // The process that asked may be killed meanwhile.
    this.#serve(request, response).catch(() => response.destroy())
  })
  #underWay = 0

  /** @param answer called with each ask when it comes */
  constructor(longestMs: number, answer: (ask: Ask) => Answer) {
    this.#longestMs = longestMs
    this.#answer = answer
  }

  get url(): string {
    // A server that listens on TCP has an address with a port.
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}`
  }

  /** How many wait for an answer now. */
  get underWay(): number {
    return this.#underWay
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const id = String(request.headers['idempotency-key'])
    const answer = this.#answer({ id, path: request.url ?? '/', body })
    this.#underWay += 1
    response.once('close', () => (this.#underWay -= 1))
    if (answer) {
      response.statusCode = answer.status
      const milliseconds = soonestMs + Math.random() * (this.#longestMs - soonestMs)
      setTimeout(() => response.end(answer.text), milliseconds)
    }
    this.asks.add()
  }
}
