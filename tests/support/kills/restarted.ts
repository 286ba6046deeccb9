import { setTimeout as pause } from 'node:timers/promises'
import type { ServerProcess } from '#tests/support/process.ts'

/** A server that is killed and started again, and whose callers go on as soon as it listens. */
export class RestartedServer {
  readonly #start: () => Promise<ServerProcess>
  #listening: Promise<ServerProcess>
  #isOver = false

  /** Starts it. */
  constructor(start: () => Promise<ServerProcess>) {
    this.#start = start
    this.#listening = start()
  }

  /**
   * Kills it, and starts another one.
   * @param between done before that one starts
   * @returns when the killed one was gone, as `performance.now()` tells it
   */
  async kill(between?: () => Promise<void> | undefined): Promise<number> {
    const killed = await this.#listening
    const { promise, resolve, reject } = Promise.withResolvers<ServerProcess>()
    // Before the signal: a call that it cuts off waits for the next process.
    this.#listening = promise
    await killed.end('SIGKILL')
    const killedAt = performance.now()
    await between?.()
    this.#start().then(resolve, reject)
    await promise
    return killedAt
  }

  /**
   * Repeats a call until a server answers it: one that was not killed meanwhile and is available.
   * Once the server has ended for good, no call is answered.
   */
  async answer<A extends { status: number }>(call: (url: string) => Promise<A>): Promise<A> {
    while (!this.#isOver) {
      const { url } = await this.#listening
      const answer = await call(url).catch(() => undefined)
      if (answer && answer.status !== 503) return answer
      await pause(5)
    }
    return new Promise(() => undefined)
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.#isOver = true
    await (await this.#listening).end(signal)
  }
}
