import type { DoorAnswer, DoorRequest } from '#protocol/door.ts'
import { goodKey } from './mcp-harness.ts'

export const revision = '2026-07-28'

/** The envelope that every request of the 2026-07-28 revision carries. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Changes = Partial<Omit<DoorRequest, 'headers'>> & {
  headers?: Record<string, string | undefined>
}

const plain = {
  host: '127.0.0.1:8080',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

/** A request of the door; `headers` adds to those that every client sends. */
export function request(body: unknown, { headers, ...changes }: Changes = {}): DoorRequest {
  return {
    method: 'POST',
    headers: { ...plain, ...headers },
    query: new URLSearchParams(),
    body,
    address: '127.0.0.0/24',
    requestId: 'req_1',
    signal: new AbortController().signal,
    ...changes,
  }
}

/** A well-formed request of the 2026-07-28 revision, with a good key. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  { headers, ...changes }: Changes = {},
): DoorRequest {
  const name = params['name'] ?? params['uri']
  const { _meta, ...rest } = params
  const body = {
    jsonrpc: '2.0',
    id: 7,
    method,
    params: { ...rest, _meta: { ...envelope, ...(_meta as object) } },
  }
  return request(body, {
    headers: {
      authorization: `Bearer ${goodKey}`,
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof name === 'string' && method !== 'tools/list' && { 'mcp-name': name }),
      ...headers,
    },
    ...changes,
  })
}

/** A request as clients of the 2025 revisions send it, with a good key. */
export function legacy(
  method: string,
  params: Record<string, unknown> = {},
  { headers, ...changes }: Changes = {},
): DoorRequest {
  const body = { jsonrpc: '2.0', id: 7, method, params }
  return request(body, {
    headers: {
      authorization: `Bearer ${goodKey}`,
      'mcp-protocol-version': '2025-11-25',
      ...headers,
    },
    ...changes,
  })
}

/** The text of an answer, streamed or not. */
export async function textOf({ body }: DoorAnswer): Promise<string> {
  if (typeof body !== 'object') return body ?? ''
  return new Response(body).text()
}

export interface Message {
  id: unknown
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: Record<string, unknown> }
}

/** The JSON-RPC message of an answer, as JSON or as the last of a stream. */
export async function messageOf(answer: DoorAnswer): Promise<Message> {
  const text = await textOf(answer)
  const data = text.startsWith('{') ? text : (/data: (.*)\n\n$/.exec(text)?.[1] ?? '')
  // The door answers JSON-RPC messages only.
  return JSON.parse(data) as Message
}
