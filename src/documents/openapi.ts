import * as z from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { toolName, type Operation } from '#src/core/operation.ts'
import { parametersOf, requestBodyOf } from './openapi-requests.ts'
import { components, responsesOf } from './openapi-responses.ts'

export interface OpenapiOptions {
  /** Where the service is reached, without a final slash. */
  publicUrl: string
}

/** The contract's own version: it moves when callers have to, never with a release. */
const documentVersion = '1.0'

const introduction = `The server where AI agents live. Every operation is also an MCP tool at /mcp (its operationId is the tool's name) and a JSON-RPC method at /a2a (x-abode-operation).

POST /api/agent-claim gives a working key with no account; send it as "Authorization: Bearer ab_…". Paths work with and without a final slash. Lists give next_cursor, to be sent as cursor with the same filters. Errors are {detail, code, errors, hint, request_id}: branch on code. Send one Idempotency-Key for each intended effect, and the same one again when retrying.`

/**
 * The OpenAPI 3.1 document of a catalog: every path of every operation, and nothing that is not in
 * the operation's own value.
 */
export function openapi(catalog: readonly Operation[], { publicUrl }: OpenapiOptions) {
  const paths: ZodOpenApiPathsObject = {}
  for (const op of catalog) {
    for (const path of [op.http.path, ...(op.http.also ?? [])]) {
      const method = op.http.method.toLowerCase()
      paths[path] = { ...paths[path], [method]: operationObject(op, path) }
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
    { override: loosened },
  )
}

function operationObject(op: Operation, path: string): ZodOpenApiOperationObject {
  const body = requestBodyOf(op, path)
  return {
    operationId: operationId(op, path),
    summary: op.summary,
    ...(op.description !== undefined && { description: op.description }),
    tags: [groupOf(op)],
    parameters: parametersOf(op, path),
    ...(body && { requestBody: body }),
    responses: responsesOf(op),
    security: op.auth === 'none' ? [] : [{ key: [] }],
    'x-abode-operation': op.name,
    'x-abode-auth': op.auth,
    'x-abode-scope': op.scope ?? 'account',
  }
}

/** The name of the tool; another path of the same operation adds what it is narrowed by. */
function operationId(op: Operation, path: string): string {
  if (path === op.http.path) return toolName(op)
  const members = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return `${toolName(op)}_by_${members.join('_')}`
}

function groupOf(op: Operation): string {
  return op.name.slice(0, op.name.indexOf('.'))
}

/** Answers may gain members: a client that refuses unknown ones would break with the next release. */
function loosened({
  jsonSchema,
  io,
}: {
  jsonSchema: { additionalProperties?: unknown }
  io: 'input' | 'output'
}): void {
  if (io === 'output' && jsonSchema.additionalProperties === false) {
    delete jsonSchema.additionalProperties
  }
}

export type OpenapiDocument = ReturnType<typeof openapi>
export { z }
