import { describe, expect, it } from 'vitest'
import { bounded, elsewhere, makers } from './expressions/bounded.ts'
import { expressions, type Expression } from './expressions/found.ts'
import { isDoneWithin } from './expressions/steps.ts'
import { worstTexts } from './expressions/worst.ts'

/** Long enough that what is tried again from each character takes more than the steps there are. */
const length = 1024
/** An alternative, or a range of a class of Unicode, is a step: what is tried again takes hundreds more. */
const stepsACharacter = 96
/** Some milliseconds of work. */
const stepsAtMost = 2_000_000

const found = expressions()
const distinct = [
  ...new Map(found.literals.map((one) => [`${one.flags} ${one.source}`, one])).values(),
]
const isElsewhere = ({ path }: Expression): boolean =>
  elsewhere.some((place) => path.startsWith(place.path))

function isLinear(one: Expression): boolean {
  return worstTexts(one, length).every((text) => isDoneWithin(one, text, stepsACharacter * length))
}

describe('regular expressions', () => {
  it('that are slow are told from those that are not', () => {
    const path = ''
    for (const source of ['(a+)+b', '\\s+$', 'a+b', '(?:a|a)*c', '<[^>]{0,500}x>', 'x.*?y.*?z']) {
      expect([source, isLinear({ path, source, flags: '' })]).toEqual([source, false])
    }
    for (const source of ['^\\s+', '^a*b$', '[ab]c', '"[^"]{0,9}"', '^(?:a|b)+$', '\\d{3}x']) {
      expect([source, isLinear({ path, source, flags: '' })]).toEqual([source, true])
    }
  })

  it('take steps that grow no faster than what they read, or read what is bounded', () => {
    const slow = distinct.filter((one) => !isElsewhere(one) && !isLinear(one))
    expect(slow.map(({ source }) => source).sort()).toEqual(Object.keys(bounded).sort())
    for (const one of slow) {
      const { atMost = 0 } = bounded[one.source] ?? {}
      for (const text of worstTexts(one, atMost)) {
        const isDone = isDoneWithin(one, text, stepsAtMost)
        expect([one.source, isDone]).toEqual([one.source, true])
      }
    }
  })

  it('that are put together are known', () => {
    expect(found.makers).toEqual(Object.keys(makers).sort())
  })
})
