import type { Interaction, default as Provider } from 'oidc-provider'
import { scopesIn, usualScopes } from '#src/core/authorization/scopes.ts'
import { newToken } from '#src/core/ids.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type {
  Authorization,
  Consent,
  ConsentRequest,
} from '#src/core/authorization/authorization.ts'
import type { Log } from '#src/ports/log.ts'
import { configurationOf, type AuthorizationTerms } from './configuration.ts'
import { paceDevices } from './devices.ts'
import { loadLibrary, type Library } from './library.ts'
import { leaveToPersons } from './refusals.ts'
import { serve, type OauthAnswer, type OauthRequest } from './serve.ts'

/** The authorization server: what programs call, and what it asks of a person. */
export interface AuthorizationServer extends Authorization {
  serve(request: OauthRequest): Promise<OauthAnswer>
}

/** Opens the authorization server. */
export async function openAuthorization(
  terms: Omit<AuthorizationTerms, 'usedTwice'>,
  log: Log,
): Promise<AuthorizationServer> {
  const library = await loadLibrary(log, terms.clock)
  await turnOf(terms.clock)
  const usedTwice = (): Error => new library.errors.InvalidGrant('it was used already')
  const provider = new library.Provider(
    terms.publicUrl,
    configurationOf(library, { ...terms, usedTwice }),
  )
  // What a proxy would tell is set by this service itself.
  provider.proxy = true
  nameTokens(provider)
  leaveToPersons(provider, terms.programs)
  paceDevices(provider, terms.clock)
  provider.on('server_error', (_, cause) => log.error('the authorization server failed', { cause }))
  return {
    serve: (request) => serve(provider, terms.publicUrl, request),
    ...decisions(provider, library, terms),
  }
}

/** Gives tokens the form of all others of this service, by which they are told apart and found where they leak. */
function nameTokens(provider: Provider): void {
  const named = { AccessToken: 'abt', RefreshToken: 'abr' } as const
  for (const [kind, prefix] of Object.entries(named)) {
    const model = provider[kind as keyof typeof named].prototype as unknown as {
      generateTokenId: () => string
    }
    const { generateTokenId } = model
    model.generateTokenId = function named() {
      // It also settles the form in which the token is kept.
      generateTokenId.call(this)
      return newToken(prefix)
    }
  }
}

function decisions(
  provider: Provider,
  { errors }: Library,
  { publicUrl, connections }: Pick<AuthorizationTerms, 'publicUrl' | 'connections'>,
): Authorization {
  return {
    async request(id) {
      const interaction = await provider.Interaction.find(id)
      const client = interaction && (await clientOf(provider, interaction, errors.InvalidClient))
      if (!client || isDescribedOtherwise(interaction, client)) return undefined
      return requestOf(id, interaction, client, publicUrl)
    },
    async allow(request, consent) {
      const interaction = await provider.Interaction.find(request.id)
      if (!interaction) return publicUrl
      const id = await connections.agree(request.program, consent, (made, before) =>
        grantOf(provider, { id: made, before, request, consent }),
      )
      return decided(interaction, {
        login: { accountId: consent.personId, remember: false },
        consent: { grantId: id },
      })
    },
    async deny({ id }) {
      const interaction = await provider.Interaction.find(id)
      if (!interaction) return publicUrl
      const error = { error: 'access_denied', error_description: 'The person refused.' }
      return decided(interaction, error)
    },
  }
}

async function decided(interaction: Interaction, result: object): Promise<string> {
  // Not bound to the session in which a code was entered: the library is not told who is signed in where it goes on.
  Object.assign(interaction, { result, session: undefined })
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000))
  return interaction.returnTo
}

type Client = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>

/** The program of a request; undefined if its description can no longer be read. */
async function clientOf(
  provider: Provider,
  { params }: Interaction,
  unreadable: Library['errors']['InvalidClient'],
): Promise<Client | undefined> {
  try {
    return await provider.Client.find(String(params['client_id']))
  } catch (cause) {
    if (cause instanceof unreadable) return undefined
    throw cause
  }
}

/** Whether the program no longer names the address to which it wants the person to be sent. */
function isDescribedOtherwise({ params, deviceCode }: Interaction, client: Client): boolean {
  return (
    deviceCode === undefined && !client.redirectUriAllowed(textOf(params['redirect_uri']) ?? '')
  )
}

function requestOf(
  id: string,
  { params, deviceCode }: Interaction,
  client: Client,
  publicUrl: string,
): ConsentRequest {
  const { clientId: client_id, clientName } = client
  const redirect = deviceCode === undefined ? textOf(params['redirect_uri']) : undefined
  const url = redirect === undefined ? null : URL.parse(redirect)
  const host = /^https:/i.test(client_id) ? (URL.parse(client_id)?.host ?? null) : null
  const asked = scopesIn(textOf(params['scope']))
  return {
    id,
    program: {
      client_id,
      name: clientName ?? host ?? client_id,
      host,
      redirect_host: url === null ? null : url.host || url.protocol,
    },
    leadsTo: url === null ? null : /^https?:$/.test(url.protocol) ? url.origin : url.protocol,
    // A program on a person's own machine may be any: only an address of its own binds it.
    isBound: host !== null && url?.protocol === 'https:',
    asksAgain: /\b(?:consent|login|select_account)\b/.test(textOf(params['prompt']) ?? ''),
    scopes: asked.length > 0 ? asked : usualScopes,
    resource: textOf(params['resource']) ?? publicUrl,
  }
}

function textOf(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' ? one : undefined
}

interface Granting {
  id: string
  /** What was kept of it before. */
  before: string | undefined
  request: ConsentRequest
  consent: Consent
}

/** What the library keeps of a grant: for each address what was allowed, and what was asked for and refused. */
async function grantOf(
  provider: Provider,
  { id, before, request, consent }: Granting,
): Promise<string> {
  const grant = new provider.Grant({
    accountId: consent.personId,
    clientId: request.program.client_id,
  })
  grant.jti = id
  const allowed = consent.scopes.join(' ')
  const refused = request.scopes.filter((scope) => !consent.scopes.includes(scope)).join(' ')
  const resources = new Set([...resourcesOf(before), request.resource])
  grant.addOIDCScope(`openid offline_access ${allowed}`)
  if (refused !== '') grant.rejectOIDCScope(refused)
  for (const resource of resources) {
    grant.addResourceScope(resource, allowed)
    if (refused !== '') grant.rejectResourceScope(resource, refused)
  }
  const { payload } = await (
    grant as unknown as { getValueAndPayload: () => Promise<{ payload: object }> }
  ).getValueAndPayload()
  return JSON.stringify(payload)
}

/** The addresses for which there may be tokens. */
function resourcesOf(grant: string | undefined): string[] {
  if (grant === undefined) return []
  // The library wrote it.
  const { resources = {} } = JSON.parse(grant) as { resources?: Record<string, string> }
  return Object.keys(resources)
}
