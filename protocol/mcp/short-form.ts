import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { DoorRequest } from '#protocol/door.ts'
import type { CallMeta } from './exchange.ts'

/** The current revision; the SDK serves every other one it knows as legacy. */
export const modernRevision = '2026-07-28'

export type Era = 'modern' | 'legacy'

/** A message with such a plain form that its answer is known except for the payload. */
export interface PlainMessage {
  era: Era
  id: string | number
  method: 'tools/call' | 'tools/list'
  params: Record<string, unknown>
  meta: CallMeta | undefined
}

/** The message of a request, or undefined if anything about its form is unusual. */
export function plainMessage(request: DoorRequest): PlainMessage | undefined {
  const { headers, body, signal } = request
  if (signal.aborted || !isPlainJson(headers['content-type']) || !isObject(body)) return undefined
  const { jsonrpc, id, method, params = {}, ...others } = body
  if (jsonrpc !== '2.0' || !isId(id) || !isObject(params) || !isEmpty(others)) return undefined
  if (method !== 'tools/call' && method !== 'tools/list') return undefined
  const { _meta: meta, ...rest } = params
  if (meta !== undefined && (!isObject(meta) || !isPlainMeta(meta))) return undefined
  const era = meta && PROTOCOL_VERSION_META_KEY in meta ? 'modern' : 'legacy'
  const isPlain = era === 'modern' ? isPlainModern(headers, method, meta) : isPlainLegacy(headers)
  if (!isPlain || eraOf(request, { body, method, meta }) !== era) return undefined
  return { era, id, method, params: rest, meta }
}

function isPlainJson(contentType: string | undefined): boolean {
  return contentType === 'application/json' || contentType === 'application/json; charset=utf-8'
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

const protocolPrefix = 'io.modelcontextprotocol/'
const envelopeKeys = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
])

/** Whether the answer depends on nothing in `_meta`. */
function isPlainMeta(meta: CallMeta): boolean {
  for (const key of Object.keys(meta)) {
    if (key === 'progressToken' && !isId(meta[key])) return false
    if (key.startsWith(protocolPrefix) && !envelopeKeys.has(key)) return false
  }
  return true
}

type Headers = DoorRequest['headers']

function isPlainModern(headers: Headers, method: string, meta: CallMeta | undefined): boolean {
  return (
    meta?.[PROTOCOL_VERSION_META_KEY] === modernRevision &&
    headers['mcp-protocol-version'] === modernRevision &&
    headers['mcp-method'] === method
  )
}

/** Legacy clients need no header, and their transport requires both media types. */
function isPlainLegacy(headers: Headers): boolean {
  const { 'mcp-protocol-version': revision, accept = '' } = headers
  return (
    (revision === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream')
  )
}

/** What the SDK chose for envelopes that came before: a client sends the same one with each request. */
const eras = new Map<string, Era | undefined>()
const erasAtMost = 256
/** A larger request is not compared with others before it. */
const comparedBytes = 8192

/** The plain parts of a message. */
interface Parts {
  body: object
  method: string
  meta: CallMeta | undefined
}

/** The era that the SDK itself would choose for the message, if it accepts the message at all. */
function eraOf({ headers, rawLength = 0 }: DoorRequest, parts: Parts): Era | undefined {
  const { body, method, meta } = parts
  const envelope = rawLength > comparedBytes ? undefined : envelopeOf(meta)
  if (envelope === undefined) return eraBySdk(headers, body)
  const { 'mcp-protocol-version': revision, 'mcp-method': named } = headers
  const key = JSON.stringify([method, revision, named, envelope])
  const before = eras.get(key)
  if (before !== undefined || eras.has(key)) return before
  const era = eraBySdk(headers, body)
  if (eras.size >= erasAtMost) eras.clear()
  eras.set(key, era)
  return era
}

/** All of a `_meta` that an era depends on; undefined if it has members that others may depend on. */
function envelopeOf(meta: CallMeta = {}): unknown[] | undefined {
  const {
    [PROTOCOL_VERSION_META_KEY]: revision,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    [CLIENT_INFO_META_KEY]: client,
    progressToken,
    ...others
  } = meta
  return isEmpty(others)
    ? [Object.keys(meta), revision, capabilities, client, typeof progressToken]
    : undefined
}

function eraBySdk(headers: Headers, body: object): Era | undefined {
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: headers['mcp-protocol-version'],
    mcpMethodHeader: headers['mcp-method'],
    mcpNameHeader: headers['mcp-name'],
    body,
  })
  if (outcome.kind === 'modern') return outcome.messageKind === 'request' ? 'modern' : undefined
  return outcome.kind === 'legacy' && outcome.reason === 'no-claim' ? 'legacy' : undefined
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isEmpty(value: object): boolean {
  for (const _ in value) return false
  return true
}
