import type { CollectionDefinition, SearchDefinition } from '#src/ports/documents.ts'
import type { SearchOptions, SearchQuery } from '#src/ports/search.ts'

/** One tested path: a scalar, or a condition with at least one operator. */
export type Test = readonly [path: string, test: unknown]

const pathForm = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$/

/** A path that both stores accept. @throws TypeError for one that could be a caller's text */
export function checkedPath(path: string): string {
  if (pathForm.test(path) && !path.includes('__proto__')) return path
  throw new TypeError(`${JSON.stringify(path)} is not a path of a stored document`)
}

/**
 * A filter in parts. Leaving out an undefined value would widen the filter, so it is an error and never
 * ignored.
 * @throws TypeError
 */
export function checkedFilter(filter: object): { tests: Test[]; anyOf?: readonly object[] } {
  const tests: Test[] = []
  let anyOf: readonly object[] | undefined
  const entries: [string, unknown][] = Object.entries(filter)
  for (const [name, test] of entries) {
    if (name === '$or') anyOf = checkedAlternatives(test)
    else tests.push([checkedPath(name), checkedTest(name, test)])
  }
  return anyOf ? { tests, anyOf } : { tests }
}

/** @throws TypeError for an undefined value */
export function checkedTest(path: string, test: unknown): unknown {
  if (test === undefined) throw new TypeError(`the filter has no value for ${path}`)
  return test
}

/** @throws TypeError for anything but a list of filters */
export function checkedAlternatives(value: unknown): readonly object[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null)) {
    return value
  }
  throw new TypeError('$or takes a list of filters')
}

export type Scalar = string | number | boolean | null

/** @throws TypeError for anything but a scalar */
export function checkedScalar(value: unknown, where: string): Scalar {
  if (value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  throw new TypeError(`${where} is compared with something that is not a scalar`)
}

/** @throws TypeError for anything but a list of scalars */
export function checkedScalars(value: unknown, where: string): Scalar[] {
  if (!Array.isArray(value)) throw new TypeError(`${where} takes a list`)
  return value.map((one) => checkedScalar(one, where))
}

/** @throws TypeError for an id that is not valid Unicode, which no store could tell from another */
export function checkedId(id: string): string {
  if (typeof id === 'string' && id.isWellFormed()) return id
  throw new TypeError('an id is text of whole characters')
}

/** A validated search. A limit of 0 stands for one that can find nothing. */
export interface CheckedSearch {
  search: SearchDefinition
  marks: [path: string, value: string][]
  without: [path: string, values: readonly string[]][]
  limit: number
}

/** @throws TypeError for a collection that is not searchable, or a mark that it does not have */
export function checkedSearch(
  collection: string,
  { search }: CollectionDefinition,
  { words, phrases }: SearchQuery,
  options: SearchOptions<never>,
): CheckedSearch {
  if (!search) throw new TypeError(`${collection} is not searched by words`)
  const marks = Object.entries(options.marks ?? {})
  for (const [path, value] of marks) {
    if (typeof value !== 'string' || !search.marks?.includes(path)) {
      throw new TypeError(`a search of ${collection} is not narrowed by ${path} like this`)
    }
  }
  const without = Object.entries(options.without ?? {}).filter(([, values]) => values.length > 0)
  for (const [path] of without) {
    if (search.marks?.includes(path)) continue
    throw new TypeError(`a search of ${collection} leaves out nothing by ${path}`)
  }
  const isHopeless =
    words.length + phrases.length === 0 || marks.some(([, one]) => !one.isWellFormed())
  const limit = isHopeless ? 0 : Math.max(0, Math.trunc(options.limit))
  return { search, marks, without, limit }
}

/** The operators of a condition; undefined for a scalar. @throws TypeError for an empty one */
export function operatorsOf(test: unknown, path: string): [string, unknown][] | undefined {
  if (typeof test !== 'object' || test === null) return undefined
  const operators: [string, unknown][] = Object.entries(test)
  if (operators.length > 0) return operators
  throw new TypeError(`the condition on ${path} is empty`)
}

export type Operator = '$set' | '$unset' | '$inc' | '$push'
export type Step = readonly [operator: Operator, path: string, value: unknown]

/**
 * A change as a list of steps. Undefined members change nothing.
 * @throws TypeError for an unknown operator or an operand that should be a number
 */
export function checkedChange(change: object): Step[] {
  const steps: Step[] = []
  const operators: [string, unknown][] = Object.entries(change)
  for (const [operator, paths] of operators) {
    if (!isOperator(operator)) throw new TypeError(`there is no change ${operator}`)
    if (typeof paths !== 'object' || paths === null) continue
    const members: [string, unknown][] = Object.entries(paths)
    for (const [path, value] of members) {
      if (value === undefined) continue
      if (operator === '$inc' && typeof value !== 'number') {
        throw new TypeError(`${path} is raised by something that is not a number`)
      }
      steps.push([operator, checkedPath(path), value])
    }
  }
  return steps
}

function isOperator(name: string): name is Operator {
  return name === '$set' || name === '$unset' || name === '$inc' || name === '$push'
}
