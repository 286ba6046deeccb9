import type { CollectionDefinition } from '#src/ports/documents.ts'
import type { FindOptions } from '#src/ports/store.ts'
import { column } from '../filter.ts'
import { indexName } from '../schema.ts'

/** A read of the newest documents, by id, that have one of many texts at one path. */
export interface Among {
  /** The table, in quotes. */
  table: string
  /** The expression of the path. */
  at: string
  members: ReadonlySet<string>
  /** Only ids below this one, if given. */
  before: string | undefined
  limit: number
  /** The index of the path and the id, in quotes. */
  seeking: string
  /** The index of the id and the path, in quotes. */
  walking: string
}

/** The read that a filter asks for, if it has this form and both indexes exist; else undefined. */
export function amongOf(
  name: string,
  definition: CollectionDefinition,
  filter: object,
  { sort, limit }: FindOptions<never>,
): Among | undefined {
  if (limit === undefined || limit < 1 || !isNewestFirst(sort)) return undefined
  const tests: [string, unknown][] = Object.entries(filter)
  const [place, ...rest] = tests.filter(([path]) => path !== 'id')
  if (!place || rest.length > 0) return undefined
  const [path, test] = place
  const members = textsIn(onlyOperand(test, '$in'))
  if (!members) return undefined
  const bound = tests.find(([one]) => one === 'id')
  const before = bound && onlyOperand(bound[1], '$lt')
  if (bound && !(typeof before === 'string' && before.isWellFormed())) return undefined
  const [seeking, walking] = [{ on: { [path]: 1, id: -1 } }, { on: { id: 1, [path]: 1 } }] as const
  const known = new Set(definition.indexes.map((index) => indexName(name, index)))
  const names = [indexName(name, seeking), indexName(name, walking)] as const
  if (!names.every((one) => known.has(one))) return undefined
  return {
    table: `"${name}"`,
    at: column(definition, path),
    members,
    before: typeof before === 'string' ? before : undefined,
    limit: Math.trunc(limit),
    seeking: `"${names[0]}"`,
    walking: `"${names[1]}"`,
  }
}

function isNewestFirst(sort: object | undefined): boolean {
  const terms: [string, unknown][] = Object.entries(sort ?? {})
  return terms.length === 1 && terms[0]?.[0] === 'id' && terms[0][1] === -1
}

/** The operand of a condition that consists of this one operator. */
function onlyOperand(test: unknown, operator: '$in' | '$lt'): unknown {
  if (typeof test !== 'object' || test === null) return undefined
  const operators: [string, unknown][] = Object.entries(test)
  const [[name, operand] = ['', undefined]] = operators
  return operators.length === 1 && name === operator ? operand : undefined
}

function textsIn(list: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined
  const texts = new Set<string>()
  for (const one of list as unknown[]) {
    if (typeof one !== 'string' || !one.isWellFormed()) return undefined
    texts.add(one)
  }
  return texts
}
