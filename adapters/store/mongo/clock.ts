/** How long a measured difference between the two clocks is trusted. */
const trustedMs = 10_000

/**
 * The server's clock, which all processes share. It is read at most every ten seconds; in between, the
 * time advances by this machine's monotonic clock, so that a step of its wall clock moves no lease. The
 * error is at most half a round trip plus the drift of ten seconds.
 */
export class ServerClock {
  readonly #ask: () => Promise<Date>
  #difference = 0
  #measuredAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined

  constructor(ask: () => Promise<Date>) {
    this.#ask = ask
  }

  async now(): Promise<Date> {
    if (performance.now() - this.#measuredAt > trustedMs) {
      this.#asking ??= this.#measure().finally(() => {
        this.#asking = undefined
      })
      await this.#asking
    }
    return new Date(performance.now() + this.#difference)
  }

  async #measure(): Promise<void> {
    const before = performance.now()
    const there = await this.#ask()
    const after = performance.now()
    this.#difference = there.getTime() - (before + after) / 2
    this.#measuredAt = after
  }
}
