/** How long a window of limits may be. */
const lengths = [86_400, 70_000, 50_000]

/**
 * The seconds of a window of limits that does not end while a test goes on: windows begin at the
 * multiples of their length, and of these one is always far from its next.
 */
export function lastingWindow(): number {
  const now = Date.now() / 1000
  const left = (seconds: number): number => seconds - (now % seconds)
  return lengths.reduce((best, seconds) => (left(seconds) > left(best) ? seconds : best))
}
