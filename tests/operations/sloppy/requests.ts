import type { ErrorObject } from '#src/core/errors.ts'
import type { DoorName } from '../doors/play.ts'

/** A request as a program without a client library makes it. */
export interface Raw {
  /** A tool, a method, or a REST method with a path. */
  name: string
  input?: unknown
  /** In addition to those of every request. */
  headers?: Record<string, string>
  /** Added to the address. */
  query?: string
}

/** What is answered: what was asked for, or the error object. */
export type Answered =
  | { answer: unknown; error?: undefined }
  | { answer?: undefined; error: ErrorObject }

const revision = '2026-07-28'

/** Sends a request to a door of the server at this address. */
export async function sent(door: DoorName, url: string, raw: Raw): Promise<Answered> {
  const { name, input, query = '', headers = {} } = raw
  const type = { 'content-type': 'application/json' }
  if (door === 'rest') {
    const [method = '', path = ''] = name.split(' ')
    const hasBody = method !== 'GET' && method !== 'DELETE' && input !== undefined
    const response = await fetch(url + path + query, {
      method,
      headers: { ...(hasBody && type), ...headers },
      ...(hasBody && { body: JSON.stringify(input) }),
    })
    return ofRest(await response.json(), response.ok)
  }
  const isMcp = door === 'mcp'
  const asTool = { name, arguments: input ?? {}, _meta: envelope }
  const params = isMcp ? asTool : (input ?? {})
  const method = isMcp ? 'tools/call' : name
  const spoken = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    'mcp-method': method,
    'mcp-name': name,
  }
  const response = await fetch(`${url}/${door}${query}`, {
    method: 'POST',
    headers: { ...type, ...(isMcp && spoken), ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ofRpc((await response.json()) as Rpc)
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

function ofRest(body: unknown, isOk: boolean): Answered {
  if (isOk) return { answer: body }
  const { error, ...rest } = body as { error?: { message: string; details: object | null } }
  if (!error) return { error: rest as ErrorObject }
  // The envelope of the Commons.
  return { error: { ...error.details, ...error, detail: error.message } as unknown as ErrorObject }
}

interface Rpc {
  error?: { data: ErrorObject }
  result?: { isError?: boolean; content?: { text: string }[]; structuredContent?: unknown }
}

function ofRpc({ error, result }: Rpc): Answered {
  if (error) return { error: error.data }
  if (result?.isError) return { error: JSON.parse(result.content?.[0]?.text ?? '') as ErrorObject }
  return { answer: result?.structuredContent ?? result }
}
