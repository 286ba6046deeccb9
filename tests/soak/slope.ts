import { median } from '#tests/bench/measure.ts'

/** A figure at a time. */
export interface Point {
  /** In seconds. */
  at: number
  value: number
}

/**
 * How much a figure grows a second: the median of the slopes between any two points (Theil and Sen), which a few
 * points that lie far off do not move. NaN for fewer than three points.
 */
export function slopeOf(points: readonly Point[]): number {
  if (points.length < 3) return Number.NaN
  const slopes = points.flatMap((one, i) =>
    points.slice(i + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
  )
  return median(slopes.filter(Number.isFinite))
}

const fiveMinutes = 300

/** What came after the warm-up, which is that part of the time at its beginning, from 0 to 1. */
function afterWarmUp(points: readonly Point[], warmUp: number): Point[] {
  const end = points.at(-1)?.at ?? 0
  return points.filter(({ at }) => at >= end * warmUp)
}

/** By how much a figure grows in five minutes. @param warmUp the part of the time that does not count */
export function addedIn5Min(points: readonly Point[], warmUp: number): number {
  return slopeOf(afterWarmUp(points, warmUp)) * fiveMinutes
}

/** The same as percent of what the figure usually is. */
export function growthIn5Min(points: readonly Point[], warmUp: number): number {
  const usual = median(afterWarmUp(points, warmUp).map(({ value }) => value))
  return (addedIn5Min(points, warmUp) * 100) / usual
}
