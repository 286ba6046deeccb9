import type { Refusal } from '#src/core/errors.ts'

export type RpcId = string | number | null

/** A request whose form was checked. Without an id it is a notification, which gets no answer. */
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

/** The numbers that JSON-RPC itself gives to errors. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const

/** How many requests one body may hold. */
export const batchAtMost = 50

/**
 * The request in a parsed body or in an entry of a batch. Libraries differ in what they let pass
 * (ids that are objects, params that are texts) and in how they refuse it, so this comes first.
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

/** The id to answer a broken request with: its own where it can be told, as JSON-RPC asks. */
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
 * A refusal as the error of a method: the HTTP status as its code, since the protocols reserve the
 * numbers below zero, but for what JSON-RPC has numbers for.
 */
export function errorOf(refusal: Refusal, requestId: string): RpcError {
  const { kind, message, status } = refusal
  const named: Partial<Record<typeof kind, number>> = {
    invalid: rpcCodes.invalidParams,
    internal: rpcCodes.internalError,
  }
  return { code: named[kind] ?? status, message, data: refusal.toObject(requestId) }
}

/** The text of an answer; `result` is JSON already, and goes out as it is. */
export function resultText(id: RpcId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

/** The text of an answer that refuses. */
export function errorText(id: RpcId, error: RpcError): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}`
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isId(value: unknown): value is RpcId {
  // JSON has numbers beyond every one of ours; they would not come back as they were sent.
  return typeof value === 'string' || Number.isFinite(value) || value === null
}
