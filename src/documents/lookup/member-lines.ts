import type { OperationFacts } from '#src/core/operation-facts.ts'
import { expand, isSchema, type JsonSchema } from '../schemas/expand.ts'

/** Characters of what is said of a member, and of the values that it may have. */
const aboutAtMost = 70
const valuesAtMost = 80

const known = new WeakMap<OperationFacts, Readonly<Record<string, string>>>()

/**
 * The members of an operation's input in one line each: the type, whether it is required, and what it is
 * about, as in `string, required: The thread to reply to.`
 */
export function memberLines(op: OperationFacts): Readonly<Record<string, string>> {
  const made = known.get(op) ?? linesOf(op)
  known.set(op, made)
  return made
}

function linesOf(op: OperationFacts): Record<string, string> {
  const { root, shared } = expand(op.input, 'input')
  const { properties, required = [] } = root
  const names: unknown[] = Array.isArray(required) ? required : []
  const lines = Object.entries(isSchema(properties) ? properties : {}).map(([name, schema]) => {
    const shown = isSchema(schema) ? schema : {}
    const need = names.includes(name) ? ', required' : ''
    const about = name === op.document ? 'operations.get shows its members' : aboutOf(shown)
    return [name, `${typeOf(shown, shared)}${need}${about && `: ${about}`}`]
  })
  return Object.fromEntries(lines)
}

/** The first sentence. */
function aboutOf({ description }: JsonSchema): string {
  if (typeof description !== 'string') return ''
  const [sentence = ''] = description.split(/(?<=[.:;])\s/)
  const whole = sentence.replace(/[.:;]$/, '')
  return whole.length <= aboutAtMost ? whole : `${whole.slice(0, aboutAtMost - 1).trimEnd()}…`
}

type Shared = ReadonlyMap<string, JsonSchema>
const noParts: Shared = new Map()

function typeOf(schema: JsonSchema, shared: Shared): string {
  const { type, anyOf, oneOf, $ref, items, const: only } = schema
  const values = schema['enum']
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(values)) return cut(values.map(String).join(' | '), valuesAtMost)
  const choices: unknown = anyOf ?? oneOf
  if (Array.isArray(choices)) return choiceOf(choices.filter(isSchema), shared)
  // A part that holds itself is named by its own type alone.
  if (typeof $ref === 'string') return typeOf(shared.get(partName($ref)) ?? {}, noParts)
  if (type === 'array') return `list of ${isSchema(items) ? typeOf(items, shared) : 'anything'}`
  if (type === 'integer' || type === 'number') return `${type}${rangeOf(schema)}`
  if (typeof type === 'string') return type
  return Array.isArray(type) ? type.filter((one) => one !== 'null').join(' or ') : 'anything'
}

function choiceOf(choices: readonly JsonSchema[], shared: Shared): string {
  const types = choices.filter(({ type }) => type !== 'null').map((one) => typeOf(one, shared))
  return [...new Set(types)].join(' or ')
}

function rangeOf({ minimum, maximum }: JsonSchema): string {
  const [least, most] = [minimum, maximum].map((bound) => {
    const isSaid = typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER
    return isSaid ? String(bound) : undefined
  })
  if (least !== undefined && most !== undefined) return ` ${least} to ${most}`
  if (most !== undefined) return ` up to ${most}`
  return ''
}

function partName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
