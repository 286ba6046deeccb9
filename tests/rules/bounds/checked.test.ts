import { expect, test } from 'vitest'
import * as z from 'zod'
import { checked, hasAtMost } from '#src/core/input/check.ts'
import { faultsOf } from '#src/core/input/validate.ts'
import { recordUpTo } from '#src/core/input/record.ts'
import { Upload } from '#src/core/input/upload.ts'

/** A schema that counts how often it is asked. */
function counting<T extends z.ZodType>(schema: T): { schema: T; asked: () => number } {
  let asked = 0
  const internals = schema._zod
  const run = internals.run.bind(internals)
  internals.run = (payload, context) => {
    asked += 1
    return run(payload, context)
  }
  return { schema, asked: () => asked }
}

test('of a small value every fault is found, of a large one the first', () => {
  const item = counting(z.string())
  const list = z.strictObject({ items: z.array(item.schema) })
  const small = checked(list, { items: Array.from({ length: 50 }, () => 1) }, 100)
  expect(small).toMatchObject({ count: 50, isCut: false })
  const before = item.asked()
  const large = checked(list, { items: Array.from({ length: 200_000 }, () => 1) }, 100)
  expect(large).toMatchObject({ count: 1, isCut: true })
  expect(item.asked() - before).toBe(1)
})

test('a fault is worded as often as it is told', () => {
  let worded = 0
  const error = (): string => `wrong ${++worded}`
  const schema = z.array(z.string({ error }))
  const value = Array.from({ length: 4000 }, () => 1)
  const result = checked(schema, value, 100)
  expect(result).toMatchObject({ count: 4000 })
  expect([result.issues?.length, worded]).toEqual([100, 100])
})

test('unknown members are counted, and a hundred of them named', () => {
  const sent = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`nam${i}`, 0]))
  const result = checked(z.strictObject({ name: z.string().optional() }), sent, 100)
  expect(result).toMatchObject({ count: 60_000 })
  const faults = faultsOf(result.issues ?? [], ['name'])
  expect(faults).toHaveLength(100)
  expect(faults[0]).toMatchObject({ pointer: '/nam0', suggestion: 'name' })
})

test('a map with too many members is refused without a look at one of them', () => {
  const value = counting(z.string())
  const schema = z.strictObject({ env: recordUpTo(3, value.schema).default({}) })
  expect(checked(schema, { env: { a: 'b', c: 'd', e: 'f' } }, 100).data).toEqual({
    env: { a: 'b', c: 'd', e: 'f' },
  })
  expect(checked(schema, {}, 100).data).toEqual({ env: {} })
  const before = value.asked()
  const { issues } = checked(schema, { env: { a: 'b', c: 'd', e: 'f', g: 'h' } }, 100)
  expect(issues).toMatchObject([
    { path: ['env'], code: 'too_big', message: 'must have at most 3 members' },
  ])
  expect(value.asked()).toBe(before)
  expect(checked(schema, { env: [] }, 100).issues).toMatchObject([{ code: 'invalid_type' }])
})

test('members and items are counted to the bound, at any depth', () => {
  expect(hasAtMost({ a: [1, 2, { b: 3 }] }, 6)).toBe(true)
  expect(hasAtMost({ a: [1, 2, { b: 3 }] }, 5)).toBe(false)
  expect(hasAtMost(Array.from({ length: 10 }), 10)).toBe(false)
  expect(hasAtMost('text', 1)).toBe(true)
})

test('a file is one item, however many bytes it has, so every fault next to it is told', () => {
  const file = new Upload('a.png', null, [new Uint8Array(1000)])
  expect(hasAtMost({ file, more: 1 }, 3)).toBe(true)
  const schema = z.strictObject({ file: z.unknown(), name: z.string() })
  const result = checked(schema, { file, promt: 1 }, 100, 10)
  expect(result.issues?.map(({ code }) => code)).toEqual(['invalid_type', 'unrecognized_keys'])
  expect(result).toMatchObject({ count: 2, isCut: false })
})

test('a value that is deeper than it may be is counted without reaching its end', () => {
  let deep: unknown = 'x'
  for (let level = 0; level < 100_000; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep }
  expect(hasAtMost(deep, 5000)).toBe(true)
  expect(hasAtMost([deep, ...Array.from({ length: 5000 }, () => 1)], 5000)).toBe(false)
})
