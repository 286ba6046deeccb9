import {
  checkedChange,
  checkedFilter,
  checkedScalar,
  checkedScalars,
  operatorsOf,
} from '../checked.ts'
import { toStored } from './values.ts'

type Members = Record<string, unknown>

/** Matches nothing. */
const never = { $in: [] }

function key(path: string): string {
  return path === 'id' ? '_id' : path
}

/** A filter of the port as a MongoDB query. @throws TypeError for what is not a filter */
export function mongoFilter(filter: object): Members {
  const { tests, anyOf } = checkedFilter(filter)
  const query: Members = {}
  for (const [path, test] of tests) {
    const operators = operatorsOf(test, path)
    query[key(path)] = operators
      ? condition(path, operators)
      : { $eq: toStored(checkedScalar(test, path)) }
  }
  // MongoDB refuses an empty list of alternatives; an empty list never matches.
  if (anyOf) query.$or = anyOf.length > 0 ? anyOf.map(mongoFilter) : [{ _id: never }]
  return query
}

function condition(path: string, operators: [string, unknown][]): Members {
  const parts: Members = {}
  for (const [operator, operand] of operators) {
    const part = comparison(path, operator, operand)
    if (part === never) return never
    Object.assign(parts, part)
  }
  return boundedBelow(parts)
}

/**
 * A comparison finds values of its own type alone, so that the least of the type as a lower bound changes nothing. With
 * it, the planner recognises that the filter lies inside what a partial index holds.
 */
function boundedBelow(parts: Members): Members {
  if ('$gt' in parts || '$gte' in parts) return parts
  const most = parts.$lt ?? parts.$lte
  if (typeof most === 'string') return { ...parts, $gte: '' }
  if (typeof most === 'number') return { ...parts, $gte: -Infinity }
  return parts
}

function comparison(path: string, operator: string, operand: unknown): Members {
  switch (operator) {
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte': {
      const scalar = checkedScalar(operand, path)
      // Nothing is above or below null; MongoDB would match null itself.
      return scalar === null ? never : { [operator]: toStored(scalar) }
    }
    case '$ne':
      return { $ne: toStored(checkedScalar(operand, path)) }
    case '$in':
      return { $in: toStored(checkedScalars(operand, path)) }
    case '$exists':
      if (typeof operand !== 'boolean') throw new TypeError(`$exists on ${path} is true or false`)
      return { $exists: operand }
    case '$all': {
      const scalars = checkedScalars(operand, path)
      // MongoDB alone would let a scalar count as a list of one.
      return scalars.length > 0 ? { $all: toStored(scalars), $type: 'array' } : never
    }
    default:
      throw new TypeError(`there is no condition ${operator}`)
  }
}

/** A sort of the port; equal documents follow by id, in the direction of the last path. */
export function mongoSort(sort: object | undefined): Record<string, 1 | -1> | undefined {
  const paths: [string, unknown][] = Object.entries(sort ?? {})
  const last = paths.at(-1)
  if (!last) return undefined
  const terms: Record<string, 1 | -1> = {}
  for (const [path, way] of paths) terms[key(path)] = way === -1 ? -1 : 1
  terms._id ??= last[1] === -1 ? -1 : 1
  return terms
}

/** A change as a MongoDB update; undefined when it changes nothing. @throws TypeError */
export function mongoChange(change: object): Members | undefined {
  const steps = checkedChange(change)
  if (steps.length === 0) return undefined
  const update: Record<string, Members> = {}
  for (const [operator, path, value] of steps) {
    update[operator] ??= {}
    update[operator][key(path)] = operator === '$unset' ? '' : toStored(value)
  }
  return update
}
