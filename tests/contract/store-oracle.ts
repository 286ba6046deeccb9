import * as fc from 'fast-check'
import type { Scalar } from '#src/ports/filter.ts'
import type { Thing } from './store-things.ts'

/** What filters and sorts mean, in the fewest lines; and any of them, for a property to try. */

type Test = Scalar | Record<string, unknown>
export type AnyFilter = Record<string, Test | AnyFilter[]>

function valueAt(document: object, path: string): unknown {
  let value: unknown = document
  for (const name of path.split('.')) {
    value =
      typeof value === 'object' && value !== null
        ? new Map(Object.entries(value)).get(name)
        : undefined
  }
  return value
}

export function matches(document: Thing, filter: AnyFilter): boolean {
  return Object.entries(filter).every(([path, test]) => {
    if (Array.isArray(test)) return test.some((one) => matches(document, one))
    const value = valueAt(document, path)
    if (typeof test !== 'object' || test === null) return (value ?? null) === test
    return Object.entries(test).every(([operator, operand]) => holds(value, operator, operand))
  })
}

function holds(value: unknown, operator: string, operand: unknown): boolean {
  const list = Array.isArray(operand) ? operand : []
  const order = compared(value, operand)
  switch (operator) {
    case '$in':
      return list.includes(value ?? null)
    case '$ne':
      return (value ?? null) !== operand
    case '$exists':
      return (value !== undefined) === operand
    case '$all':
      return Array.isArray(value) && list.length > 0 && list.every((one) => value.includes(one))
    case '$gt':
      return order > 0
    case '$gte':
      return order >= 0
    case '$lt':
      return order < 0
    default:
      return order <= 0
  }
}

/** Negative, zero or positive; not a number where nothing can be compared. */
function compared(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  }
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return typeof a === 'boolean' && typeof b === 'boolean' ? Number(a) - Number(b) : Number.NaN
}

export function sorted(documents: readonly Thing[], sort: Record<string, 1 | -1>): Thing[] {
  const terms = Object.entries(sort)
  terms.push(['id', terms.at(-1)?.[1] ?? 1])
  return documents.toSorted((a, b) => {
    for (const [path, way] of terms) {
      const [x, y] = [valueAt(a, path) ?? null, valueAt(b, path) ?? null]
      const order =
        x === null || y === null ? Number(x !== null) - Number(y !== null) : compared(x, y)
      if (order !== 0) return order * way
    }
    return 0
  })
}

const text = fc.constantFrom('', 'a', 'ab', 'B', 'é', '\ufffd', '😀', 'a\0b', '~', '$x', '10', '9')
const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, -1e21, 2 ** 53))
const truth = fc.boolean()
const tags = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 })
const scalars = {
  status: text,
  attempt: number,
  ready: truth,
  due_at: text,
  'o.s': text,
  'claim.n': number,
}

const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 3 })

/** Members of one type each, hidden ones among them; each may be null or missing. */
export const anyThing = fc.record(
  {
    status: orNull(text),
    attempt: orNull(number),
    ready: orNull(truth),
    due_at: orNull(text),
    o: orNull(fc.record({ s: orNull(text) }, { requiredKeys: [] })),
    claim: orNull(fc.record({ n: orNull(number) }, { requiredKeys: [] })),
    tags,
  },
  { requiredKeys: [] },
)

const tests = Object.entries(scalars).map(([path, one]) => {
  const scalar: fc.Arbitrary<Scalar> = one
  const condition = fc.oneof(
    fc.record({ $ne: orNull(scalar) }),
    fc.record({ $in: fc.array(orNull(scalar), { maxLength: 3 }) }),
    fc.record({ $exists: truth }),
    fc.record({ $gt: scalar, $lte: scalar }, { requiredKeys: ['$gt'] }),
    fc.record({ $gte: scalar, $lt: scalar }, { requiredKeys: ['$gte'] }),
    fc.record({ $lt: orNull(scalar) }),
    fc.record({ $lte: scalar }),
  )
  const test: fc.Arbitrary<Test> = fc.oneof(orNull(scalar), condition)
  return fc.tuple(fc.constant(path), test)
})
const ofTags: fc.Arbitrary<[string, Test]> = fc.tuple(
  fc.constant('tags'),
  fc.record({ $all: tags }),
)

export const anyFilter: fc.Arbitrary<AnyFilter> = fc.letrec<{ filter: AnyFilter }>((tie) => ({
  filter: fc
    .tuple(
      fc.array(fc.oneof(...tests, ofTags), { maxLength: 3 }),
      fc.option(fc.array(tie('filter'), { maxLength: 3 }), {
        freq: 3,
        maxDepth: 2,
        nil: undefined,
      }),
    )
    .map(([members, or]) => ({ ...Object.fromEntries(members), ...(or && { $or: or }) })),
})).filter

const direction = fc.constantFrom<1 | -1>(1, -1)
export const anySort: fc.Arbitrary<Record<string, 1 | -1>> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...Object.keys(scalars)), direction), {
    minLength: 1,
    maxLength: 2,
    selector: ([path]) => path,
  })
  .map((terms) => Object.fromEntries(terms))
