import type * as z from 'zod'
import { expand, inlined, isSchema, mapSchemas, type Expanded, type JsonSchema } from './expand.ts'

/** The schema of a tool's input or output; MCP requires its root to be an object. */
export type ToolSchema = JsonSchema & { type: 'object' }

/**
 * A zod schema as JSON Schema that tool hosts of all kinds accept: no references (several hosts do not
 * follow them), no lists of types, one object at the root, and nothing that only zod needs. Outputs are
 * open: a member that a later version adds must not fail a client that validates answers.
 */
export function toolSchema(schema: z.ZodObject, io: 'input' | 'output'): ToolSchema {
  return tidied(expand(schema, io), io)
}

export function tidied({ root, shared }: Expanded, io: 'input' | 'output'): ToolSchema {
  return asObject(
    tidy(
      inlined(root, (name) => shared.get(name)),
      io,
    ),
  )
}

export function asObject(schema: JsonSchema): ToolSchema {
  return { ...schema, type: 'object', properties: schema['properties'] ?? {} }
}

/** Without what only zod needs, and in forms that hosts accept; references stay. */
export function tidy(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const { $schema: _schema, propertyNames: _names, type, ...rest } = schema
  dropNoise(rest)
  if (io === 'output') loosen(rest)
  const plain = Array.isArray(type)
    ? alternatives(type, rest)
    : type === undefined
      ? rest
      : { type, ...rest }
  return mapSchemas(plain, (inner) => tidy(inner, io))
}

function dropNoise(schema: JsonSchema): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  // The format says the same in one word.
  if (schema['format'] !== undefined) delete schema['pattern']
  // An absent default means the same.
  if (isEmptyDefault(schema['default'])) delete schema['default']
  for (const keyword of ['additionalProperties', 'properties']) {
    if (isEmptySchema(schema[keyword])) delete schema[keyword]
  }
  // Hosts want to know what a list contains, even if it may be anything.
  if (isEmptySchema(schema['items'])) schema['items'] = anything
}

/** Constraints for senders; a reader gains nothing from them, and old stored values may violate them. */
const inputOnly = [
  'default',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]

function loosen(schema: JsonSchema): void {
  if (schema['additionalProperties'] === false) delete schema['additionalProperties']
  for (const keyword of inputOnly) delete schema[keyword]
}

const anything = {
  anyOf: ['string', 'number', 'boolean', 'object', 'null'].map((type) => ({ type })),
}

const annotations = ['title', 'description', 'default', 'examples', 'deprecated'] as const

/** A list of types as alternatives, each with its keywords; annotations stay outside. */
function alternatives(types: readonly unknown[], rest: JsonSchema): JsonSchema {
  const outer: JsonSchema = {}
  const inner = { ...rest }
  for (const keyword of annotations) {
    if (inner[keyword] === undefined) continue
    outer[keyword] = inner[keyword]
    delete inner[keyword]
  }
  const branches = types.map((type) => (type === 'null' ? { type } : { type, ...inner }))
  return { anyOf: branches, ...outer }
}

function isEmptySchema(value: unknown): boolean {
  return isSchema(value) && Object.keys(value).length === 0
}

function isEmptyDefault(value: unknown): boolean {
  return value === null || isEmptySchema(value) || (Array.isArray(value) && value.length === 0)
}
