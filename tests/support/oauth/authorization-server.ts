import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type Configuration } from 'oidc-provider'

/** A real authorization server of others, whose person consents to everything. */
export interface TestAuthorizationServer {
  issuer: string
  /** The paths of all requests, in order, with their methods. */
  asked: string[]
  /** How long access tokens last from now on, in seconds. */
  tokenSeconds: number
  /** Whether the token is one of this server, for that resource. */
  takes(token: string | undefined, resource: string): Promise<boolean>
  /** An access token is one no longer. */
  forget(token: string): Promise<void>
  /** Is called before each answer; what it does instead is the answer. */
  before?: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined
  /** Nothing is answered before. */
  holds?: Promise<void> | undefined
  close(): void
}

/** @param registers whether clients may register themselves; else there is one, `by-hand` with the secret `by-hand-secret` */
export async function startAuthorizationServer(
  redirect: string,
  { registers = true } = {},
): Promise<TestAuthorizationServer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a host has an address with a port.
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(
    issuer,
    configurationOf(() => made.tokenSeconds, redirect, registers),
  )
  const answer = provider.callback()
  const made: TestAuthorizationServer = {
    issuer,
    asked: [],
    tokenSeconds: 3600,
    async takes(token, resource) {
      const found = token === undefined ? undefined : await provider.AccessToken.find(token)
      return found?.aud === resource
    },
    async forget(token) {
      await (await provider.AccessToken.find(token))?.destroy()
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  const answered = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '', issuer).pathname
    made.asked.push(`${request.method} ${path}`)
    await made.holds
    if (made.before?.(request, response) !== undefined) return
    const isInteraction = path.startsWith('/interaction/')
    await (isInteraction ? consented(provider, request, response) : answer(request, response))
  }
  server.on('request', (request, response) => void answered(request, response))
  return made
}

function configurationOf(
  tokenSeconds: () => number,
  redirect: string,
  registers: boolean,
): Configuration {
  const byHand = {
    client_id: 'by-hand',
    client_secret: 'by-hand-secret',
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token'],
    application_type: 'native',
  } as const
  return {
    clients: registers ? [] : [byHand],
    scopes: ['openid', 'offline_access'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    ttl: { Session: 3600, Grant: 3600, Interaction: 3600, RefreshToken: 3600 },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: registers },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: 'tools more',
          audience: resource,
          accessTokenTTL: tokenSeconds(),
          accessTokenFormat: 'opaque',
        }),
      },
    },
  }
}

async function consented(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: 'person' } })
  }
  const clientId = String(params.client_id)
  const grant = new provider.Grant({ accountId: 'person', clientId })
  grant.addOIDCScope('openid offline_access')
  grant.addResourceScope(String(params.resource), 'tools more')
  const grantId = await grant.save()
  return provider.interactionFinished(request, response, { consent: { grantId } })
}

/** Follows a person's browser from this address until it is sent to one that begins so; gives that. */
export async function sentBackTo(redirect: string, address: string): Promise<URL> {
  const cookies = new Map<string, string>()
  for (let url = address, hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=', 2)
      cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`it ended at ${url} with status ${answer.status}`)
    url = new URL(next, url).href
    if (url.startsWith(redirect)) return new URL(url)
  }
  throw new Error('it never came back')
}
