import type * as Library from 'oauth4webapi'
import { fetchOver, type Ask } from './ask.ts'
import { failureOf, refusal } from './failures.ts'

/** The library, and how its requests are sent. */
export interface Way {
  library: typeof Library
  options: {
    [Library.customFetch]: ReturnType<typeof fetchOver>
    [Library.allowInsecureRequests]: boolean
  }
}

/** Does something by the library, which is loaded when it is first needed. @throws OAuthFailure */
export type Through = <T>(does: (way: Way) => Promise<T>) => Promise<T>

/** The library, whose requests are asked in this way. */
export function throughLibrary(ask: Ask): Through {
  return async (does) => {
    const library = await import('oauth4webapi')
    // Addresses on this machine need no TLS; all others were checked where they were read.
    const options = {
      [library.customFetch]: fetchOver(ask),
      [library.allowInsecureRequests]: true,
    }
    return does({ library, options }).catch((cause: unknown) => fail(cause, library))
  }
}

/** @throws OAuthFailure always */
function fail(cause: unknown, library: typeof Library): never {
  const isRefusal =
    cause instanceof library.ResponseBodyError ||
    cause instanceof library.AuthorizationResponseError
  throw isRefusal ? refusal(cause.error, cause) : failureOf(cause)
}

/** What a person is sent to ask for. */
interface Asked {
  clientId: string
  redirect: string
  scopes: readonly string[]
  state: string
  verifier: string
  /** Further parameters. */
  more: Readonly<Record<string, string>>
}

/** The address to which a person is sent, for a code with PKCE. */
export async function askingAddress(
  { library }: Pick<Way, 'library'>,
  { authorization_endpoint }: { authorization_endpoint: string },
  { clientId, redirect, scopes, state, verifier, more }: Asked,
): Promise<string> {
  const url = new URL(authorization_endpoint)
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...more,
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
