import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod'
import { startWebServer, type WebServer } from './web-server.ts'

/** A real tool server over HTTP, with a few tools. */
export interface TestToolServer {
  origin: string
  url: string
  /** The headers of every request, in order. */
  headers: IncomingHttpHeaders[]
  /** The calls of its tools, in order. */
  calls: { name: string; input: unknown; meta?: object | undefined }[]
  web: WebServer
  /** While it is, no request is answered. */
  isAway: boolean
  close(): void
}

/** @param tools further names of tools, which answer with their input */
export async function startToolServer(tools: readonly string[] = []): Promise<TestToolServer> {
  const web = await startWebServer()
  const headers: IncomingHttpHeaders[] = []
  const calls: TestToolServer['calls'] = []
  const handler = toNodeHandler(createMcpHandler(() => serverWith(tools, calls)))
  const url = web.on('/mcp', (request, response) => {
    if (server.isAway) return response.destroy()
    headers.push(request.headers)
    return handler(request, response)
  })
  const { origin } = web
  const server = { origin, url, headers, calls, web, isAway: false, close: () => web.close() }
  return server
}

function serverWith(tools: readonly string[], calls: TestToolServer['calls']): McpServer {
  const server = new McpServer({ name: 'gauges', version: '1.0.0' })
  const tide = {
    description: 'The tide at a pier.',
    inputSchema: z.object({ pier: z.string() }),
    annotations: { readOnlyHint: true },
  }
  server.registerTool('tide', tide, async (input, { mcpReq }) => {
    calls.push({ name: 'tide', input, meta: mcpReq._meta })
    return { content: [{ type: 'text', text: `High water at ${input.pier}: 07:12.` }] }
  })
  server.registerTool('broken', { description: 'It never works.' }, async () => {
    calls.push({ name: 'broken', input: {} })
    throw new Error('the gauge is out of order')
  })
  for (const name of tools) {
    const given = { description: name, inputSchema: z.object({ text: z.string() }) }
    server.registerTool(name, given, async (input) => {
      calls.push({ name, input })
      return { content: [{ type: 'text', text: input.text }] }
    })
  }
  return server
}
