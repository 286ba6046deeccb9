import { describe, expect, it } from 'vitest'
import { Upload } from '#src/core/input/upload.ts'
import { walk, walkSteps, type Walked, type WalkTerms } from '#src/core/input/walk.ts'
import { atOnce } from '#src/core/turns/portions.ts'

const terms: WalkTerms = { charactersAtMost: 1000 }

/** What a walk comes to, or with which code it is refused. */
function outcome(walked: () => Walked): unknown {
  try {
    return walked()
  } catch (cause) {
    return (cause as { code?: string }).code
  }
}

const nested = (levels: number): unknown => (levels === 0 ? 'e\u0301' : [nested(levels - 1)])

describe('a walk in steps', () => {
  it.each([
    ['a text', 'e\u0301'],
    ['nothing', null],
    ['an empty list', []],
    [
      'texts that change at each level',
      { a: ['e\u0301', { b: { c: [{ d: ['e\u0301'] }] } }], e: 1 },
    ],
    ['a value that stays as it is', { a: [1, { b: { c: [{ d: [true] }] } }] }],
    ['a number that is too large', { a: [{ b: 1e300 }, 2 ** 60] }],
    ['a name that is not well-formed', { ['a\ud800']: 1 }],
    ['a file', { file: new Upload('e\u0301.txt', null, new Uint8Array(2)) }],
    ['a forbidden name', JSON.parse('{"a":{"__proto__":1}}')],
    ['too many characters', { a: ['x'.repeat(600), 'x'.repeat(600)] }],
    ['too many values', Array.from({ length: 200_001 }, () => 0)],
    ['as many levels as there may be', nested(32)],
    ['one more', nested(33)],
  ])('comes to what one at once does: %s', (_, input) => {
    const [inSteps, whole] = [
      outcome(() => atOnce(walkSteps(input, terms))),
      outcome(() => walk(input, terms)),
    ]
    expect(inSteps).toEqual(whole)
  })

  it('keeps a value that needs no change, and leaves one that does as it was', () => {
    const same = { a: [{ b: 'x' }] }
    expect(atOnce(walkSteps(same, terms)).value).toBe(same)
    const other = { a: [{ b: 'e\u0301' }], c: [1] }
    const { value } = atOnce(walkSteps(other, terms))
    expect(value).toEqual({ a: [{ b: '\u00e9' }], c: [1] })
    expect(other.a[0]?.b).toBe('e\u0301')
  })

  it('has a step for each of the items of a list in an agent', () => {
    const tasks = Array.from({ length: 300 }, (_, i) => ({ name: `${i}` }))
    const steps = walkSteps(
      { manifest: { agents: [{ heart: 1 }], tasks } },
      { charactersAtMost: 10_000 },
    )
    let count = 0
    while (!steps.next().done) count += 1
    expect(count).toBeGreaterThan(300)
  })
})
