import type * as Library from 'oauth4webapi'
import type { Asking, AuthorizationServer, OAuth } from '#src/ports/oauth.ts'
import type { Streamer } from '#src/ports/sender.ts'
import { answerWithinMs, askOver, fetchOver } from './ask.ts'
import { failureOf, refusal } from './failures.ts'
import { clientFrom, redeemed, refreshed, revoked, type Way } from './grants.ts'
import { resourceAt, serverAt } from './metadata.ts'

/**
 * The client's part of OAuth by `oauth4webapi`, which is loaded when it is first needed.
 * @param timeoutMs for one answer
 */
export function openOAuth(guarded: Streamer, timeoutMs = answerWithinMs): OAuth {
  const ask = askOver(guarded, timeoutMs)
  const through = async <T>(does: (way: Way) => Promise<T>): Promise<T> => {
    const library = await import('oauth4webapi')
    // Addresses on this machine need no TLS; all others were checked where they were read.
    const options = {
      [library.customFetch]: fetchOver(ask),
      [library.allowInsecureRequests]: true,
    }
    return does({ library, options }).catch((cause: unknown) => fail(cause, library))
  }
  return {
    resource: (address, challenge) => resourceAt(ask, address, challenge).catch(rethrow),
    server: (issuer) => serverAt(ask, issuer).catch(rethrow),
    register: (server, client) =>
      through(async ({ library, options }) => {
        const as = { ...server }
        const sent = await library.dynamicClientRegistrationRequest(as, { ...client }, options)
        return clientFrom(await library.processDynamicClientRegistrationResponse(sent))
      }),
    askingAddress: (server, clientId, asking) =>
      through(({ library }) => addressFor(library, server, clientId, asking)),
    redeem: (server, client, redeeming) =>
      through((way) => redeemed(way, server, client, redeeming)),
    refresh: (server, client, grant) => through((way) => refreshed(way, server, client, grant)),
    async revoke(server, client, token) {
      if (server.revocation_endpoint === undefined) return
      await through((way) => revoked(way, server, client, token))
    },
  }
}

async function addressFor(
  library: typeof Library,
  { authorization_endpoint }: AuthorizationServer,
  clientId: string,
  { redirect, resource, scopes, state, verifier }: Asking,
): Promise<string> {
  const url = new URL(authorization_endpoint)
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    // Servers of OpenID give a refresh token only where the person is asked.
    ...(scopes.includes('offline_access') && { prompt: 'consent' }),
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** @throws OAuthFailure always */
function fail(cause: unknown, library: typeof Library): never {
  const isRefusal =
    cause instanceof library.ResponseBodyError ||
    cause instanceof library.AuthorizationResponseError
  throw isRefusal ? refusal(cause.error, cause) : failureOf(cause)
}

function rethrow(cause: unknown): never {
  throw failureOf(cause)
}
