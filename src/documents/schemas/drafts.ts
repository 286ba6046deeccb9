import { isRead, toolName, type OperationFacts } from '#src/core/operation-facts.ts'
import type { Steps } from '#src/core/turns/portions.ts'
import { inlined, isSchema, namesIn, type Expanded, type JsonSchema } from './expand.ts'
import { tidied, tidy } from './plain.ts'

/**
 * What the inputs of any list of operations are written from. Shared parts stand in them as references, since it
 * depends on the list which operation writes them out. It is plain JSON.
 */
export interface Drafts {
  /** Of the operations that take a shared part or a document, the best homes first. */
  inputs: readonly Draft[]
  /** The shared parts that are worth referring to, by name. */
  parts: Readonly<Record<string, JsonSchema>>
}

/** The input of an operation. */
export interface Draft {
  /** The name of the operation. */
  name: string
  schema: JsonSchema
  /** The member that is a document, if there is one. */
  document?: string
  /** The shared parts in it at any depth, without those that only its document has. */
  parts: readonly string[]
  /** Those of its document. */
  documentParts: readonly string[]
}

/** The operation of a list that writes out each shared part, and each document by the name of its member. */
export interface Homes {
  parts: ReadonlyMap<string, string>
  documents: ReadonlyMap<string, string>
}

/** How an operation is called where another refers to it. */
export type Named = (op: Pick<OperationFacts, 'name'>) => string

/** Shared parts shorter than this are written out everywhere. */
const worthReferring = 200

/** The drafts of a catalog, in steps of one operation. The best home is the smallest one that creates something. */
export function* draftSteps(inputs: ReadonlyMap<OperationFacts, Expanded>): Steps<Drafts> {
  const sizes = new Map<OperationFacts, number>()
  for (const [op, input] of inputs) {
    sizes.set(op, bytes(tidied(input, 'input')))
    yield
  }
  const order = [...inputs].sort(
    ([a], [b]) => rank(a) - rank(b) || (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0),
  )
  const shared = new Map<string, Expanded>()
  for (const [, input] of order) {
    for (const name of namesIn(input)) {
      const part = { root: { $ref: `#/$defs/${name}` }, shared: input.shared }
      if (!shared.has(name) && bytes(tidied(part, 'input')) >= worthReferring) {
        shared.set(name, part)
      }
    }
    yield
  }
  const drafts: Draft[] = []
  for (const [op, input] of order) {
    const draft = draftOf(op, input, shared)
    if (draft.document !== undefined || draft.parts.length > 0) drafts.push(draft)
    yield
  }
  const parts = [...shared].map(([name, part]) => [name, drafted(part, shared, name)])
  return { inputs: drafts, parts: Object.fromEntries(parts) as Record<string, JsonSchema> }
}

function rank(op: OperationFacts): number {
  if (isRead(op)) return 2
  return op.http.method === 'POST' ? 0 : 1
}

function draftOf(op: OperationFacts, input: Expanded, parts: ReadonlyMap<string, unknown>): Draft {
  const { properties } = input.root
  const members = isSchema(properties) ? properties : {}
  const among = (some: JsonSchema): string[] => {
    const names = namesIn({ root: { properties: some }, shared: input.shared })
    return [...names].filter((name) => parts.has(name))
  }
  const { [op.document ?? '']: document, ...others } = members
  const schema = drafted(input, parts)
  const { name } = op
  if (!isSchema(document)) return { name, schema, parts: among(members), documentParts: [] }
  const documentParts = among({ document })
  return { name, schema, document: op.document ?? '', parts: among(others), documentParts }
}

/** Tidied, with references to shared parts. @param own the part that it is itself, if it is one */
function drafted(
  { root, shared }: Expanded,
  parts: ReadonlyMap<string, unknown>,
  own?: string,
): JsonSchema {
  const find = (name: string) => (parts.has(name) && name !== own ? undefined : shared.get(name))
  return tidy(inlined(root, find), 'input')
}

/** @param listed whether the list has the operation of this name; by default it has all */
export function homesIn({ inputs }: Drafts, listed: (name: string) => boolean = () => true): Homes {
  const parts = new Map<string, string>()
  const documents = new Map<string, string>()
  for (const { name: home, document, parts: some, documentParts } of inputs) {
    if (!listed(home)) continue
    const isHome = document !== undefined && !documents.has(document)
    if (isHome) documents.set(document, home)
    // A document that another one writes out is only named here, and so are its parts.
    for (const part of isHome ? [...some, ...documentParts] : some) {
      if (!parts.has(part)) parts.set(part, home)
    }
  }
  return { parts, documents }
}

/** The input as this list has it: what another operation writes out is only named, even if it may be sent in part. */
export function written(
  { name: own, schema, document }: Draft,
  drafts: Pick<Drafts, 'parts'>,
  homes: Homes,
  named: Named = toolName,
): JsonSchema {
  const home = document === undefined ? undefined : homes.documents.get(document)
  const { properties } = schema
  let draft = schema
  if (document !== undefined && home !== undefined && home !== own && isSchema(properties)) {
    const description = `Members as the ${document} of ${named({ name: home })}.`
    draft = {
      ...schema,
      properties: { ...properties, [document]: { type: 'object', description } },
    }
  }
  return inlined(draft, (part) => {
    const home = homes.parts.get(part)
    return home === undefined || home === own
      ? drafts.parts[part]
      : { type: 'object', description: `As in ${named({ name: home })}.` }
  })
}

function bytes(value: unknown): number {
  return JSON.stringify(value).length
}
