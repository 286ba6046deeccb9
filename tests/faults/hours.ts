import type { Run } from '#src/runs/run.ts'
import type { Slot } from '#src/runs/schedules/slot.ts'
import type { MovedClock } from '#tests/support/clocks/moved.ts'
import { call } from '#tests/support/rest/call.ts'
import { until } from '#tests/support/until.ts'
import type { Figures } from './verdict.ts'
import { pages } from './writers.ts'

const hourMs = 3_600_000
/** How long after the hour it then is: what is later than ten minutes counts as missed. */
const pastMs = 60_000
/** A takeover from a killed process waits for its leases. */
const firesWithin = { seconds: 120, pauseMs: 50 }

/** Schedules that fire every hour, of a clock whose hours pass when it is told. */
export class Hours {
  readonly #clock: MovedClock
  readonly #key: string
  readonly #urls: () => readonly string[]
  readonly #agents: readonly string[]
  /** Hours of each agent of which the server has said that it missed them. */
  readonly #missed = new Map<string, Set<number>>()

  constructor(clock: MovedClock, key: string, urls: () => readonly string[], agents: number) {
    this.#clock = clock
    this.#key = key
    this.#urls = urls
    this.#agents = Array.from({ length: agents }, (_, i) => `hourly-${i}`)
  }

  async begin(): Promise<void> {
    const trigger = { type: 'cron', enabled: true, config: { cron: '0 * * * *' } }
    const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'x', triggers: [trigger] }
    for (const id of this.#agents) {
      await this.#ask('POST', '/api/characters/', { id, name: id, heart: { tasks: [task] } })
    }
  }

  /** Goes on to the next hour, with something that happens then, and waits until every schedule has fired. */
  async pass(during: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const now = this.#clock.now()
    const due = Math.floor(now / hourMs) * hourMs + hourMs
    this.#clock.move(due + pastMs - now)
    await during()
    await until(() => this.#haveFired(due), firesWithin)
  }

  /** How often each hour has fired: all of them from the first to the last of an agent. */
  async figures(): Promise<Figures> {
    const runs = await pages<Run>(this.#urls()[0] ?? '', this.#key, '/api/runs')
    const byAgent = Map.groupBy(
      runs.filter((run) => run.trigger.slot),
      (run) => run.char_id,
    )
    const totals = { slots: 0, slots_once: 0, slots_doubled: 0, slots_missing: 0 }
    for (const id of this.#agents) {
      const at = (byAgent.get(id) ?? []).map((run) => Date.parse(run.trigger.slot ?? ''))
      const told = slotsOf(at, this.#missed.get(id) ?? new Set())
      totals.slots += told.slots
      totals.slots_once += told.once
      totals.slots_doubled += told.doubled
      totals.slots_missing += told.missing
    }
    return totals
  }

  async #haveFired(due: number): Promise<boolean> {
    for (const id of this.#agents) {
      const path = `/api/characters/${id}/tasks/t/schedule`
      const schedule = await this.#ask<{ last: Slot[] }>('GET', path).catch(() => undefined)
      if (!schedule) return false
      this.#noteMissed(id, schedule.last)
      if (!schedule.last.some((slot) => Date.parse(slot.to ?? slot.at) >= due)) return false
    }
    return true
  }

  #noteMissed(id: string, slots: readonly Slot[]): void {
    const missed = this.#missed.get(id) ?? new Set()
    this.#missed.set(id, missed)
    for (const slot of slots.filter(({ status }) => status === 'skipped')) {
      const last = Date.parse(slot.to ?? slot.at)
      for (let at = Date.parse(slot.at); at <= last; at += hourMs) missed.add(at)
    }
  }

  #ask<T>(method: string, path: string, body?: object): Promise<T> {
    return call<T>(this.#urls()[0] ?? '', method, path, this.#key, body)
  }
}

/**
 * What fired of one schedule of every hour.
 * @param fired the times of its fires, in milliseconds, in any order
 * @param missed times that were told to be missed
 */
export function slotsOf(
  fired: readonly number[],
  missed: ReadonlySet<number>,
): { slots: number; once: number; doubled: number; missing: number } {
  if (fired.length === 0) return { slots: 0, once: 0, doubled: 0, missing: 1 }
  const times = new Map<number, number>()
  for (const at of fired) times.set(at, (times.get(at) ?? 0) + 1)
  const [first, last] = [Math.min(...fired), Math.max(...fired)]
  let missing = 0
  for (let at = first; at <= last; at += hourMs) {
    if (!times.has(at) && !missed.has(at)) missing += 1
  }
  const once = [...times.values()].filter((count) => count === 1).length
  return { slots: times.size, once, doubled: times.size - once, missing }
}
