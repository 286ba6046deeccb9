import * as z from 'zod'
import { documentedAs } from '#src/core/schema.ts'

/** A JSON Schema object. */
export type JsonSchema = { [keyword: string]: unknown }

/** A schema as it is documented, with references to its shared parts by their names. */
export interface Expanded {
  root: JsonSchema
  shared: ReadonlyMap<string, JsonSchema>
}

/** A zod schema as JSON Schema, each member shown as it is documented. */
export function expand(schema: z.core.$ZodType, io: 'input' | 'output'): Expanded {
  const shared = new Map<string, JsonSchema>()
  return { root: convert(schema, io, shared), shared }
}

function convert(
  schema: z.core.$ZodType,
  io: 'input' | 'output',
  shared: Map<string, JsonSchema>,
): JsonSchema {
  const { $defs, ...root } = z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const shown = shownAs(zodSchema)
      if (!shown) return
      const { description } = jsonSchema
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword]
      Object.assign(jsonSchema, convert(shown, io, shared), description && { description })
    },
  })
  // Names that zod made up mean something only within this conversion; shared ones keep theirs.
  const parts = new Map(Object.entries($defs ?? {}))
  const onlyMadeUp = (name: string) => (isMadeUp(name) ? parts.get(name) : undefined)
  for (const [name, part] of parts) {
    if (!isMadeUp(name) && !shared.has(name)) shared.set(name, inlined(part, onlyMadeUp))
  }
  return inlined(root, onlyMadeUp)
}

function isMadeUp(name: string): boolean {
  return name.startsWith('__')
}

/** `.describe()` copies a schema, so the one that was registered may be its parent. */
function shownAs(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  let candidate: z.core.$ZodType | undefined = schema
  while (candidate) {
    const entry = documentedAs.get(candidate)
    if (entry) return entry.schema
    candidate = candidate._zod.parent
  }
  return undefined
}

/**
 * The schema with references replaced by what they name. One that leads back into itself ends as
 * "anything"; one that `find` does not know stays.
 */
export function inlined(
  schema: JsonSchema,
  find: (name: string) => JsonSchema | undefined,
  within: readonly string[] = [],
): JsonSchema {
  const { $ref, ...rest } = schema
  if (typeof $ref !== 'string') return mapSchemas(rest, (inner) => inlined(inner, find, within))
  const name = nameOf($ref)
  if (within.includes(name)) return rest
  const found = find(name)
  if (!found) return schema
  // Zod writes the name of a shared schema into it as `id`, which is no keyword.
  const { id: _, ...part } = found
  return { ...inlined(part, find, [...within, name]), ...rest }
}

/** The names of the shared parts that a schema leads to. */
export function namesIn({ root, shared }: Expanded): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (schema: JsonSchema): JsonSchema => {
    const name = typeof schema['$ref'] === 'string' ? nameOf(schema['$ref']) : undefined
    if (name !== undefined && !names.has(name)) {
      names.add(name)
      visit(shared.get(name) ?? {})
    }
    return mapSchemas(schema, visit)
  }
  visit(root)
  return names
}

function nameOf(reference: string): string {
  return reference.slice('#/$defs/'.length)
}

/** The schema with every schema directly inside it replaced. */
export function mapSchemas(
  schema: JsonSchema,
  change: (inner: JsonSchema) => JsonSchema,
): JsonSchema {
  const mapped: JsonSchema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (mapsOfSchemas.has(keyword) && isSchema(value)) {
      mapped[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          isSchema(inner) ? change(inner) : inner,
        ]),
      )
    } else if (listsOfSchemas.has(keyword) && Array.isArray(value)) {
      mapped[keyword] = value.map((inner) => (isSchema(inner) ? change(inner) : inner))
    } else if (singleSchemas.has(keyword) && isSchema(value)) {
      mapped[keyword] = change(value)
    } else {
      mapped[keyword] = value
    }
  }
  return mapped
}

const mapsOfSchemas = new Set(['properties', 'patternProperties'])
const listsOfSchemas = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const singleSchemas = new Set(['items', 'additionalProperties', 'not', 'contains'])

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
