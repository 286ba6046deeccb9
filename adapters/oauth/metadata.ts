import * as z from 'zod'
import { isMap } from '#src/core/maps.ts'
import { isBelow } from '#src/core/text/address.ts'
import type { AuthorizationServer, ProtectedResource } from '#src/ports/oauth.ts'
import type { Ask } from './ask.ts'
import { challengeOf } from './challenge.ts'
import { failure } from './failures.ts'
import { appended, safePlace, wellKnown, withoutSlash } from './places.ts'

const scopesAtMost = 100
const nameAtMost = 100
const resourceDocument = 'oauth-protected-resource'

/** What a scope may be (RFC 6749, 3.3). */
const scope = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/

/** The scopes of a list of anything. */
export function scopesIn(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  const fit = list.filter((one) => typeof one === 'string' && scope.test(one))
  return [...new Set<string>(fit)].slice(0, scopesAtMost)
}

/**
 * What a protected resource says of itself: at the address that its challenge names, else at the
 * well-known ones of its path and of its origin. Undefined if there is nothing.
 * @throws OAuthFailure `other_resource`, `unusable`; OutboundFailure
 */
export async function resourceAt(
  ask: Ask,
  address: string,
  header: string | undefined,
): Promise<ProtectedResource | undefined> {
  const called = safePlace(address.split('#', 1)[0])
  if (!called) return undefined
  const challenge = challengeOf(header)
  const named = safePlace(challenge.get('resource_metadata'))
  // What another origin says of this one is not asked for.
  const first = named?.origin === called.origin ? [named.href] : []
  const root = new URL('/', called)
  const places = [...first, wellKnown(called, resourceDocument), wellKnown(root, resourceDocument)]
  for (const place of new Set(places)) {
    const said = await documentAt(ask, place)
    if (said) return resourceFrom(said, called, challenge.get('scope'))
  }
  return undefined
}

function resourceFrom(
  said: Record<string, unknown>,
  called: URL,
  asked: string | undefined,
): ProtectedResource {
  const { resource, authorization_servers: servers, scopes_supported, resource_name } = said
  const place = safePlace(resource)
  if (!place || typeof resource !== 'string' || !isBelow(called, place)) {
    throw failure('other_resource')
  }
  const issuer: unknown = Array.isArray(servers) ? servers[0] : undefined
  if (typeof issuer !== 'string' || !safePlace(issuer)) throw failure('unusable')
  const scopes = scopesIn(asked?.split(' ') ?? scopes_supported)
  const name = typeof resource_name === 'string' ? resource_name.slice(0, nameAtMost) : null
  return { resource, issuer, scopes, name: name?.toWellFormed() ?? null }
}

const endpoint = z.string().refine((text) => safePlace(text) !== undefined)
const names = z.array(z.string()).max(1000).optional().catch(undefined)
const Server = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  registration_endpoint: endpoint.optional().catch(undefined),
  revocation_endpoint: endpoint.optional().catch(undefined),
  scopes_supported: names.transform((list) => list && scopesIn(list)),
  token_endpoint_auth_methods_supported: names.transform((list) => list?.slice(0, 20)),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
})

/**
 * What an authorization server says of itself, in the form of OAuth or of OpenID.
 * @throws OAuthFailure `unusable`, `other_issuer`, `no_pkce`; OutboundFailure
 */
export async function serverAt(ask: Ask, issuer: string): Promise<AuthorizationServer> {
  const said = await descriptionOf(ask, issuer, (place) => [
    wellKnown(place, 'oauth-authorization-server'),
    wellKnown(place, openid),
    appended(place, openid),
  ])
  const server = shapedAs(Server, said)
  const { code_challenge_methods_supported: methods } = said
  if (!Array.isArray(methods) || !methods.includes('S256')) throw failure('no_pkce')
  return server
}

const OpenId = Server.extend({
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional().catch(undefined),
  id_token_signing_alg_values_supported: names.transform((list) => list?.slice(0, 50)),
})

/**
 * What a provider of OpenID says of itself. Many take PKCE without saying so: it is sent to all.
 * @throws OAuthFailure `unusable`, `other_issuer`; OutboundFailure
 */
export async function providerAt(ask: Ask, issuer: string): Promise<z.infer<typeof OpenId>> {
  return shapedAs(OpenId, await descriptionOf(ask, issuer, (place) => [appended(place, openid)]))
}

const openid = 'openid-configuration'

/** What an issuer says of itself at the first of these places that has something. */
async function descriptionOf(
  ask: Ask,
  issuer: string,
  placesOf: (issuer: URL) => readonly string[],
): Promise<Record<string, unknown>> {
  const place = safePlace(issuer)
  if (!place) throw failure('unusable')
  for (const at of new Set(placesOf(place))) {
    const said = await documentAt(ask, at)
    if (!said) continue
    // The same address may be written with and without its last slash.
    const named = safePlace(said['issuer'])
    if (!named || withoutSlash(named) !== withoutSlash(place)) throw failure('other_issuer')
    return said
  }
  throw failure('unusable')
}

function shapedAs<S extends z.ZodObject>(shape: S, said: unknown): z.infer<S> {
  const read = shape.safeParse(said)
  if (!read.success) throw failure('unusable', read.error)
  return read.data
}

/** The JSON object at an address; undefined if there is none. */
async function documentAt(ask: Ask, url: string): Promise<Record<string, unknown> | undefined> {
  const answer = await ask({ method: 'GET', url, headers: { accept: 'application/json' } })
  if (answer.status !== 200) return undefined
  try {
    const said: unknown = await answer.json()
    return isMap(said) ? said : undefined
  } catch {
    // A page of something else, as sites answer at any address.
    return undefined
  }
}
