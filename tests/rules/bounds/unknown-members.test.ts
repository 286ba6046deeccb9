import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { shapeOf, unknownMembers } from '#src/core/input/unknown-members.ts'

const inner = z.looseObject({
  a: z.unknown(),
  list: z.array(z.looseObject({ b: z.looseObject({ a: z.unknown() }) })),
})
const document = z.looseObject({ a: z.unknown(), inner, free: z.record(z.string(), z.unknown()) })
const shape = shapeOf(z.looseObject({ document, more: z.array(inner) }))

const names = fc.constantFrom('a', 'b', 'inner', 'list', 'free', 'other', 'metadata', 'x-own')
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, 1, 'text'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  ),
}))

test('the same members are unknown in a small document, looked through at once, and in a large one', () => {
  const more = Array.from({ length: 300 }, () => ({ a: 1 }))
  fc.assert(
    fc.property(value, (sent) => {
      const small = [...unknownMembers(shape, { document: sent })]
      expect(small).toEqual([...unknownMembers(shape, { document: sent, more })])
    }),
  )
})

test('a large document is searched, and its unknown members are found', () => {
  const more = Array.from({ length: 300 }, (_, i) => (i === 299 ? { other: 1 } : { a: 1 }))
  const [first] = unknownMembers(shape, { more })
  expect(first).toMatchObject({ pointer: '/more/299/other', name: 'other' })
})
