import { describe, expect, it } from 'vitest'
import { growthIn5Min, slopeOf, type Point } from './slope.ts'

const line = (count: number, value: (n: number) => number): Point[] =>
  Array.from({ length: count }, (_, n) => ({ at: n * 10, value: value(n) }))

describe('the growth of memory', () => {
  it('is none for what goes up and down around the same', () => {
    expect(
      growthIn5Min(
        line(60, (n) => 200 + (n % 2) * 8),
        0.3,
      ),
    ).toBeCloseTo(0)
  })

  it('is found in what leaks a little each time, in spite of some points far off', () => {
    const leak = line(60, (n) => 100 + n * 0.5 + (n % 20 === 0 ? 400 : 0))
    // 15 of some 120 in five minutes.
    expect(growthIn5Min(leak, 0.3)).toBeGreaterThan(10)
    expect(growthIn5Min(leak, 0.3)).toBeLessThan(15)
  })

  it('does not count what a start takes', () => {
    const started = line(60, (n) => Math.min(200, 100 + n * 10))
    expect(growthIn5Min(started, 0.3)).toBeCloseTo(0)
  })

  it('is no number where there are too few points', () => {
    expect(slopeOf(line(2, (n) => n))).toBeNaN()
    expect(growthIn5Min([], 0.3)).toBeNaN()
  })
})
