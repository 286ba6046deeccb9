import type { default as Provider, KoaContextWithOIDC } from 'oidc-provider'
import type { RegisteredProgram } from '#src/core/settings.ts'
import { isLoopback } from './clients.ts'

/**
 * Sends no browser on by itself to a program that anyone may have registered, before a person has decided anything:
 * with a request that is wrong on purpose this service would lead to any address. What the operator has registered is
 * trusted, and a loopback address leads to no site. Source: RFC 9700, 4.11.2.
 */
export function leaveToPersons(provider: Provider, programs: readonly RegisteredProgram[]): void {
  const trusted = new Set(programs.map(({ client_id }) => client_id))
  // The library emits it before it looks whether the error may be sent on.
  provider.on('authorization.error', ({ oidc }, error) => {
    const isBegun = oidc.route === 'authorization'
    if (!isBegun || trusted.has(oidc.client?.clientId ?? '')) return
    if (!isLoopback(redirectOf(oidc) ?? '')) Object.assign(error, { allow_redirect: false })
  })
}

/** The address at which a program waits for this error, if it has registered it as one of the web. */
export function wayBack({ oidc }: KoaContextWithOIDC, error: object): string | undefined {
  const redirect = redirectOf(oidc)
  const mode = oidc.params?.['response_mode'] ?? 'query'
  if (oidc.route !== 'authorization' || mode !== 'query' || redirect === undefined) return undefined
  if (!/^https:/i.test(redirect) || oidc.client?.redirectUriAllowed(redirect) !== true) {
    return undefined
  }
  const back = new URL(redirect)
  for (const [name, value] of Object.entries(error)) {
    if (typeof value === 'string') back.searchParams.set(name, value)
  }
  return back.href
}

function redirectOf({ params }: KoaContextWithOIDC['oidc']): string | undefined {
  const redirect = params?.['redirect_uri']
  return typeof redirect === 'string' ? redirect : undefined
}
