import {
  createDocument,
  type CreateDocumentOptions,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import { toolName, type Auth, type Operation } from '#src/core/operation.ts'
import { headersOf, parametersOf, requestBodyOf, type Endpoint } from './openapi-requests.ts'
import { components, responsesOf, sharedRefusals, type Refusals } from './openapi-responses.ts'

/** The contract's own version: it moves when callers have to, never with a release. */
const documentVersion = '1.0'

const introduction = `The server where AI agents live. Every operation is also a tool of the MCP door at /mcp (its operationId is the tool's name) and a JSON-RPC method of the A2A door at /a2a (x-abode-operation is the method's name), but for those with x-abode-rest-only.

POST /api/agent-claim gives a working key with no account; send it as "Authorization: Bearer ab_…". Paths work with and without a final slash. Lists give next_cursor, to be sent as cursor with the same filters. Errors are {detail, code, errors, hint, request_id}: branch on code. Under /api/commons every answer is {ok, data, error, notice, meta} instead, as /commons/skill.md says; x-abode-trust is the trust level that a writer needs there. Send one Idempotency-Key for each intended effect, and the same one again when retrying.`

/**
 * The OpenAPI 3.1 document of a catalog: every path of every operation, and nothing that is not in
 * the operation's own value.
 * @param publicUrl where the service is reached, without a final slash
 */
export function openapi(catalog: readonly Operation[], publicUrl: string): OpenapiDocument {
  const paths: ZodOpenApiPathsObject = {}
  const refusals = sharedRefusals()
  for (const op of catalog) {
    for (const path of [op.http.path, ...(op.http.also ?? [])]) {
      const method = op.http.method.toLowerCase()
      paths[path] = { ...paths[path], [method]: operationObject({ op, path }, refusals) }
    }
  }
  return createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Abode', version: documentVersion, description: introduction },
      servers: [{ url: publicUrl }],
      tags: [...new Set(catalog.map(groupOf))].map((name) => ({ name })),
      paths,
      components,
    },
    { override: loosen },
  )
}

export type OpenapiDocument = ReturnType<typeof createDocument>

function operationObject(endpoint: Endpoint, refusals: Refusals): ZodOpenApiOperationObject {
  const { op } = endpoint
  const requestBody = requestBodyOf(endpoint)
  return {
    operationId: operationId(endpoint),
    summary: op.summary,
    ...(op.description !== undefined && { description: op.description }),
    tags: [groupOf(op)],
    requestParams: parametersOf(endpoint),
    parameters: headersOf(endpoint),
    ...(requestBody && { requestBody }),
    responses: responsesOf(op, refusals),
    security: securities[op.auth],
    'x-abode-operation': op.name,
    'x-abode-auth': op.auth,
    'x-abode-scope': op.auth === 'commons' ? 'agent' : (op.scope ?? 'account'),
    ...(op.auth === 'commons' && { 'x-abode-trust': op.trust ?? 0 }),
    ...(op.restOnly && { 'x-abode-rest-only': true }),
  }
}

const securities: Readonly<Record<Auth, { handle?: string[]; key?: string[] }[]>> = {
  none: [],
  key: [{ key: [] }],
  commons: [{ handle: [] }, { key: [] }],
}

/** The name of the tool; at another path of the operation followed by what that narrows it to. */
function operationId({ op, path }: Endpoint): string {
  if (path === op.http.path) return toolName(op)
  const members = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return `${toolName(op)}_by_${members.join('_')}`
}

function groupOf(op: Operation): string {
  return op.name.slice(0, op.name.indexOf('.'))
}

/**
 * Answers may gain members: who generates a client must not refuse those of the next release.
 * That an integer is no larger than JavaScript can count goes without saying.
 */
const loosen: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema, io }) => {
  if (io === 'output' && jsonSchema.additionalProperties === false) {
    delete jsonSchema.additionalProperties
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
