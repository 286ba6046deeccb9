import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dataOf, nearness, packed } from '#src/core/text/vectors.ts'
import { rowsOf, type StoredVectors } from '#src/knowledge/vectors.ts'

const number = fc.float({ min: -100, max: 100, noNaN: true })
const vector = (length: number) =>
  fc
    .array(number, { minLength: length, maxLength: length })
    .map((numbers) => Float32Array.from(numbers))

const stored = (vectors: readonly Float32Array[], length: number): StoredVectors => ({
  id: 'shf_1/edn_1/00064',
  shelf: 'shf_1',
  model: 'm',
  first: 64,
  length,
  data: dataOf(vectors.map(packed)),
})

const cosine = (a: Float32Array, b: Float32Array): number => {
  const product = (x: Float32Array, y: Float32Array): number =>
    x.reduce((sum, one, i) => sum + one * (y[i] ?? 0), 0)
  const both = Math.sqrt(product(a, a)) * Math.sqrt(product(b, b))
  return both === 0 ? 0 : product(a, b) / both
}

describe('packed vectors', () => {
  it('come out as they went in, and are nearly as near as they were', () => {
    const some = fc
      .integer({ min: 1, max: 24 })
      .chain((length) => fc.tuple(fc.array(vector(length), { minLength: 1 }), vector(length)))
    fc.assert(
      fc.property(some, ([vectors, query]) => {
        const rows = rowsOf(stored(vectors, query.length))
        expect(rows).toMatchObject({ edition: 'shf_1/edn_1', first: 64, length: query.length })
        if (!rows) return
        const near = nearness(rows, packed(query))
        expect(near).toHaveLength(vectors.length)
        for (const [i, one] of vectors.entries()) {
          expect(near[i]).toBeCloseTo(cosine(one, query), 1)
        }
      }),
    )
  })

  it('of other lengths are near to nothing', () => {
    const rows = rowsOf(stored([Float32Array.of(1, 2, 3)], 3))
    expect(rows && nearness(rows, packed(Float32Array.of(1, 2)))).toHaveLength(0)
  })

  it('that are not what they say are left out', () => {
    expect(rowsOf({ ...stored([Float32Array.of(1, 2, 3)], 3), length: 2 })).toBeUndefined()
    expect(rowsOf({ ...stored([], 3), length: 0 })).toBeUndefined()
  })

  it('without a direction are near to nothing', () => {
    const zero = Float32Array.of(0, 0)
    const rows = rowsOf(stored([zero, Float32Array.of(Number.NaN, 1)], 2))
    expect(rows && [...nearness(rows, packed(Float32Array.of(1, 0)))]).toEqual([0, 0])
  })
})
