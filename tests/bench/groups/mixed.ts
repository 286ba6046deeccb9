import { drive, type Load, type Subject } from '../load.ts'
import { median } from '../measure.ts'
import type { Pace } from '../rounds.ts'
import type { Result } from '../table/report.ts'

/** Writes on a server, and lists that load it at the same time. */
export interface Mixed {
  subject: Subject
  writes: Load
  lists: Load
}

/** The p99 of the writes of one server over that of the other, the median of the rounds. */
export async function mixed(one: Mixed, other: Mixed, pace: Pace): Promise<Result> {
  const found: [number[], number[]] = [[], []]
  for (let round = 0; round < pace.rounds; round++) {
    for (const [i, { subject, writes, lists }] of [one, other].entries()) {
      const [{ p99 }] = await Promise.all([
        drive(subject, writes, pace.slice),
        drive(subject, lists, pace.slice),
      ])
      found[i]?.push(p99)
    }
  }
  const [own, floor] = found
  const absolute = `${median(own).toFixed(1)} ms over ${median(floor).toFixed(1)} ms`
  return { value: median(own.map((p99, at) => p99 / (floor[at] ?? Number.NaN))), absolute }
}
