import type { Refusal } from '#src/core/errors.ts'
import { inNames, type Words } from '#src/core/words/reference.ts'

export type RpcId = string | number | null

/** A request with a valid form. Without an id it is a notification, which gets no answer. */
export interface RpcRequest {
  jsonrpc: '2.0'
  method: string
  id?: RpcId
  params?: object
}

export interface RpcError {
  code: number
  message: string
  data?: unknown
}

/** The request that an error answers, and how its door names calls: by default by their methods. */
export interface Telling {
  requestId: string
  words?: Words
}

/** The error codes that JSON-RPC itself defines. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const

/** How many requests one batch may contain. */
export const batchAtMost = 50

/**
 * The request in a parsed body or in a batch entry. Libraries differ in what they accept (ids that are
 * objects, params that are texts) and in how they refuse it, so this check comes first.
 */
export function requestIn(value: unknown): { request: RpcRequest } | { fault: string } {
  if (!isPlainObject(value)) return { fault: 'A request is an object.' }
  const { jsonrpc, method, id, params } = value
  if (jsonrpc !== '2.0') return { fault: 'The member "jsonrpc" must be "2.0".' }
  if (typeof method !== 'string') return { fault: 'The member "method" must be a string.' }
  if (id !== undefined && !isId(id)) {
    return { fault: 'The member "id" must be a string, a finite number or null.' }
  }
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return { fault: 'The member "params" must be an object or an array.' }
  }
  return {
    request: {
      jsonrpc,
      method,
      ...(id !== undefined && { id }),
      ...(params !== undefined && { params }),
    },
  }
}

/** The id for answering an invalid request: its own if it has a valid one, as JSON-RPC asks. */
export function idIn(value: unknown): RpcId {
  return isPlainObject(value) && isId(value['id']) ? value['id'] : null
}

/** What is wrong with a batch as a whole, or undefined. */
export function batchFault(batch: readonly unknown[]): string | undefined {
  if (batch.length === 0) return 'A batch holds at least one request.'
  if (batch.length > batchAtMost) return `A batch holds at most ${batchAtMost} requests.`
  return undefined
}

/**
 * A refusal as a JSON-RPC error. Its code is the HTTP status, because the protocols reserve negative
 * codes, except where JSON-RPC defines a code.
 */
export function errorOf(refusal: Refusal, { requestId, words = inNames }: Telling): RpcError {
  const { kind, status } = refusal
  const named: Partial<Record<typeof kind, number>> = {
    invalid: rpcCodes.invalidParams,
    internal: rpcCodes.internalError,
  }
  const data = refusal.toObject(requestId, words)
  return { code: named[kind] ?? status, message: data.detail, data }
}

/** The text of a successful answer; `result` is JSON already, and is sent unchanged. */
export function resultText(id: RpcId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

/** The text of an error answer. */
export function errorText(id: RpcId, error: RpcError): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}`
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isId(value: unknown): value is RpcId {
  // JSON allows numbers beyond the range of JavaScript's; they would be returned changed.
  return typeof value === 'string' || Number.isFinite(value) || value === null
}
