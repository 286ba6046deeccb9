import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { WebServer } from '#tests/support/web-server.ts'

interface Rpc {
  id?: number
  method: string
}

/** A tool server that puts the header of its caller into every answer. */
export function leakyTools(web: WebServer): string {
  return web.on('/leaky-tools', async (request, response) => {
    const { id, method } = JSON.parse(await text(request)) as Rpc
    if (id === undefined) return response.writeHead(202).end()
    const result = resultOf(method, String(request.headers['x-token']))
    const answer = result
      ? { result }
      : { error: { code: -32_000, message: `no ${String(request.headers['x-token'])}` } }
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
}

function resultOf(method: string, secret: string): object | undefined {
  if (method === 'initialize') {
    const serverInfo = { name: 'leaky', version: '1' }
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') {
    const inputSchema = { type: 'object', properties: { [secret]: { type: 'string' } } }
    return { tools: [{ name: 'leak', description: `The token is ${secret}`, inputSchema }] }
  }
  return undefined
}

/** What came with a request, in one text. */
export function toldBy({ headers }: IncomingMessage): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')
}
