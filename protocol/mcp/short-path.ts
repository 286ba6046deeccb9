import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import type { Operation } from '#src/core/operation.ts'
import type { DoorAnswer, DoorRequest } from '#protocol/door.ts'
import type { CallMeta, Exchange } from './exchange.ts'
import { shortPathRevision, type Frame, type Frames } from './frames.ts'
import { textOf } from './results.ts'
import { selectionKey, type Selection, type ToolTable } from './tools.ts'

/** A request that is formed so perfectly that its answer is known but for the payload. */
export type ShortRequest =
  | { kind: 'list'; id: string }
  | { kind: 'call'; id: string; operation: Operation; input: object; meta: CallMeta }

const listsAtMost = 32

/**
 * Answers plain `tools/call` and `tools/list` of the 2026-07-28 revision without building a server.
 * It only ever says yes: whatever is unusual, and every refusal of form, is the SDK's.
 */
export class ShortPath {
  readonly #tools: ToolTable
  readonly #frames: Frames
  readonly #lists = new Map<string, string>()

  constructor(tools: ToolTable, frames: Frames) {
    this.#tools = tools
    this.#frames = frames
  }

  /** What the request asks, or undefined when the SDK must look at it. */
  recognise({ headers, body, signal }: DoorRequest): ShortRequest | undefined {
    if (signal.aborted || !isPlainJson(headers['content-type']) || !isObject(body)) return undefined
    const { jsonrpc, id, method, params, ...others } = body
    if (jsonrpc !== '2.0' || !isId(id) || !isObject(params) || !isEmpty(others)) return undefined
    if (headers['mcp-method'] !== method) return undefined
    if (headers['mcp-protocol-version'] !== shortPathRevision) return undefined
    const { _meta: meta, name, arguments: input, ...rest } = params
    if (!isObject(meta) || !isEmpty(rest) || !isEnvelope(meta, headers, body)) return undefined
    const wireId = JSON.stringify(id)
    if (method === 'tools/list') {
      return name === undefined && input === undefined ? { kind: 'list', id: wireId } : undefined
    }
    if (method !== 'tools/call' || typeof name !== 'string') return undefined
    if (headers['mcp-name'] !== name || (input !== undefined && !isObject(input))) return undefined
    const operation = this.#tools.find(name)
    return operation && { kind: 'call', id: wireId, operation, input: input ?? {}, meta }
  }

  /** Answers it. Once the operation was entered, its outcome is the answer. */
  async answer(short: ShortRequest, exchange: Exchange): Promise<DoorAnswer> {
    if (short.kind === 'list') return this.#list(short.id, exchange.selection)
    const { requestId, signal } = exchange.request
    const outcome = await exchange.serve(short.operation, short.input, short.meta, signal)
    const frame = outcome.refusal ? this.#frames.refusal : this.#frames.success
    return filled(frame, short.id, textOf(outcome, requestId))
  }

  #list(id: string, selection: Selection): DoorAnswer {
    const key = selectionKey(selection)
    let text = this.#lists.get(key)
    if (text === undefined) {
      // An address may ask for any of hundreds of combinations; few are ever used.
      if (this.#lists.size >= listsAtMost) this.#lists.clear()
      this.#lists.set(key, (text = JSON.stringify(this.#tools.list(selection))))
    }
    return filled(this.#frames.list, id, text)
  }
}

function filled(frame: Frame, id: string, text: string): DoorAnswer {
  return { status: frame.status, headers: { ...frame.headers }, body: frame.fill(id, text) }
}

/** Members of the envelope that say nothing the answer would depend on. */
const plainMeta = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  'idempotency-key',
  'traceparent',
  'tracestate',
])

/** Whether the SDK itself would take it as a well-formed request of this revision. */
function isEnvelope(meta: CallMeta, headers: DoorRequest['headers'], body: object): boolean {
  for (const key of Object.keys(meta)) if (!plainMeta.has(key)) return false
  if (meta[PROTOCOL_VERSION_META_KEY] !== shortPathRevision) return false
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: headers['mcp-protocol-version'],
    mcpMethodHeader: headers['mcp-method'],
    mcpNameHeader: headers['mcp-name'],
    body,
  })
  return outcome.kind === 'modern' && outcome.messageKind === 'request'
}

function isPlainJson(contentType: string | undefined): boolean {
  return contentType === 'application/json' || contentType === 'application/json; charset=utf-8'
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false
  return true
}
