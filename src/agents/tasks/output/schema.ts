import * as z from 'zod'
import { isMap } from '#src/core/maps.ts'

const bytesAtMost = 16_384
const depthAtMost = 16
/** Parts of a schema once every reference is replaced by what it names. */
const partsAtMost = 2000
const dialect = 'https://json-schema.org/draft/2020-12/schema'

interface Fault {
  path: string[]
  message: string
}

type Check = (value: unknown) => boolean

const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isNumber: Check = (value) => typeof value === 'number'
const isText: Check = (value) => typeof value === 'string'
const isList: Check = (value) => Array.isArray(value)
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText)
const isAny: Check = () => true
const typeNames = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']
const isTypes: Check = (value) =>
  [value].flat().length > 0 && [value].flat().every((one) => typeNames.includes(String(one)))

/** The keywords whose value is not a schema, each with what it has to be. */
const plain = new Map<string, readonly [Check, string]>([
  ['type', [isTypes, `must be one of ${typeNames.join(', ')}, or a list of them`]],
  ['$schema', [(value) => value === dialect, `must be ${dialect}`]],
  ['const', [isAny, '']],
  ['enum', [isList, 'must be a list']],
  ['required', [isTexts, 'must be a list of texts']],
  ['uniqueItems', [(value) => typeof value === 'boolean', 'must be a boolean']],
  ['multipleOf', [(value) => isNumber(value) && Number(value) > 0, 'must be a number above 0']],
  [
    'dependentRequired',
    [
      (value) => isMap(value) && Object.values(value).every(isTexts),
      'must be a map of lists of texts',
    ],
  ],
  ...['title', 'description', '$comment', 'format'].map(
    (name) => [name, [isText, 'must be a text']] as const,
  ),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(
    (name) => [name, [isNumber, 'must be a number']] as const,
  ),
  ...[
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
    'minContains',
    'maxContains',
  ].map((name) => [name, [isCount, 'must be a whole number from 0 on']] as const),
])
const ofOne = new Set([
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const ofList = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const ofMap = new Set(['properties', 'dependentSchemas', '$defs'])
/** What cannot be checked within bounds, or leads elsewhere. */
const refused = new Set([
  'pattern',
  'patternProperties',
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  'definitions',
  'dependencies',
  'additionalItems',
])
const reference = /^#(?:\/\$defs\/[^/]{1,200})?$/

/** Walks a schema once, and finds the first fault. */
class Reading {
  readonly #root: Readonly<Record<string, unknown>>
  /** The parts of what each reference names; null while it is counted. */
  readonly #named = new Map<string, number | null>()

  constructor(root: Readonly<Record<string, unknown>>) {
    this.#root = root
  }

  /** How many parts it has. @throws Fault */
  parts(schema: unknown, path: string[], depth = 0): number {
    if (typeof schema === 'boolean') return 1
    if (!isMap(schema)) throw fault(path, 'must be a schema: an object, true or false')
    if (depth > depthAtMost) throw fault(path, `must not be more than ${depthAtMost} schemas deep`)
    let sum = 1
    for (const [name, value] of Object.entries(schema)) {
      sum += this.#keyword(name, value, [...path, name], depth)
      if (sum > partsAtMost) {
        throw fault(path, `must have at most ${partsAtMost} parts, references included`)
      }
    }
    return sum
  }

  #keyword(name: string, value: unknown, path: string[], depth: number): number {
    if (refused.has(name)) throw fault(path, 'is not supported here')
    if (name === '$ref') return this.#reference(value, path, depth)
    if (ofOne.has(name)) return this.parts(value, path, depth + 1)
    if (ofList.has(name)) {
      if (!Array.isArray(value) || value.length === 0) {
        throw fault(path, 'must be a list of schemas')
      }
      return this.#each(Object.entries(value), path, depth)
    }
    if (ofMap.has(name)) {
      if (!isMap(value)) throw fault(path, 'must be a map of schemas')
      const sum = this.#each(Object.entries(value), path, depth)
      // What is only defined counts where it is used.
      return name === '$defs' ? 0 : sum
    }
    const [isRight, message] = plain.get(name) ?? [isAny, '']
    if (!isRight(value)) throw fault(path, message)
    return 1
  }

  #each(entries: [string, unknown][], path: string[], depth: number): number {
    return entries.reduce((sum, [at, one]) => sum + this.parts(one, [...path, at], depth + 1), 0)
  }

  #reference(value: unknown, path: string[], depth: number): number {
    if (typeof value !== 'string' || !reference.test(value)) {
      throw fault(path, 'must name a schema of its own: #/$defs/NAME')
    }
    const known = this.#named.get(value)
    if (known === null || value === '#') throw fault(path, 'must not lead back to itself')
    if (known !== undefined) return known
    const name = value.slice('#/$defs/'.length).replaceAll('~1', '/').replaceAll('~0', '~')
    const defined = isMap(this.#root['$defs']) ? this.#root['$defs'] : {}
    if (!Object.hasOwn(defined, name)) throw fault(path, 'names a schema that is not in $defs')
    this.#named.set(value, null)
    const parts = this.parts(defined[name], ['$defs', name], depth + 1)
    this.#named.set(value, parts)
    return parts
  }
}

class SchemaFault extends Error {
  readonly fault: Fault
  constructor(found: Fault) {
    super(found.message)
    this.fault = found
  }
}

function fault(path: string[], message: string): SchemaFault {
  return new SchemaFault({ path, message })
}

/** Why a value is no schema that outputs can be held to; undefined where it is one. */
export function schemaFault(schema: Readonly<Record<string, unknown>>): Fault | undefined {
  if (Buffer.byteLength(JSON.stringify(schema)) > bytesAtMost) {
    return { path: [], message: `must be at most ${bytesAtMost} bytes of JSON` }
  }
  try {
    new Reading(schema).parts(schema, [])
    return undefined
  } catch (cause) {
    if (cause instanceof SchemaFault) return cause.fault
    throw cause
  }
}

export const OutputSchema = z
  .record(z.string(), z.unknown())
  .superRefine((schema, context) => {
    const found = schemaFault(schema)
    if (!found) return
    context.addIssue({
      code: 'custom',
      path: found.path,
      message: found.message,
      params: { code: 'invalid_schema' },
    })
  })
  .describe('JSON Schema (2020-12) of the output')
/** The JSON Schema that outputs of a task are held to. */
export type OutputSchema = z.infer<typeof OutputSchema>
