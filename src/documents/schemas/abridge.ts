import { isRead, toolName, type OperationFacts } from '#src/core/operation-facts.ts'
import { atOnce, type Steps } from '#src/core/turns/portions.ts'
import { expand, isSchema, mapSchemas, namesIn, type Expanded, type JsonSchema } from './expand.ts'
import { asObject, tidied, toolSchema, type ToolSchema } from './plain.ts'

/** Shared parts shorter than this are written out everywhere. */
const worthReferring = 200

/**
 * The input schemas of a tool list, which a model reads as a whole: every shared part and every
 * document is written out by one tool, and the others refer to that tool. Written out by all, an agent
 * with its tasks would fill most of the list.
 */
export function inputSchemas(
  catalog: readonly OperationFacts[],
): ReadonlyMap<OperationFacts, ToolSchema> {
  return atOnce(inputSchemaSteps(catalog))
}

/**
 * The same in steps of one operation: all together take long.
 * @param named how an operation is called where another refers to it; by default by its tool
 */
export function* inputSchemaSteps(
  catalog: readonly OperationFacts[],
  named: (op: OperationFacts) => string = toolName,
): Steps<ReadonlyMap<OperationFacts, ToolSchema>> {
  const inputs = new Map<OperationFacts, Expanded>()
  for (const op of catalog) {
    inputs.set(op, expand(op.input, 'input'))
    yield
  }
  const homes = yield* homesOf(inputs)
  const schemas = new Map<OperationFacts, ToolSchema>()
  for (const op of catalog) {
    const schema = tidied(known(inputs, op), 'input', partsOf(op))
    schemas.set(op, withDocument(op, homes, schema, named))
    yield
  }
  return schemas

  function partsOf(op: OperationFacts) {
    return (name: string): JsonSchema | undefined => {
      const home = homes.parts.get(name)
      return home && home !== op
        ? { type: 'object', description: `As in ${named(home)}.` }
        : undefined
    }
  }
}

interface Homes {
  /** The tool that writes out a shared part, by the part's name. */
  parts: ReadonlyMap<string, OperationFacts>
  /** The tool that writes out a document, by the name of its member. */
  documents: ReadonlyMap<string, OperationFacts>
}

/** A part's home is the smallest tool that creates something with it, if there is one. */
function* homesOf(inputs: ReadonlyMap<OperationFacts, Expanded>): Steps<Homes> {
  const parts = new Map<string, OperationFacts>()
  const documents = new Map<string, OperationFacts>()
  const sizes = new Map<OperationFacts, number>()
  for (const [op, input] of inputs) {
    sizes.set(op, bytes(tidied(input, 'input')))
    yield
  }
  const order = [...inputs.keys()].sort(
    (a, b) => rank(a) - rank(b) || (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0),
  )
  for (const op of order) {
    const input = known(inputs, op)
    for (const name of namesIn(input)) {
      const part = { root: { $ref: `#/$defs/${name}` }, shared: input.shared }
      if (!parts.has(name) && bytes(tidied(part, 'input')) >= worthReferring) parts.set(name, op)
    }
    if (op.document && !documents.has(op.document)) documents.set(op.document, op)
    yield
  }
  return { parts, documents }
}

function rank(op: OperationFacts): number {
  if (isRead(op)) return 2
  return op.http.method === 'POST' ? 0 : 1
}

/** A document that another tool writes out is only named here, even if it may be sent in part. */
function withDocument(
  op: OperationFacts,
  { documents }: Homes,
  schema: ToolSchema,
  named: (op: OperationFacts) => string,
): ToolSchema {
  const home = op.document && documents.get(op.document)
  const { properties } = schema
  if (!op.document || !home || home === op || !isSchema(properties)) return schema
  const description = `Members as the ${op.document} of ${named(home)}.`
  return {
    ...schema,
    properties: { ...properties, [op.document]: { type: 'object', description } },
  }
}

/**
 * The output schema in a tool list: the members of the answer, with nested objects shown only as
 * objects. Models do not see it, and hosts only validate answers with it, so a member that may be
 * anything or null is left out.
 */
export function outputSchema(op: OperationFacts): ToolSchema {
  const { required: _, ...whole } = toolSchema(op.output, 'output')
  const { properties, ...rest } = asObject(mapSchemas(whole, shallow))
  const members = Object.entries(isSchema(properties) ? properties : {})
  return { ...rest, properties: Object.fromEntries(members.filter(([, inner]) => says(inner))) }
}

const words = new Set(['title', 'description', 'examples', 'deprecated'])

/** Whether a schema says more than a name. */
function says(schema: unknown): boolean {
  return isSchema(schema) && Object.keys(schema).some((keyword) => !words.has(keyword))
}

function shallow(schema: JsonSchema): JsonSchema {
  const { properties: _properties, required: _required, anyOf, ...rest } = schema
  // A member that may be null says less than its name does.
  return Array.isArray(anyOf) ? rest : mapSchemas(rest, shallow)
}

function known(inputs: ReadonlyMap<OperationFacts, Expanded>, op: OperationFacts): Expanded {
  return inputs.get(op) ?? expand(op.input, 'input')
}

function bytes(value: unknown): number {
  return JSON.stringify(value).length
}
