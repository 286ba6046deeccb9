import type { Engine } from './engine.ts'
import { anchorNow, anchorOf, anchorText, holds, machineMs, type Anchor } from './machine-clock.ts'

/** The record that all processes on the database count from. */
const recordId = 'lease_clock'

/**
 * The time of leases on the embedded store: the wall clock as it stood when somebody first asked
 * since the machine was started, and from there on the machine's own count. So it goes on where the
 * wall clock is set, or the machine sleeps. Whoever asks first writes what all count from.
 */
export class MachineClock {
  readonly #engine: Engine
  #shift: number | undefined
  #asking: Promise<number> | undefined

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async now(): Promise<Date> {
    this.#shift ??= await (this.#asking ??= this.#agree().finally(() => {
      this.#asking = undefined
    }))
    return new Date(machineMs() + this.#shift)
  }

  async #agree(): Promise<number> {
    const known = await this.#engine.read(() => this.#kept())
    if (known) return known.shift
    return this.#engine.write(() => {
      // Another process may have been quicker.
      const there = this.#kept()
      if (there) return there.shift
      const anchor = anchorNow()
      const doc = JSON.stringify({ id: recordId, value: anchorText(anchor) })
      const sql = 'INSERT OR REPLACE INTO "meta" (id, doc) VALUES (?, ?)'
      this.#engine.statement(sql).run(recordId, doc)
      return anchor.shift
    })
  }

  #kept(): Anchor | undefined {
    const sql = 'SELECT doc FROM "meta" WHERE id = ?'
    const row = this.#engine.statement(sql).get(recordId) as unknown as [string] | undefined
    // The stored document is ours.
    const anchor = row && anchorOf((JSON.parse(row[0]) as { value: string }).value)
    return anchor && holds(anchor) ? anchor : undefined
  }
}
