import type { CollectionDefinition } from '#src/ports/documents.ts'
import {
  checkedAlternatives,
  checkedFilter,
  checkedPath,
  checkedScalar,
  checkedScalars,
  checkedTest,
  operatorsOf,
  type Scalar,
} from '../checked.ts'
import { memberColumn } from './members.ts'
import type { Shape } from './shape.ts'

export type Bound = string | number | null

/** A piece of SQL and the values of its question marks, in order. */
export interface Sql {
  sql: string
  values: Bound[]
}

/**
 * The expression of a path: the key column, or a member of the document or of its hidden part. Indexes
 * use the same text, because SQLite uses an index only if the expressions are identical.
 */
export function column(definition: CollectionDefinition, path: string): string {
  if (path === 'id') return 'id'
  if (definition.columns?.includes(path)) return memberColumn(path)
  const known = columns.get(definition) ?? new Map<string, string>()
  columns.set(definition, known)
  const text = known.get(path) ?? `(${holder(definition, path)} ->> '$.${checkedPath(path)}')`
  // Paths come from our own code, so their number is bounded.
  if (known.size < 1000) known.set(path, text)
  return text
}

const columns = new WeakMap<CollectionDefinition, Map<string, string>>()

/** The column of the table that a path leads into. */
export function holder(definition: CollectionDefinition, path: string): 'hidden' | 'doc' {
  const dot = path.indexOf('.')
  return definition.hidden.includes(dot < 0 ? path : path.slice(0, dot)) ? 'hidden' : 'doc'
}

/** The WHERE clause of a filter, beginning with ` WHERE`; empty for an empty filter. */
export function where(definition: CollectionDefinition, filter: object): Sql {
  const values: Bound[] = []
  const sql = conjunction(definition, filter, values)
  return { sql: sql ? ` WHERE ${sql}` : '', values }
}

function conjunction(definition: CollectionDefinition, filter: object, values: Bound[]): string {
  const { tests, anyOf } = checkedFilter(filter)
  const parts: string[] = []
  const isById = tests.some(([path, test]) => path === 'id' && namesIds(test))
  for (const [path, test] of tests) {
    const left = isById && path !== 'id' ? `+${column(definition, path)}` : column(definition, path)
    for (const [operator, operand] of conditionsOf(test, path)) {
      const form = bind(operator, operand, path, values)
      parts.push(comparison(left, `${holder(definition, path)}, '$.${path}'`, form))
    }
  }
  if (anyOf) {
    // An empty alternative matches every document; no alternative at all matches none.
    const any = anyOf.map((one) => conjunction(definition, one, values) || 'TRUE')
    parts.push(any.length > 0 ? `(${any.map((one) => `(${one})`).join(' OR ')})` : 'FALSE')
  }
  return parts.join(' AND ')
}

/**
 * The shape of a filter after another shape, and its values: they are the same, in the same order, as those
 * that `where` gives with the text of a filter of this shape.
 * @throws TypeError for an undefined value
 */
export function shapeOf(before: Shape, filter: object, values: Bound[]): Shape {
  let shape = before
  let anyOf: readonly object[] | undefined
  for (const [path, test] of Object.entries(filter) as [string, unknown][]) {
    if (path === '$or') {
      anyOf = checkedAlternatives(test)
      continue
    }
    checkedTest(path, test)
    shape = shape.step(path)
    if (typeof test !== 'object' || test === null) {
      shape = shape.step(bind('$eq', test, path, values))
      continue
    }
    for (const [operator, operand] of conditionsOf(test, path)) {
      shape = shape.step(bind(operator, operand, path, values))
    }
  }
  if (!anyOf) return shape
  shape = shape.step('$or begins')
  for (const one of anyOf) {
    shape = shapeOf(shape.step('$or'), one, values)
  }
  return shape.step('$or ends')
}

/**
 * Whether the ids are given. Few rows are left then, so the plus keeps SQLite, which knows no lengths of lists, from
 * another index: that of an owner would lead through all that it owns.
 */
function namesIds(test: unknown): boolean {
  return conditionsOf(test, 'id').some(([operator]) => operator === '$eq' || operator === '$in')
}

function conditionsOf(test: unknown, path: string): readonly (readonly [string, unknown])[] {
  return operatorsOf(test, path) ?? [['$eq', test]]
}

const orderings: Record<string, string> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' }

/**
 * Binds the values of a condition and returns its form: its SQL depends on nothing else but the path.
 * @throws TypeError for an unknown operator, and for an operand that the operator does not take
 */
function bind(operator: string, operand: unknown, path: string, values: Bound[]): string {
  switch (operator) {
    case '$eq':
    case '$ne':
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte': {
      const scalar = checkedScalar(operand, path)
      const isNullTest = scalar === null && (operator === '$eq' || operator === '$ne')
      if (isNullTest) return `${operator} null`
      return bound(scalar, values) ? `${operator} broken` : operator
    }
    case '$in': {
      const scalars = checkedScalars(operand, path)
      // One parameter for any length, so that lists of all lengths share a statement.
      values.push(JSON.stringify(scalars.filter((one) => one !== null)))
      return scalars.includes(null) ? '$in null' : '$in'
    }
    case '$exists':
      if (typeof operand !== 'boolean') throw new TypeError(`$exists on ${path} is true or false`)
      if (path === 'id') return operand ? 'TRUE' : 'FALSE'
      return operand ? '$exists' : '$exists not'
    case '$all': {
      const scalars = checkedScalars(operand, path)
      if (path === 'id' || scalars.length === 0) return 'FALSE'
      return ['$all', ...scalars.map((one) => (bound(one, values) ? 'broken' : 'value'))].join(' ')
    }
    default:
      throw new TypeError(`there is no condition ${operator}`)
  }
}

/**
 * The SQL of a condition in a form that `bind` returned.
 * @param left the expression of the path
 * @param place the column and the JSON path, as functions take them
 */
function comparison(left: string, place: string, form: string): string {
  const [operator = '', ...kinds] = form.split(' ')
  const [kind] = kinds
  const value = placeOf(kind)
  switch (operator) {
    case 'TRUE':
    case 'FALSE':
      return operator
    case '$eq':
      return kind === 'null' ? `${left} IS NULL` : `${left} = ${value}`
    case '$ne':
      return kind === 'null' ? `${left} IS NOT NULL` : `${left} IS NOT ${value}`
    case '$in': {
      const among = `${left} IN (SELECT value FROM json_each(?))`
      return kind === 'null' ? `(${among} OR ${left} IS NULL)` : among
    }
    case '$exists':
      return `json_type(${place}) IS ${kind === 'not' ? '' : 'NOT '}NULL`
    case '$all':
      return holdsAll(place, kinds)
    default:
      return `${left} ${orderings[operator]} ${value}`
  }
}

function holdsAll(place: string, kinds: readonly string[]): string {
  const each = kinds.map(
    (kind) => `EXISTS (SELECT 1 FROM json_each(${place}) WHERE value IS ${placeOf(kind)})`,
  )
  return `(${[`json_type(${place}) = 'array'`, ...each].join(' AND ')})`
}

/** The placeholder of a value that is bound in this way. */
function placeOf(kind: string | undefined): string {
  return kind === 'broken' ? "(? ->> '$')" : '?'
}

/**
 * Binds a value and returns whether that is text with half a surrogate pair, which has to be bound as JSON:
 * bound directly, it would become another text. SQLite returns a JSON boolean as 1 or 0.
 */
function bound(scalar: Scalar, values: Bound[]): boolean {
  if (typeof scalar === 'string' && !scalar.isWellFormed()) {
    values.push(JSON.stringify(scalar))
    return true
  }
  values.push(typeof scalar === 'boolean' ? Number(scalar) : scalar)
  return false
}

/** What the order of a read and its limit add to its shape. */
export function orderShapeOf(
  before: Shape,
  { sort, limit }: { sort?: object; limit?: number },
  values: Bound[],
): Shape {
  let shape = before.step('sorted')
  for (const [path, way] of Object.entries(sort ?? {}) as [string, unknown][]) {
    shape = shape.step(path).step(way === -1 ? 'down' : 'up')
  }
  if (limit === undefined) return shape
  values.push(limitOf(limit))
  return shape.step('limited')
}

function limitOf(limit: number): number {
  return Math.max(0, Math.trunc(limit))
}

/** The ORDER BY and LIMIT clauses; equal rows follow by id, in the direction of the last path. */
export function ordered(
  definition: CollectionDefinition,
  { sort, limit }: { sort?: object; limit?: number },
): Sql {
  const paths: [string, unknown][] = Object.entries(sort ?? {})
  const terms = paths.map(([path, way]) => term(definition, path, way))
  const last = paths.at(-1)
  if (last && !paths.some(([path]) => path === 'id')) terms.push(term(definition, 'id', last[1]))
  const by = terms.length > 0 ? ` ORDER BY ${terms.join(', ')}` : ''
  // As an expression: with a bare limit, SQLite prepares the statement again for each bound value.
  return limit === undefined
    ? { sql: by, values: [] }
    : { sql: `${by} LIMIT ? + 0`, values: [limitOf(limit)] }
}

function term(definition: CollectionDefinition, path: string, way: unknown): string {
  return way === -1 ? `${column(definition, path)} DESC` : column(definition, path)
}
