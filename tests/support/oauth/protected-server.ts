import type { IncomingMessage, ServerResponse } from 'node:http'
import { startToolServer, type TestToolServer } from '../tool-server.ts'
import type { TestAuthorizationServer } from './authorization-server.ts'

/** A tool server, and an API next to it, that ask for the tokens of an authorization server. */
export interface ProtectedServer {
  tools: TestToolServer
  /** The address of the API, which answers with what it was sent. */
  api: string
  /** The tokens that it was sent, in order, and undefined where there was none. */
  sent: (string | undefined)[]
  /** What it says of itself. */
  metadata: Record<string, unknown>
  /** What its challenge holds; undefined: it says only `Bearer`. */
  challenge: string | undefined
  /** Refuses every token. */
  refuses: boolean
  close(): void
}

export async function startProtectedServer(
  authorization: Pick<TestAuthorizationServer, 'issuer' | 'takes'>,
): Promise<ProtectedServer> {
  const tools = await startToolServer(['echo'])
  const { web, origin } = tools
  const resource = `${origin}/guarded`
  const made: ProtectedServer = {
    tools,
    api: `${resource}/api`,
    sent: [],
    metadata: {
      resource,
      authorization_servers: [authorization.issuer],
      scopes_supported: ['tools'],
      resource_name: 'Gauges',
    },
    challenge: undefined,
    refuses: false,
    close: () => tools.close(),
  }
  const isLetIn = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1]
    made.sent.push(token)
    const wanted = String(made.metadata.resource)
    if (!made.refuses && (await authorization.takes(token, wanted))) return true
    const more = made.challenge === undefined ? '' : ` ${made.challenge}`
    response.writeHead(401, { 'www-authenticate': `Bearer${more}` }).end()
    return false
  }
  const mcp = web.answerAt('/mcp')
  web.on('/guarded/mcp', async (request, response) => {
    if (await isLetIn(request, response)) await mcp(request, response)
  })
  web.on('/guarded/api', async (request, response) => {
    if (!(await isLetIn(request, response))) return
    const said = { done: true, sent: request.headers.authorization }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  })
  const document = (_: IncomingMessage, response: ServerResponse): void => {
    const body = JSON.stringify(made.metadata)
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
  web.on('/.well-known/oauth-protected-resource/guarded/mcp', document)
  web.on('/.well-known/oauth-protected-resource/guarded/api', document)
  return made
}
