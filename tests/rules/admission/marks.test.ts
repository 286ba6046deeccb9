import { array, assert, constantFrom, integer, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composed, composedAnyway, hasTooManyMarks } from '#src/core/input/marks.ts'
import { walk } from '#src/core/input/walk.ts'

/** Marks of one and of two code units, starters of both, and halves of pairs. */
const marks = ['\u0301', '\u0323', '\u{1d165}', '\u{e0100}']
const starters = ['a', 'é', '漢', '😀', ' ', '\ud800', '\udc00']

/** By the meaning of the words alone. */
function isTooMany(text: string): boolean {
  return /\p{M}{31}/u.test(text)
}

const texts = array(tuple(constantFrom(...marks, ...starters), integer({ min: 1, max: 34 })), {
  maxLength: 12,
}).map((runs) => runs.map(([character, count]) => character.repeat(count)).join(''))

describe('combining marks', () => {
  it('are too many from the thirty-first in a row, wherever the run stands', () => {
    assert(
      property(texts, (text) => {
        expect(hasTooManyMarks(text)).toBe(isTooMany(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('are put in order where they are few, as NFC says', () => {
    assert(
      property(texts, (text) => {
        if (!isTooMany(text)) expect(composed(text)).toBe(text.normalize())
        expect(isTooMany(composedAnyway(text))).toBe(false)
      }),
    )
  })

  it('that are too many are refused where they stand, and never put in order', () => {
    const zalgo = `a${'\u0301'.repeat(31)}`
    for (const input of [{ name: zalgo }, { [zalgo]: 1 }]) {
      const walked = walk(input, { charactersAtMost: 1000 })
      expect(walked).toEqual({ value: input, isFaulty: true, isHeavy: false })
    }
    const fits = { name: `a${'\u0301'.repeat(30)}` }
    expect(walk(fits, { charactersAtMost: 1000 })).toEqual({
      value: { name: fits.name.normalize() },
      isFaulty: false,
      isHeavy: false,
    })
  })

  it('of any number are looked at once', () => {
    // In order, they would take minutes.
    const million = '\u0323\u0301'.repeat(500_000)
    expect(walk(million, { charactersAtMost: 2_000_000 }).isFaulty).toBe(true)
    expect(composedAnyway(`a${million}`)).toHaveLength(30)
  })
})
