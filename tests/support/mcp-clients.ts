import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** What the tests ask of a client, whichever generation it is of. */
export type McpClient = Client | FirstClient

interface Connecting {
  /** The key of the connection; none is sent without one. */
  key?: string | undefined
}

export type Connect = (url: string, options?: Connecting) => Promise<McpClient>

const info = { name: 'abode-tests', version: '1.0.0' }

function headersOf({ key }: Connecting): { requestInit: RequestInit } {
  return { requestInit: { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } } }
}

function current(mode?: 'auto' | { pin: string }): Connect {
  return async (url, options = {}) => {
    const client = new Client(info, mode && { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), headersOf(options)))
    return client
  }
}

async function first(url: string, options: Connecting = {}): Promise<FirstClient> {
  const client = new FirstClient(info)
  await client.connect(new FirstTransport(new URL(url), headersOf(options)))
  return client
}

/** The official clients of both generations, in the ways in which they choose a revision. */
export const mcpClients: readonly [name: string, connect: Connect][] = [
  ['the current client as it comes', current()],
  ['the current client that negotiates', current('auto')],
  ['the current client pinned to 2026-07-28', current({ pin: '2026-07-28' })],
  ['the first client', first],
]

/** The result of a tool, as every client of every era gives it. */
export interface ToolResult {
  content: { type: string; text?: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  _meta?: Record<string, unknown>
}

/** Calls a tool; a refusal is a result too. */
export async function callTool(
  client: McpClient,
  name: string,
  args: Record<string, unknown> = {},
  meta?: Record<string, unknown>,
): Promise<ToolResult> {
  const result = await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) })
  // The two generations name the same result by different types.
  return result as ToolResult
}

/** The answer of a tool. @throws Error when it was refused */
export async function answerOf<T>(
  client: McpClient,
  name: string,
  args: Record<string, unknown> = {},
): Promise<T> {
  const { structuredContent, isError, content } = await callTool(client, name, args)
  const said = content[0]?.text ?? ''
  if (isError) throw new Error(`${name} was refused: ${said}`)
  // The test says what it expects of the answer, which the core's tools give once, as text.
  return (structuredContent ?? JSON.parse(said)) as T
}
