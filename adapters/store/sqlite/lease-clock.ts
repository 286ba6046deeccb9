import type { Engine } from './engine.ts'
import { anchorNow, anchorOf, anchorText, holds, machineMs, type Anchor } from './machine-clock.ts'

/** The record that all processes on the database count from. */
const recordId = 'lease_clock'

/**
 * The time of leases on the embedded store: the wall clock when it was first read after the machine
 * started, and from then on the machine's own count. So it advances steadily when the wall clock is set
 * or the machine sleeps. The first process to read it writes the anchor that all count from.
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
    const known = await this.#engine.read('store.meta', () => () => this.#kept())
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
    // The stored document was written by this file.
    const anchor = row && anchorOf((JSON.parse(row[0]) as { value: string }).value)
    return anchor && holds(anchor) ? anchor : undefined
  }
}
