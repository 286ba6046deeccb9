import { least, most, none, type Figures, type Goal } from '#tests/faults/verdict.ts'
import type { Caller } from './callers.ts'
import { addedIn5Min, growthIn5Min, type Point } from './slope.ts'
import type { Sample } from './subject.ts'

/** What was seen of a server that was used for a while. */
export interface Seen {
  samples: (Sample & { at: number })[]
  callers: readonly Caller[]
  /** Its last page of metrics. */
  page: string
  /** Fires of schedules: those that were due, and how often they came. */
  fires: { due: number; once: number; doubled: number }
  /** How it ended when it was told to. */
  exit: number | null
  /** Its log. */
  lines: readonly string[]
}

/** The part of the time in which caches fill and code is compiled. */
const warmUp = 0.4

export const goals: readonly Goal[] = [
  none('failed'),
  none('answers_5xx'),
  none('errors_logged'),
  none('exit'),
  most('rss_growth_percent', 5),
  most('heap_growth_percent', 5),
  most('rss_peak_mb', 400),
  most('handles_growth', 10),
  most('log_peak_mb', 64),
  least('callers_at_work', 6),
  none('fires_missing'),
  none('fires_doubled'),
]

/** What it came to. Growth is that of five minutes, after the warm-up, and of the heap after garbage was collected. */
export function figuresOf({ samples, callers, page, fires, exit, lines }: Seen): Figures {
  const points = (member: keyof Sample): Point[] =>
    samples.map((sample) => ({ at: sample.at, value: sample[member] }))
  const peak = (member: keyof Sample): number => Math.max(...samples.map((one) => one[member]))
  const turns = callers.reduce((sum, { done }) => sum + done, 0)
  return {
    turns,
    failed: callers.reduce((sum, { failed }) => sum + failed, 0),
    callers_at_work: callers.filter(({ done }) => done > 0).length,
    requests: sumOf(page, /^abode_requests_total\{[^}]*\} (\S+)$/gm),
    answers_5xx: sumOf(page, /^abode_requests_total\{[^}]*outcome="failed"[^}]*\} (\S+)$/gm),
    fires_once: fires.once,
    fires_missing: fires.due - fires.once - fires.doubled,
    fires_doubled: fires.doubled,
    errors_logged: lines.filter((line) => line.includes('"level":"error"')).length,
    exit: exit ?? Number.NaN,
    rss_growth_percent: growthIn5Min(points('rssMb'), warmUp),
    heap_growth_percent: growthIn5Min(points('heapMb'), warmUp),
    handles_growth: addedIn5Min(points('handles'), warmUp),
    rss_peak_mb: peak('rssMb'),
    heap_last_mb: samples.at(-1)?.heapMb ?? Number.NaN,
    external_last_mb: samples.at(-1)?.externalMb ?? Number.NaN,
    handles_last: samples.at(-1)?.handles ?? Number.NaN,
    store_mb: samples.at(-1)?.storeMb ?? Number.NaN,
    store_bytes_a_turn: ((samples.at(-1)?.storeMb ?? Number.NaN) * 1024 * 1024) / turns,
    log_peak_mb: peak('logMb'),
  }
}

function sumOf(page: string, figure: RegExp): number {
  return [...page.matchAll(figure)].reduce((sum, [, value]) => sum + Number(value), 0)
}
