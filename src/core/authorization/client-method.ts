import type { AuthorizationServer, ClientMethod } from '#src/ports/oauth.ts'

/** How a client proves to a server who it is. @param server what it says of itself, where that is known */
export function methodFor(
  server: Pick<AuthorizationServer, 'token_endpoint_auth_methods_supported'> | undefined,
  hasSecret: boolean,
): ClientMethod {
  if (!hasSecret) return 'none'
  const taken = server?.token_endpoint_auth_methods_supported
  const isPostAlone = taken?.includes('client_secret_basic') === false
  return isPostAlone && taken?.includes('client_secret_post')
    ? 'client_secret_post'
    : 'client_secret_basic'
}
