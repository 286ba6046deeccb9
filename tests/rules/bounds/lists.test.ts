import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { boundLists } from '#src/core/input/bound-lists.ts'

/** A schema that tells how many items it has looked at. */
function counting() {
  const seen = { items: 0 }
  const item = z.string().refine(() => {
    seen.items += 1
    return true
  })
  return { seen, item }
}

describe('a list that is too long', () => {
  const places: [string, (list: z.ZodType) => z.ZodType, (list: unknown) => unknown][] = [
    ['alone', (list) => list, (list) => list],
    ['in an object', (list) => z.strictObject({ a: list }), (a) => ({ a })],
    ['where it may be missing', (list) => list.nullable().optional(), (list) => list],
    ['with a default', (list) => list.default([]), (list) => list],
    ['in a list', (list) => z.array(list), (list) => [list]],
    ['in a map', (list) => z.record(z.string(), list), (a) => ({ a })],
    ['in a choice', (list) => z.union([z.int(), list]), (list) => list],
    ['in a tuple', (list) => z.tuple([z.int(), list]), (list) => [1, list]],
    ['in what is transformed', (list) => list.transform((one) => one), (list) => list],
    ['in itself', (list) => z.lazy(() => list), (list) => list],
  ]
  it.each(places)('is refused before its items are looked at: %s', (_, around, within) => {
    const { seen, item } = counting()
    const schema = boundLists(around(z.array(item).min(1).max(3)))
    expect(schema.safeParse(within(['a', 'b', 'c'])).success).toBe(true)
    expect(seen.items).toBe(3)
    const { error } = schema.safeParse(within(['a', 'b', 'c', 'd']))
    expect(JSON.stringify(error?.issues)).toContain('Too big: expected array to have <=3 items')
    expect(seen.items).toBe(3)
    // Bound twice it is the same.
    expect(boundLists(schema).safeParse(within([])).success).toBe(false)
  })

  it('is told as zod tells it', () => {
    const plain = z.strictObject({ a: z.array(z.int()).max(2) })
    const bound = boundLists(z.strictObject({ a: z.array(z.int()).max(2) }))
    for (const value of [{ a: [1, 2, 3] }, { a: [1, 'x'] }, { a: 'x' }, { a: [1] }, {}]) {
      expect(bound.safeParse(value)).toEqual(plain.safeParse(value))
    }
  })
})
