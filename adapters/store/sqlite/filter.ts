import type { CollectionDefinition } from '#src/ports/documents.ts'
import {
  checkedFilter,
  checkedPath,
  checkedScalar,
  checkedScalars,
  operatorsOf,
  type Scalar,
} from '../checked.ts'
import { memberColumn } from './members.ts'

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
  for (const [path, test] of tests) {
    const operators = operatorsOf(test, path) ?? [['$eq', test] as const]
    for (const [operator, operand] of operators) {
      parts.push(comparison(definition, path, operator, operand, values))
    }
  }
  if (anyOf) {
    // An empty alternative matches every document; no alternative at all matches none.
    const any = anyOf.map((one) => conjunction(definition, one, values) || 'TRUE')
    parts.push(any.length > 0 ? `(${any.map((one) => `(${one})`).join(' OR ')})` : 'FALSE')
  }
  return parts.join(' AND ')
}

const orderings: Record<string, string> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' }

function comparison(
  definition: CollectionDefinition,
  path: string,
  operator: string,
  operand: unknown,
  values: Bound[],
): string {
  const left = column(definition, path)
  const ordering = orderings[operator]
  if (ordering) {
    return `${left} ${ordering} ${bound(checkedScalar(operand, path), values)}`
  }
  switch (operator) {
    case '$eq':
    case '$ne': {
      const scalar = checkedScalar(operand, path)
      if (scalar === null) return `${left} IS ${operator === '$eq' ? '' : 'NOT '}NULL`
      return `${left} ${operator === '$eq' ? '=' : 'IS NOT'} ${bound(scalar, values)}`
    }
    case '$in':
      return isOneOf(left, checkedScalars(operand, path), values)
    case '$exists':
      return exists(definition, path, operand)
    case '$all':
      return holdsAll(definition, path, checkedScalars(operand, path), values)
    default:
      throw new TypeError(`there is no condition ${operator}`)
  }
}

/** One parameter for any length, so that lists of all lengths share a statement. */
function isOneOf(left: string, scalars: Scalar[], values: Bound[]): string {
  values.push(JSON.stringify(scalars.filter((one) => one !== null)))
  const among = `${left} IN (SELECT value FROM json_each(?))`
  return scalars.includes(null) ? `(${among} OR ${left} IS NULL)` : among
}

function exists(definition: CollectionDefinition, path: string, operand: unknown): string {
  if (typeof operand !== 'boolean') throw new TypeError(`$exists on ${path} is true or false`)
  if (path === 'id') return operand ? 'TRUE' : 'FALSE'
  return `json_type(${holder(definition, path)}, '$.${path}') IS ${operand ? 'NOT ' : ''}NULL`
}

function holdsAll(
  definition: CollectionDefinition,
  path: string,
  scalars: Scalar[],
  values: Bound[],
): string {
  if (path === 'id' || scalars.length === 0) return 'FALSE'
  const place = `${holder(definition, path)}, '$.${path}'`
  const parts = [`json_type(${place}) = 'array'`]
  for (const scalar of scalars) {
    const value = bound(scalar, values)
    parts.push(`EXISTS (SELECT 1 FROM json_each(${place}) WHERE value IS ${value})`)
  }
  return `(${parts.join(' AND ')})`
}

/** The placeholder of a value. SQLite returns a JSON boolean as 1 or 0. */
function bound(scalar: Scalar, values: Bound[]): string {
  // Bound directly, text with half a surrogate pair would become another text.
  const broken = typeof scalar === 'string' && !scalar.isWellFormed()
  if (broken) values.push(JSON.stringify(scalar))
  else values.push(typeof scalar === 'boolean' ? Number(scalar) : scalar)
  return broken ? "(? ->> '$')" : '?'
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
    : { sql: `${by} LIMIT ? + 0`, values: [Math.max(0, Math.trunc(limit))] }
}

function term(definition: CollectionDefinition, path: string, way: unknown): string {
  return way === -1 ? `${column(definition, path)} DESC` : column(definition, path)
}
