import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { bindJson } from '#src/core/input/bound-json.ts'
import { Upload } from '#src/core/input/upload.ts'
import { isWalkedJson, walk, walkSteps, type Walked, type WalkTerms } from '#src/core/input/walk.ts'
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
    ['a file', { file: new Upload('e\u0301.txt', null, [new Uint8Array(2)]) }],
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

  const stepsOf = (input: unknown): number => {
    const steps = walkSteps(input, { charactersAtMost: 2 ** 24 })
    let count = 0
    while (!steps.next().done) count += 1
    return count
  }

  it.each([
    ['a list', Array.from({ length: 100_000 }, () => 1)],
    ['objects in a list', Array.from({ length: 20_000 }, (_, i) => ({ a: [i, { b: 'x' }] }))],
    ['lists of 45 in each other', wide(45, 2)],
    ['what stands deep', { a: { b: { c: { d: { e: { f: wide(45, 2) } } } } } }],
  ])('has a step for some 256 members and items, in %s', (_, input) => {
    expect(stepsOf(input)).toBeGreaterThan(90_000 / 300)
  })

  it('has a step for each large text', () => {
    expect(stepsOf(Array.from({ length: 50 }, () => 'x'.repeat(80_000)))).toBe(50)
  })
})

/** Lists in lists, each of so many, to this depth. */
function wide(size: number, depth: number): unknown {
  return Array.from({ length: size }, () => (depth === 0 ? 1 : wide(size, depth - 1)))
}

describe('a schema of any JSON', () => {
  const json = z.json()
  bindJson(json)
  const schema = z.object({ data: json })
  it('takes a large value that was walked as it is, and refuses what is no JSON all the same', () => {
    const file = new Upload('a', null, [new Uint8Array(1)])
    const large = (last: unknown) => ({ data: [...Array.from({ length: 2000 }, () => 1), last] })
    for (const last of ['x', file]) {
      const input = large(last)
      const { value } = atOnce(walkSteps(input, { charactersAtMost: 100 }))
      expect(isWalkedJson((value as typeof input).data)).toBe(last === 'x')
      expect(schema.safeParse(value).success).toBe(last === 'x')
    }
    expect(isWalkedJson(large('x').data)).toBe(false)
    expect(schema.safeParse(large(undefined)).success).toBe(false)
  })
})
