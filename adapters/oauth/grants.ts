import type * as Library from 'oauth4webapi'
import type { AuthorizationServer, OAuthClient, OAuthTokens, Redeeming } from '#src/ports/oauth.ts'
import { failure } from './failures.ts'
import { scopesIn } from './metadata.ts'
import type { Way } from './way.ts'

/** What a header can hold of a token. */
const token = /^[\x21-\x7e]{1,8192}$/
const longestSeconds = 31_536_000

/** Tokens for the code that a person brought back. */
export async function redeemed(
  way: Way,
  server: AuthorizationServer,
  client: OAuthClient,
  { resource, ...returned }: Redeeming,
): Promise<OAuthTokens> {
  const [as, self] = [{ ...server }, { client_id: client.id }]
  const sent = await exchanged(way, as, client, returned, { resource })
  return tokensFrom(await way.library.processAuthorizationCodeResponse(as, self, sent))
}

/** The answer of the token endpoint to the code that a person brought back. */
export async function exchanged(
  { library, options }: Way,
  as: Library.AuthorizationServer,
  client: OAuthClient,
  { answer, state, redirect, verifier }: Omit<Redeeming, 'resource'>,
  additionalParameters: Record<string, string> = {},
): Promise<Response> {
  const self = { client_id: client.id }
  const checked = library.validateAuthResponse(as, self, answer, state)
  const proof = proofOf(library, client)
  return library.authorizationCodeGrantRequest(as, self, proof, checked, redirect, verifier, {
    ...options,
    additionalParameters,
  })
}

/** Tokens for a refresh token. */
export async function refreshed(
  { library, options }: Way,
  server: AuthorizationServer,
  client: OAuthClient,
  { refreshToken, resource }: { refreshToken: string; resource: string },
): Promise<OAuthTokens> {
  const [as, self] = [{ ...server }, { client_id: client.id }]
  const more = { ...options, additionalParameters: { resource } }
  const proof = proofOf(library, client)
  const sent = await library.refreshTokenGrantRequest(as, self, proof, refreshToken, more)
  return tokensFrom(await library.processRefreshTokenResponse(as, self, sent))
}

/** Ends a token. */
export async function revoked(
  { library, options }: Way,
  server: AuthorizationServer,
  client: OAuthClient,
  one: string,
): Promise<void> {
  const [as, self] = [{ ...server }, { client_id: client.id }]
  const proof = proofOf(library, client)
  const sent = await library.revocationRequest(as, self, proof, one, options)
  await library.processRevocationResponse(sent)
}

/** What a server says of the client that it has registered. */
export function clientFrom(said: Partial<Library.Client>): OAuthClient {
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = said
  if (typeof id !== 'string' || !token.test(id)) throw failure('unusable')
  if (typeof secret !== 'string' || method === 'none') return { id, secret: null, method: 'none' }
  const isPost = method === 'client_secret_post'
  return { id, secret, method: isPost ? method : 'client_secret_basic' }
}

function proofOf(library: typeof Library, { secret, method }: OAuthClient): Library.ClientAuth {
  if (secret === null || method === 'none') return library.None()
  return method === 'client_secret_post'
    ? library.ClientSecretPost(secret)
    : library.ClientSecretBasic(secret)
}

function tokensFrom(said: Library.TokenEndpointResponse): OAuthTokens {
  const { access_token, refresh_token, token_type, expires_in, scope } = said
  if (token_type !== 'bearer' || !token.test(access_token)) throw failure('unusable')
  if (refresh_token !== undefined && !token.test(refresh_token)) throw failure('unusable')
  const isTimed = typeof expires_in === 'number' && expires_in >= 0
  return {
    access_token,
    refresh_token: refresh_token ?? null,
    expires_in: isTimed ? Math.min(expires_in, longestSeconds) : null,
    scopes: typeof scope === 'string' ? scopesIn(scope.split(' ')) : null,
  }
}
