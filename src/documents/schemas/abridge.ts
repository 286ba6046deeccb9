import type { OperationFacts } from '#src/core/operation-facts.ts'
import { atOnce, type Steps } from '#src/core/turns/portions.ts'
import { draftSteps, homesIn, written, type Drafts, type Named } from './drafts.ts'
import { expand, isSchema, mapSchemas, type Expanded, type JsonSchema } from './expand.ts'
import { asObject, tidied, toolSchema, type ToolSchema } from './plain.ts'

/** The input schemas of a list, and what those of shorter lists are written from. */
export interface ListedInputs {
  schemas: ReadonlyMap<OperationFacts, ToolSchema>
  drafts: Drafts
}

/**
 * The input schemas of a tool list, which a model reads as a whole: every shared part and every
 * document is written out by one tool, and the others refer to that tool. Written out by all, an agent
 * with its tasks would fill most of the list.
 */
export function inputSchemas(
  catalog: readonly OperationFacts[],
): ReadonlyMap<OperationFacts, ToolSchema> {
  return atOnce(inputSchemaSteps(catalog)).schemas
}

/**
 * The same in steps of one operation: all together take long.
 * @param named how an operation is called where another refers to it; by default by its tool
 */
export function* inputSchemaSteps(
  catalog: readonly OperationFacts[],
  named?: Named,
): Steps<ListedInputs> {
  const inputs = new Map<OperationFacts, Expanded>()
  for (const op of catalog) {
    inputs.set(op, expand(op.input, 'input'))
    yield
  }
  const drafts = yield* draftSteps(inputs)
  const byName = new Map(drafts.inputs.map((draft) => [draft.name, draft]))
  const homes = homesIn(drafts)
  const schemas = new Map<OperationFacts, ToolSchema>()
  for (const [op, input] of inputs) {
    const draft = byName.get(op.name)
    const schema = draft && asObject(written(draft, drafts, homes, named))
    schemas.set(op, schema ?? tidied(input, 'input'))
    yield
  }
  return { schemas, drafts }
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
