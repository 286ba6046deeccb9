import { AsyncLocalStorage } from 'node:async_hooks'
import type { MCPClient } from '@ai-sdk/mcp'
import { isMap } from '#src/core/maps.ts'
import { ConsentNeeded } from '#src/ports/authorize.ts'
import { OAuthFailure } from '#src/ports/oauth.ts'
import {
  attemptHeader,
  OutboundFailure,
  type EffectMark,
  type Streamer,
} from '#src/ports/sender.ts'
import {
  ToolServerFailure,
  type ServerTool,
  type ToolServer,
  type ToolServerAnswer,
  type ToolServers,
} from '#src/ports/tool-server.ts'
import { authorized } from './authorized.ts'
import { fetchOver } from './fetch.ts'

export interface ToolServersOptions {
  guarded: Streamer
  version: string
  /** For one request and its answer, in milliseconds; by default the 20 seconds of the guarded fetch. */
  timeoutMs?: number
  /** The trace that is under way, for the `_meta` of calls. */
  trace?: () => Record<string, string>
}

const pagesAtMost = 5
const redirects = 3

/** Tool servers over HTTP by the MCP client of the `ai` library, which is loaded with the first one. */
export function openToolServers({
  guarded,
  version,
  timeoutMs = 20_000,
  trace = () => ({}),
}: ToolServersOptions): ToolServers {
  const way = fetchOver(guarded, { timeoutMs, redirects })
  return {
    async connect({ url, headers, authorize }, signal) {
      const { createMCPClient } = await import('@ai-sdk/mcp')
      const limits = { signal, timeout: timeoutMs }
      const client = await createMCPClient({
        transport: {
          type: 'http',
          url,
          headers,
          fetch: withoutListening(marked(authorized(way, authorize), trace)),
        },
        clientName: 'abode',
        version,
        maxRetries: 0,
        initializationOptions: limits,
        // A fault in an answer is reported to the pending call, or ends by the time limit.
        onUncaughtError: () => undefined,
      }).catch(fail)
      try {
        return serverOver(client, await toolsOf(client, limits), timeoutMs)
      } catch (cause) {
        await client.close().catch(() => undefined)
        return fail(cause)
      }
    },
  }
}

/** Servers may keep a connection open to send unrequested messages: nothing here would listen. */
function withoutListening(way: typeof fetch): typeof fetch {
  return async (target, init) =>
    (init?.method ?? 'GET') === 'GET' ? new Response(null, { status: 405 }) : way(target, init)
}

/** The mark of the call that is being made. */
const calls = new AsyncLocalStorage<EffectMark>()

/** Adds the mark of a call, and its trace, to its `_meta`, which the library has no way to set. */
function marked(way: typeof fetch, trace: () => Record<string, string>): typeof fetch {
  return (target, init) => {
    const mark = calls.getStore()
    if (!mark || typeof init?.body !== 'string') return way(target, init)
    // The library has written it.
    const message = JSON.parse(init.body) as { method?: string; params?: { _meta?: object } }
    if (message.method !== 'tools/call') return way(target, init)
    const { key, attempt } = mark
    const mine = { 'idempotency-key': key, [attemptHeader]: attempt, ...trace() }
    const _meta = { ...message.params?._meta, ...mine }
    const params = { ...message.params, _meta }
    return way(target, { ...init, body: JSON.stringify({ ...message, params }) })
  }
}

function serverOver(client: MCPClient, tools: ServerTool[], timeout: number): ToolServer {
  return {
    tools,
    async call(name, input, { signal, mark }) {
      const args = isMap(input) ? input : {}
      const options = { signal, timeout }
      const result = await calls
        .run(mark, () => client.callTool({ name, arguments: args, options }))
        .catch(fail)
      return answerOf(result)
    },
    async close() {
      await client.close().catch(() => undefined)
    },
  }
}

async function toolsOf(
  client: MCPClient,
  options: { signal: AbortSignal; timeout: number },
): Promise<ServerTool[]> {
  const tools: ServerTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesAtMost; page++) {
    const listed = await client.listTools({ options, ...(cursor && { params: { cursor } }) })
    for (const { name, description, inputSchema, annotations } of listed.tools) {
      const isHarmless =
        annotations?.readOnlyHint === true || annotations?.destructiveHint === false
      tools.push({ name, description: description ?? '', parameters: inputSchema, isHarmless })
    }
    cursor = listed.nextCursor
    if (!cursor) break
  }
  return tools
}

type CallResult = Awaited<ReturnType<MCPClient['callTool']>>

function answerOf(result: CallResult): ToolServerAnswer {
  const content: unknown = 'content' in result ? result.content : undefined
  const parts = Array.isArray(content) ? content.map(textOf) : []
  const text = parts.length > 0 ? parts.join('\n') : JSON.stringify(structureOf(result) ?? null)
  return { text, isError: 'isError' in result && result.isError === true }
}

function structureOf(result: CallResult): unknown {
  if ('structuredContent' in result) return result.structuredContent
  return 'toolResult' in result ? result.toolResult : undefined
}

/** Parts that are not text are named, and not shown. */
function textOf(part: unknown): string {
  if (!isMap(part)) return ''
  if (typeof part['text'] === 'string') return part['text']
  const { resource } = part
  if (isMap(resource) && typeof resource['text'] === 'string') return resource['text']
  const kind = [part['type'], part['mimeType'], part['uri']].filter(
    (one) => typeof one === 'string',
  )
  return `[${kind.join(' ')}]`
}

/** @throws ToolServerFailure or ConsentNeeded always */
function fail(cause: unknown): never {
  for (let one = cause, depth = 0; depth < 8 && one instanceof Error; depth++) {
    if (one instanceof ConsentNeeded) throw one
    one = one.cause
  }
  throw new ToolServerFailure(reasonOf(cause), { cause })
}

const wordsAtMost = 500

function reasonOf(cause: unknown): string {
  let one = cause
  for (let depth = 0; depth < 8 && one instanceof Error; depth++) {
    if (one instanceof OutboundFailure && one.fault !== 'timeout') return one.message
    if (one instanceof OAuthFailure) return one.message
    // The message of a JSON-RPC error is for the caller; other error pages are not.
    if ('code' in one && typeof one.code === 'number') {
      return `The server refused the call (${one.code}): ${one.message.slice(0, wordsAtMost)}`
    }
    if ('statusCode' in one && typeof one.statusCode === 'number' && one.statusCode >= 300) {
      return `The server answered with status ${one.statusCode}.`
    }
    const isLate = one instanceof OutboundFailure || /\btimed out\b/.test(one.message)
    if (isLate) return 'The server did not answer in time.'
    one = one.cause
  }
  return 'The server did not answer as a tool server does.'
}
