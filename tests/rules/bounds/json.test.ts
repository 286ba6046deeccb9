import { expect, test } from 'vitest'
import * as z from 'zod'
import { boundLists } from '#src/core/input/bound-lists.ts'

/** Members without number, at each of which it is counted how often something reads it. */
function watched(members: number): { value: object; reads: () => number } {
  let reads = 0
  const value = {}
  for (let i = 0; i < members; i++) {
    const get = (): number => {
      reads += 1
      return i
    }
    Object.defineProperty(value, `m${i}`, { enumerable: true, get })
  }
  return { value, reads: () => reads }
}

const within: [string, (json: z.ZodType) => z.ZodType][] = [
  ['alone', (json) => json],
  ['where it may be missing', (json) => json.optional()],
  ['with a description', (json) => json.describe('Any JSON.')],
  ['with a rule of its own', (json) => json.refine((value) => value !== 7, 'no seven')],
]

test.each(within)('any JSON is looked at once, and passed on as it is: %s', (_, around) => {
  const schema = boundLists(z.strictObject({ data: around(z.json()) }))
  const { value, reads } = watched(100)
  const data = { list: [value, 'a', null, true, [[]]] }
  const parsed = schema.safeParse({ data })
  expect(parsed.success).toBe(true)
  expect(parsed.data?.['data']).toBe(data)
  expect(reads()).toBe(100)
})

test.each(within)('what is no JSON is told as zod tells it: %s', (_, around) => {
  const plain = z.strictObject({ data: around(z.json()) })
  const bound = boundLists(z.strictObject({ data: around(z.json()) }))
  const values = [undefined, Infinity, 7, { a: undefined }, [1n], { a: [new Date(0)] }, () => 1, {}]
  for (const data of values) {
    expect(bound.safeParse({ data })).toEqual(plain.safeParse({ data }))
  }
  expect(bound.safeParse({})).toEqual(plain.safeParse({}))
})
