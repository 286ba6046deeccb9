import type { Price } from '#src/ports/payments.ts'

type Interval = NonNullable<Price['interval']>

/**
 * The end of so many intervals from a start. A month without the day ends on its last day, and later
 * months have the day again: each is counted from the start.
 */
export function afterIntervals(start: Date, interval: Interval, count: number): Date {
  const end = new Date(start)
  if (interval === 'day' || interval === 'week') {
    end.setUTCDate(end.getUTCDate() + count * (interval === 'week' ? 7 : 1))
    return end
  }
  const day = end.getUTCDate()
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + count * (interval === 'year' ? 12 : 1))
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(day, lastDay))
  return end
}
