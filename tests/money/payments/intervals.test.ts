import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterIntervals } from '#adapters/payments/test/interval.ts'

const end = (start: string, interval: 'day' | 'week' | 'month' | 'year', count: number) =>
  afterIntervals(new Date(start), interval, count).toISOString()

describe('intervals', () => {
  it('have the length that they are called by', () => {
    expect(end('2026-03-01T12:00:00.000Z', 'day', 3)).toBe('2026-03-04T12:00:00.000Z')
    expect(end('2026-12-30T12:00:00.000Z', 'week', 1)).toBe('2027-01-06T12:00:00.000Z')
    expect(end('2026-12-15T12:00:00.000Z', 'month', 2)).toBe('2027-02-15T12:00:00.000Z')
    expect(end('2028-02-29T12:00:00.000Z', 'year', 4)).toBe('2032-02-29T12:00:00.000Z')
  })

  it('end with the last day of a month that lacks theirs, and later have it again', () => {
    const ends = [1, 2, 3].map((count) => end('2026-01-31T23:59:59.999Z', 'month', count))
    expect(ends.map((text) => text.slice(0, 10))).toEqual([
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
    ])
    expect(end('2028-02-29T00:00:00.000Z', 'year', 1)).toBe('2029-02-28T00:00:00.000Z')
  })

  it('follow one another without a gap, each later than the one before', () => {
    const starts = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    })
    const intervals = fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year')
    fc.assert(
      fc.property(starts, intervals, fc.integer({ min: 0, max: 600 }), (start, interval, count) => {
        const [one, next] = [count, count + 1].map((n) => afterIntervals(start, interval, n))
        const days = ((next?.getTime() ?? 0) - (one?.getTime() ?? 0)) / 86_400_000
        const least = { day: 1, week: 7, month: 28, year: 365 }[interval]
        const most = { day: 1, week: 7, month: 31, year: 366 }[interval]
        expect(days).toBeGreaterThanOrEqual(least)
        expect(days).toBeLessThanOrEqual(most)
      }),
    )
  })
})
