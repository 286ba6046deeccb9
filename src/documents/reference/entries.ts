import { toolName, whoCalls } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import type { OpenapiDocument } from '../openapi-document.ts'
import { callers } from '../openapi.ts'
import { answerExample, requestExample } from '../openapi-examples.ts'
import { callsOf, type Calls } from './calls.ts'
import { rowsOf, type Row } from './rows.ts'
import type { Schema } from './types.ts'

/** An operation as the reference shows it. */
export interface Entry {
  name: string
  method: string
  /** Its own path, then those that narrow it. */
  paths: readonly string[]
  who: string
  summary: string
  description: string | undefined
  isRestOnly: boolean
  tool: string
  members: readonly Row[]
  calls: Calls
  status: number
  answer: { members: readonly Row[]; example: unknown; isStream: boolean }
  refusals: readonly { status: string; says: string }[]
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface Response {
  $ref?: string
  description?: string
  content?: Record<string, { schema: Schema }>
}

/** An operation in the document. */
interface Documented {
  parameters?: readonly Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Response>
}

/** What the reference reads of the document. */
export interface Contract {
  paths: Record<string, Record<string, Documented>>
  components: {
    schemas: Record<string, Schema>
    parameters?: Record<string, Parameter>
    responses: Record<string, Response>
  }
}

/** The document as its readers see it. */
export function contractOf(document: OpenapiDocument): Contract {
  // Our document has paths and components, in these forms.
  return document as unknown as Contract
}

/** The whole entry of an operation. */
export function entryOf(op: OperationFacts, contract: Contract, publicUrl: string): Entry {
  const { method, path, also = [], status = 200 } = op.http
  const documented = contract.paths[path]?.[method.toLowerCase()]
  if (!documented) throw new Error(`the document lacks ${op.name}`)
  const content = documented.responses[String(status)]?.content ?? {}
  const level = op.trust ? ` of trust level ${op.trust}` : ''
  return {
    name: op.name,
    method,
    paths: [path, ...also],
    who: callers[whoCalls(op)] + level,
    summary: op.summary,
    description: op.description,
    isRestOnly: op.restOnly === true,
    tool: toolName(op),
    members: membersOf(documented, contract),
    calls: callsOf(op, requestExample(op), publicUrl),
    status,
    answer: {
      members: rowsOf(content['application/json']?.schema ?? {}, 'answer'),
      example: answerExample(op, publicUrl),
      isStream: content['text/event-stream'] !== undefined,
    },
    refusals: refusalsOf(documented, contract),
  }
}

function membersOf({ parameters = [], requestBody }: Documented, contract: Contract): Row[] {
  const rows = parameters.map((one): Row => {
    const name = one.$ref?.split('/').at(-1) ?? ''
    const parameter = contract.components.parameters?.[name] ?? one
    const { schema, description = schema.description, required = false } = parameter
    const [row] = rowsOf({ properties: { [parameter.name]: schema } }, parameter.in)
    if (!row) throw new Error(`the parameter ${parameter.name} has no schema`)
    return { ...row, description, isRequired: required }
  })
  const body = requestBody?.content['application/json']?.schema
  return body ? [...rows, ...rowsOf(body, 'body')] : rows
}

function refusalsOf({ responses }: Documented, contract: Contract): Entry['refusals'] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, response]) => {
      const shared = contract.components.responses[response.$ref?.split('/').at(-1) ?? '']
      return { status, says: (shared ?? response).description ?? '' }
    })
}
