import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose'
import { Provider, type Configuration } from 'oidc-provider'

/** A real authorization server of others, whose person consents to everything. */
export interface TestAuthorizationServer {
  issuer: string
  /** The paths of all requests, in order, with their methods. */
  asked: string[]
  /** How long access tokens last from now on, in seconds. */
  tokenSeconds: number
  /** Who signs in there from now on, by the claims of OpenID Connect. */
  person: TestPerson
  /** A token in its name with its key, unless told otherwise. */
  sign(claims: JWTPayload, header?: { alg?: string; key?: CryptoKey }): Promise<string>
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

/** A person at such a server. */
export interface TestPerson {
  sub: string
  email?: unknown
  email_verified?: unknown
}

/**
 * @param registers whether clients may register themselves; else there is one, `by-hand` with the secret `by-hand-secret`
 * @param inIdToken whether the ID token has the claims of all scopes; else they are asked for
 */
export async function startAuthorizationServer(
  redirect: string,
  { registers = true, inIdToken = true } = {},
): Promise<TestAuthorizationServer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a host has an address with a port.
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const people = new Map<string, TestPerson>()
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const provider = new Provider(issuer, {
    ...configurationOf(() => made, people, redirect, registers),
    jwks: { keys: [key] },
    conformIdTokenClaims: !inIdToken,
  })
  const answer = provider.callback()
  const made: TestAuthorizationServer = {
    issuer,
    asked: [],
    tokenSeconds: 3600,
    person: { sub: 'person' },
    sign: (claims, { alg = 'RS256', key: other = privateKey } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid: 'one' }).sign(other),
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
    if (isInteraction) people.set(made.person.sub, made.person)
    await (isInteraction
      ? consented(provider, made.person, request, response)
      : answer(request, response))
  }
  server.on('request', (request, response) => void answered(request, response))
  return made
}

function configurationOf(
  made: () => TestAuthorizationServer,
  people: ReadonlyMap<string, TestPerson>,
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
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    ttl: { Session: 3600, Grant: 3600, Interaction: 3600, RefreshToken: 3600 },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ ...people.get(id), sub: id }),
    }),
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
          accessTokenTTL: made().tokenSeconds,
          accessTokenFormat: 'opaque',
        }),
      },
    },
  }
}

async function consented(
  provider: Provider,
  { sub: accountId }: TestPerson,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId } })
  }
  const clientId = String(params.client_id)
  const grant = new provider.Grant({ accountId, clientId })
  grant.addOIDCScope('openid offline_access email')
  const { resource } = params
  if (typeof resource === 'string') grant.addResourceScope(resource, 'tools more')
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
