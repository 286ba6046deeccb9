import * as z from 'zod'
import type { ZodOpenApiParameters, ZodOpenApiRequestBodyObject } from 'zod-openapi'
import { takesBody } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import { documentedAs } from '#src/core/schema.ts'
import { patchOf } from './patches.ts'
import { samples } from './samples.ts'

/** A path of an operation: its own, or one of those that narrow it. */
export interface Endpoint {
  op: OperationFacts
  path: string
}

/** Members of the path, of the query and of headers. */
export function parametersOf(endpoint: Endpoint): ZodOpenApiParameters {
  const { path, query, header } = placesOf(endpoint)
  return {
    ...(hasMembers(path) && { path: z.object(path) }),
    ...(hasMembers(query) && { query: z.object(query) }),
    ...(hasMembers(header) && { header: z.object(header) }),
  }
}

/** The body with the operation's example, or undefined if it has none. */
export function requestBodyOf(endpoint: Endpoint): ZodOpenApiRequestBodyObject | undefined {
  const { op } = endpoint
  const { body: own, query } = placesOf(endpoint)
  // Members of the query may come in a body too; that of a GET has no meaning in HTTP, and is not offered.
  const body = op.http.method === 'DELETE' ? query : own
  const sample: Record<string, unknown> = samples(op.example)
  if (op.document !== undefined) {
    const schema = shownAs(op.input.shape[op.document] ?? z.unknown())
    const example = sample[op.document]
    if (!op.http.raw) {
      return { required: true, content: { 'application/json': { schema, example } } }
    }
    const text = { 'text/plain': { schema: z.string() } }
    return { required: false, content: { 'application/json': { schema, example }, ...text } }
  }
  if (!hasMembers(body)) return undefined
  const { catchall } = op.input._zod.def
  const schema = catchall ? z.object(body).catchall(catchall) : z.object(body)
  const example = Object.fromEntries(Object.entries(sample).filter(([name]) => name in body))
  const required = !z.object(body).safeParse({}).success
  const forms = op.files && { 'multipart/form-data': { schema: formOf(body, op.files) } }
  return { required, content: { ...forms, 'application/json': { schema, example } } }
}

/** The same members as parts of a form, where a file is its bytes. */
function formOf(
  body: Record<string, z.ZodType>,
  { member, most }: NonNullable<OperationFacts['files']>,
): z.ZodType {
  const description = body[member]?.description
  const bytes = z.string().meta({ format: 'binary', ...(description && { description }) })
  return z.object({ ...body, [member]: most > 1 ? z.array(bytes).min(1).max(most) : bytes })
}

interface Places {
  path: Record<string, z.ZodType>
  query: Record<string, z.ZodType>
  header: Record<string, z.ZodType>
  body: Record<string, z.ZodType>
}

/** Where REST puts each member of the input; a document is a body by itself. */
function placesOf({ op, path }: Endpoint): Places {
  const places: Places = { path: {}, query: {}, header: {}, body: {} }
  const headers = op.http.headers ?? {}
  const hasBody = takesBody(op.http)
  for (const [name, schema] of Object.entries(op.input.shape)) {
    if (name === op.document) continue
    const header = headers[name]
    if (header !== undefined) {
      for (const one of [header].flat()) places.header[one] = shownAs(schema)
      continue
    }
    const isBody = hasBody && op.document === undefined
    const place = path.includes(`{${name}}`) ? 'path' : isBody ? 'body' : 'query'
    // A member cannot be left out of an address, even if the operation does not need it.
    places[place][name] = place === 'path' ? required(shownAs(schema)) : shownAs(schema)
  }
  return places
}

function required(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? required(schema.unwrap() as z.ZodType)
    : schema
}

function shownAs(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray && documentOf(schema.element)) {
    // The list was made of a schema of this library.
    const element = shownAs(schema.element as z.ZodType)
    return new z.ZodArray({ ...schema._zod.def, element })
  }
  const shown = documentOf(schema)
  if (!shown) return schema
  const { description } = schema
  const whole = shown.merges ? patchOf(shown.schema) : shown.schema
  return description === undefined ? whole : whole.describe(description)
}

/** `.describe()` copies a schema, so the known one may be its parent. */
function documentOf(schema: z.core.$ZodType): ReturnType<typeof documentedAs.get> {
  const { parent } = schema._zod
  return documentedAs.get(schema) ?? (parent && documentOf(parent))
}

function hasMembers(shape: Record<string, z.ZodType>): boolean {
  return Object.keys(shape).length > 0
}

const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .meta({
    description:
      'One for each intended effect; the same one again replays the answer for 24 hours.',
    param: { name: 'Idempotency-Key', in: 'header', id: 'IdempotencyKey' },
  })
const IfMatch = z
  .string()
  .optional()
  .meta({
    description: 'The ETag of the state that is to be changed; another one answers 412.',
    param: { name: 'If-Match', in: 'header', id: 'IfMatch' },
  })
const IfNoneMatch = z
  .string()
  .optional()
  .meta({
    description: 'An ETag: answers 304 without a body while it is the current one.',
    param: { name: 'If-None-Match', in: 'header', id: 'IfNoneMatch' },
  })

/** The headers that change what a call does. */
export function headersOf({ op }: Endpoint): z.ZodType[] {
  if (op.http.method === 'GET') return op.secret ? [] : [IfNoneMatch]
  return [
    ...(op.http.method === 'POST' ? [IdempotencyKey] : []),
    ...(op.refuses.includes('revision_mismatch') ? [IfMatch] : []),
  ]
}
