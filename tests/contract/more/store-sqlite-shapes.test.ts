import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { ordered, orderShapeOf, shapeOf, where, type Bound } from '#adapters/store/sqlite/filter.ts'
import { Shape } from '#adapters/store/sqlite/shape.ts'
import { anyFilter, anySort } from '../store-oracle.ts'
import { hiding } from '../store-things.ts'
import { collections } from '#src/collections.ts'

const definition = collections[hiding]
const anyRead = fc.record({
  filter: anyFilter,
  sort: anySort,
  limit: fc.option(fc.integer({ min: -1, max: 9 }), { nil: undefined }),
})
type Read = typeof anyRead extends fc.Arbitrary<infer T> ? T : never

function compiled({ filter, sort, limit }: Read) {
  const condition = where(definition, filter)
  const order = ordered(definition, limit === undefined ? { sort } : { sort, limit })
  return { sql: condition.sql + order.sql, values: [...condition.values, ...order.values] }
}

function shaped(root: Shape, { filter, sort, limit }: Read) {
  const values: Bound[] = []
  const options = limit === undefined ? { sort } : { sort, limit }
  const shape = orderShapeOf(shapeOf(root, filter, values), options, values)
  return { shape, values }
}

it('binds the same values by its shape as with its text', () => {
  fc.assert(
    fc.property(anyRead, (read) => {
      expect(shaped(new Shape(), read).values).toEqual(compiled(read).values)
    }),
    { numRuns: 500 },
  )
})

it('has one shape for one text', () => {
  const root = new Shape()
  fc.assert(
    fc.property(anyRead, (read) => {
      const { sql } = compiled(read)
      expect(shaped(root, read).shape.text(() => sql)).toBe(sql)
    }),
    { numRuns: 2000 },
  )
})

it('tells alternatives within the first of two from those within the second', () => {
  const root = new Shape()
  const [first, second] = [
    { $or: [{ status: 'a', $or: [{ due_at: '1' }, { claim: null }] }] },
    { $or: [{ status: 'a' }, { due_at: '1', $or: [{ claim: null }] }] },
  ]
  expect(shapeOf(root, first, [])).not.toBe(shapeOf(root, second, []))
})

it('keeps no more shapes than there is room for', () => {
  const root = new Shape()
  for (let n = 0; n < 10_000; n++) root.step(`path_${n}`)
  const first = root.step('path_0')
  expect(root.step('path_0')).toBe(first)
  expect(root.step('one more')).not.toBe(root.step('one more'))
  expect(root.step('one more').text(() => 'made for it')).toBe('made for it')
})
