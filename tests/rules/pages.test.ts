import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cursorAfter, openCursor } from '#src/core/page.ts'

const order = { list: 'agents acc_1', by: 'created_at', direction: -1 } as const

/** What callers may send to be taken for the member that a list is ordered by. */
const hostile = fc.constantFrom(
  '"created_at":"',
  '{"created_at":"x"}',
  '\\"created_at":"',
  '"',
  '\\',
)
const text = fc.oneof(fc.string(), hostile)
const inner = fc.dictionary(fc.constantFrom('created_at', 'a', '"created_at":"'), text)
const document = fc.record({
  id: fc.string(),
  before: fc.oneof(text, inner, fc.array(inner)),
  created_at: fc.oneof(text, fc.integer()),
  after: fc.oneof(text, inner),
})

test('a page ends where its last document stands in the order, with any other members', () => {
  fc.assert(
    fc.property(document, ({ id, ...members }) => {
      const cursor = cursorAfter(order, { id, text: JSON.stringify({ id, ...members }) })
      expect(openCursor(order, cursor)).toEqual([members.created_at, id])
    }),
    { numRuns: 2000 },
  )
})
