import { pageInput } from '#src/core/page.ts'
import { toolName } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { isSchema, mapSchemas, type JsonSchema } from '#src/documents/schemas/expand.ts'
import { asObject, type ToolSchema } from '#src/documents/schemas/plain.ts'
import type { ToolDescriptor } from '../descriptor.ts'
import { inToolNames } from '../tool-words.ts'

/** A longer example stands with the tool that spells out its document. */
const exampleAtMost = 300

/**
 * The tools of a list that a model reads as a whole, in short: when to use each and what comes next, no
 * schema of answers, and of a document only the names of its members.
 * @param shown those of the list, of which some spell documents out
 * @param all those of the catalog
 */
export function shortTools(
  shown: readonly { op: Operation; tool: ToolDescriptor }[],
  all: readonly ToolDescriptor[],
): ToolDescriptor[] {
  const names = new Set(all.map(({ name }) => name))
  return shown.map(({ op, tool }) => {
    const { name, annotations, _meta } = tool
    const home = shown.find((one) => isSpelledOut(one.tool, op.document))?.tool
    const inputSchema = withDocument(op, home, shortSchema(tool.inputSchema))
    const description = inToolNames(descriptionOf(op, home), names)
    const said = { name, description, inputSchema, annotations: shortAnnotations(annotations) }
    return _meta ? { ...said, _meta } : said
  })
}

function descriptionOf(op: Operation, home: ToolDescriptor | undefined): string {
  const parts = [op.use ? `${op.summary} ${op.use}` : op.summary]
  if (op.auth === 'none') parts.push('No key needed.')
  const example = JSON.stringify(op.example).replaceAll(longId, '"$1_…"')
  const isElsewhere = example.length > exampleAtMost && home?.name !== toolName(op)
  if (tells(op) && !isElsewhere) parts.push(`Example: ${example}`)
  return parts.join('\n')
}

/** Without what says nothing of a read, and without what is so unless it is said. */
function shortAnnotations(all: ToolDescriptor['annotations']): ToolDescriptor['annotations'] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = all
  if (readOnlyHint) return { readOnlyHint, openWorldHint }
  return {
    readOnlyHint,
    destructiveHint,
    ...(idempotentHint && { idempotentHint }),
    openWorldHint,
  }
}

const longId = /"([a-z]{3})_[0-9a-f]{30,}"/g

/** Whether an example shows more than the ids of an address. */
function tells({ example, http }: Operation): boolean {
  return Object.keys(example).some((member) => !http.path.includes(`{${member}}`))
}

function isSpelledOut({ inputSchema }: ToolDescriptor, document: string | undefined): boolean {
  return document !== undefined && membersOf(inputSchema, document) !== undefined
}

function membersOf(schema: ToolSchema, document: string): JsonSchema | undefined {
  const { properties } = schema
  const member = isSchema(properties) ? properties[document] : undefined
  return isSchema(member) && isSchema(member['properties']) ? member['properties'] : undefined
}

/** With only the names of a document's members, where they are spelled out, and where to read of them. */
function withDocument(
  op: Operation,
  home: ToolDescriptor | undefined,
  schema: ToolSchema,
): ToolSchema {
  const { properties } = schema
  if (!op.document || !home || !isSchema(properties)) return schema
  const isHome = home.name === toolName(op)
  const names = Object.keys(membersOf(home.inputSchema, op.document) ?? {}).filter(isPlain)
  const description = isHome
    ? `Members: ${names.join(', ')}. operations_get shows each.`
    : `Members as in ${home.name}.`
  return {
    ...schema,
    properties: { ...properties, [op.document]: { type: 'object', description } },
  }
}

function isPlain(name: string): boolean {
  return /^\w+$/.test(name)
}

/** Bounds that the server tells of when they are broken, and what the name says; a quarter of the list. */
const bounds = [
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'maxProperties',
  'minimum',
]

const pageWords: ReadonlySet<unknown> = new Set(
  [pageInput.limit, pageInput.cursor].map(({ description }) => description),
)

/** Whether it only tells what `limit` or `cursor` of every list is. */
function isSaidByName(description: unknown): boolean {
  return pageWords.has(description)
}

/** Without bounds of lengths, and without null where absent means the same. */
export function shortSchema(schema: ToolSchema): ToolSchema {
  return asObject(shortened(schema))
}

function shortened(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  for (const bound of bounds) delete rest[bound]
  if (rest['additionalProperties'] === false) delete rest['additionalProperties']
  if (rest['default'] === false) delete rest['default']
  if (isSaidByName(rest['description'])) delete rest['description']
  if (!Array.isArray(anyOf)) return mapSchemas(rest, shortened)
  const choices = anyOf.filter(isSchema).filter(({ type }) => type !== 'null')
  const [only] = choices
  return choices.length === 1 && only
    ? { ...shortened(only), ...rest }
    : { ...mapSchemas({ anyOf: choices }, shortened), ...rest }
}
