import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLongerThan } from '#src/core/text/longer.ts'

describe('a value that is certainly longer as JSON', () => {
  it('is never one that is not', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isLongerThan(value, JSON.stringify(value).length)).toBe(false)
      }),
    )
  })

  it.for([
    ['a text', 'x'.repeat(101)],
    ['a text inside', { a: [{ b: 'x'.repeat(101) }] }],
    ['names', { ['x'.repeat(101)]: 1 }],
    ['many members', Object.fromEntries(Array.from({ length: 101 }, (_, at) => [at, 0]))],
    ['many items', Array.from({ length: 101 }, () => 0)],
  ])('is known by %s', ([, value]) => {
    expect(isLongerThan(value, 100)).toBe(true)
  })

  it('is not looked through to its end', () => {
    const untouched = new Proxy({}, { ownKeys: () => expect.fail('it was looked at') })
    expect(isLongerThan([untouched, 'x'.repeat(101)], 100)).toBe(true)
  })
})
