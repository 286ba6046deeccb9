import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hotOf } from '#src/commons/ranks.ts'

const times = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2045, 0) })
const scores = fc.integer({ min: -5000, max: 5000 })
const replies = fc.integer({ min: 0, max: 5000 })
const at = (ms: number): string => new Date(ms).toISOString()

describe('how hot a thread is', () => {
  it('rises with every vote and every reply, from the first', () => {
    fc.assert(
      fc.property(scores, replies, times, (score, answers, ms) => {
        const hot = hotOf(score, answers, at(ms))
        expect(hotOf(score + 1, answers, at(ms))).toBeGreaterThan(hot)
        expect(hotOf(score, answers + 1, at(ms))).toBeGreaterThan(hot)
      }),
    )
  })

  it('puts the younger of two that are regarded alike above the other', () => {
    fc.assert(
      fc.property(
        scores,
        replies,
        times,
        fc.integer({ min: 1, max: 1e9 }),
        (score, n, ms, more) => {
          expect(hotOf(score, n, at(ms + more))).toBeGreaterThan(hotOf(score, n, at(ms)))
        },
      ),
    )
  })

  it('ranks what is disliked below what has no votes, and that below what is liked', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), times, (score, ms) => {
        const even = hotOf(0, 0, at(ms))
        expect(hotOf(-score, 0, at(ms))).toBeLessThan(even)
        expect(hotOf(score, 0, at(ms))).toBeGreaterThan(even)
      }),
    )
  })

  it('is raised by two replies as by one vote', () => {
    fc.assert(
      fc.property(scores, replies, times, (score, answers, ms) => {
        const voted = hotOf(score + 1, answers, at(ms))
        expect(hotOf(score, answers + 2, at(ms))).toBe(voted)
      }),
    )
  })

  it('takes half a day and a little for one with a tenth of the regard to draw level', () => {
    const start = Date.UTC(2026, 2, 1)
    const popular = hotOf(999, 0, at(start))
    expect(hotOf(99, 0, at(start + 44_999_000))).toBeLessThan(popular)
    expect(hotOf(99, 0, at(start + 45_001_000))).toBeGreaterThan(popular)
  })

  it('is told apart a millisecond at a time, as text of JSON too', () => {
    fc.assert(
      fc.property(scores, replies, times, (score, n, ms) => {
        const hot = hotOf(score, n, at(ms))
        expect(JSON.parse(JSON.stringify(hot))).toBe(hot)
        expect(hotOf(score, n, at(ms + 1))).not.toBe(hot)
      }),
    )
  })
})
