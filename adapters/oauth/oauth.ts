import type { Asking, OAuth } from '#src/ports/oauth.ts'
import type { Streamer } from '#src/ports/sender.ts'
import { answerWithinMs, askOver, type Ask } from './ask.ts'
import { failureOf } from './failures.ts'
import { clientFrom, redeemed, refreshed, revoked } from './grants.ts'
import { resourceAt, serverAt } from './metadata.ts'
import { askingAddress, throughLibrary } from './way.ts'

/**
 * The client's part of OAuth by `oauth4webapi`, which is loaded when it is first needed.
 * @param timeoutMs for one answer, and for all that one side is asked of itself
 */
export function openOAuth(guarded: Streamer, timeoutMs = answerWithinMs): OAuth {
  const ask = askOver(guarded, timeoutMs)
  // People wait for it: what one side says of itself takes no longer for being looked for at several places.
  const within = (): Ask => {
    const end = performance.now() + timeoutMs
    return (request) => askOver(guarded, Math.max(1, end - performance.now()))(request)
  }
  const through = throughLibrary(ask)
  return {
    resource: (address, challenge) => resourceAt(within(), address, challenge).catch(rethrow),
    server: (issuer) => serverAt(within(), issuer).catch(rethrow),
    register: (server, client) =>
      through(async ({ library, options }) => {
        const as = { ...server }
        const sent = await library.dynamicClientRegistrationRequest(as, { ...client }, options)
        return clientFrom(await library.processDynamicClientRegistrationResponse(sent))
      }),
    askingAddress: (server, clientId, asking) =>
      through((way) => askingAddress(way, server, { clientId, ...asking, ...consentTo(asking) })),
    redeem: (server, client, redeeming) =>
      through((way) => redeemed(way, server, client, redeeming)),
    refresh: (server, client, grant) => through((way) => refreshed(way, server, client, grant)),
    async revoke(server, client, token) {
      if (server.revocation_endpoint === undefined) return
      await through((way) => revoked(way, server, client, token))
    },
  }
}

function rethrow(cause: unknown): never {
  throw failureOf(cause)
}

/** For what; servers of OpenID give a refresh token only where the person is asked. */
function consentTo({ resource, scopes }: Asking): { more: Record<string, string> } {
  return { more: { resource, ...(scopes.includes('offline_access') && { prompt: 'consent' }) } }
}
