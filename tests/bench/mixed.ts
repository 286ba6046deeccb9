import { drive, type Load, type Subject } from './load.ts'
import { median } from './measure.ts'
import type { Pace } from './rounds.ts'

/** Writes on a server, and lists that load it at the same time. */
export interface Mixed {
  subject: Subject
  writes: Load
  lists: Load
}

/** The p99 of the writes in milliseconds, the median of the rounds, for each of two servers in turn. */
export async function mixed(one: Mixed, other: Mixed, pace: Pace): Promise<[number, number]> {
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
  return [median(found[0]), median(found[1])]
}
