import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { oauthScopes } from '#src/core/authorization/scopes.ts'
import { resourceAt } from '#src/core/authorization/resources.ts'
import { keySetPath, type ServiceKey } from '#src/core/admission/service-key.ts'
import { newToken } from '#src/core/ids.ts'
import { consentCookie, oauthPaths as paths } from '#src/core/authorization/paths.ts'
import type { View } from '#src/core/html/view.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Sender } from '#src/ports/sender.ts'
import type { Store } from '#src/ports/store.ts'
import type { RegisteredProgram } from '#src/core/settings.ts'
import { keptBy, type Keeping } from './artifacts.ts'
import { descriptionBytesAtMost, descriptionFetch, described } from './clients.ts'
import { wayBack } from './refusals.ts'
import { signingKeys } from './keys.ts'
import type { Library } from './library.ts'

/** What the authorization server stands on. */
export interface AuthorizationTerms extends Keeping {
  clock: Pick<Clock, 'now' | 'turn'>
  publicUrl: string
  store: Store
  sender: Pick<Sender, 'send'>
  key: ServiceKey
  /** Programs that the operator has registered. */
  programs: readonly RegisteredProgram[]
  views: Views
}

/** A form of the library: where it is sent, and the secret of the browser that it was shown. */
interface ShownForm {
  action: string
  secret: string
}

/** The pages that the library shows by itself. */
export interface Views {
  /** To enter the code of a device. @param error by its name */
  code(form: ShownForm, error?: string): View
  /** To compare it. */
  confirm(form: ShownForm, name: string, code: string): View
  /** Once a device is connected. */
  connected(): View
  /** In place of what cannot be carried out. @param back where the program waits for the answer, which the person may follow */
  failed(reason: string, status: number, back?: string): View
}

/** The library's configuration: what it decides by itself, and nothing that a person decides. */
export function configurationOf(library: Library, terms: AuthorizationTerms): Configuration {
  const { publicUrl, store } = terms
  const cookie = { httpOnly: true, sameSite: 'lax', signed: false } as const
  return {
    adapter: keptBy(terms),
    clients: terms.programs.map((program) => described({ ...clientDefaults, ...program }) as never),
    clientDefaults,
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: () => true,
    cookies: {
      names: { session: 'abode_oauth', interaction: consentCookie, resume: 'abode_resume' },
      long: cookie,
      short: cookie,
      keys: [],
    },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    expiresWithSession: () => false,
    features: featuresOf(library, terms),
    fetch: descriptionFetch(terms.sender) as never,
    fetchResponseBodyLimits: { 'client_id metadata document': 2 * descriptionBytesAtMost },
    findAccount: async (_, sub) => {
      const person = await store.persons.get(sub)
      return person && { accountId: sub, claims: () => ({ sub }) }
    },
    interactions: {
      policy: policyOf(library),
      url: (_, { uid }) => `${publicUrl}${paths.consent}/${uid}`,
    },
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    jwks: signingKeys(terms.key),
    loadExistingGrant: (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId
      return grantId === undefined
        ? Promise.resolve(undefined)
        : ctx.oidc.provider.Grant.find(grantId)
    },
    pkce: { required: () => true },
    renderError: (ctx, out) =>
      shown(
        ctx,
        terms.views.failed(out.error_description ?? out.error, ctx.status, wayBack(ctx, out)),
      ),
    responseTypes: ['code'],
    rotateRefreshToken: true,
    routes,
    scopes: ['openid', 'offline_access', ...oauthScopes],
    ttl: { ...ttl, Grant: terms.connections.seconds },
  }
}

const routes = {
  authorization: paths.authorize,
  token: paths.token,
  registration: paths.register,
  revocation: paths.revoke,
  userinfo: paths.userinfo,
  code_verification: paths.device,
  device_authorization: paths.deviceAuthorization,
  end_session: paths.ended,
  jwks: keySetPath,
}

const daySeconds = 86_400
/** Time to sign in or to register, and to decide. */
const decisionSeconds = 1800

/** How long each lasts, in seconds. */
const ttl = {
  AccessToken: 3600,
  AuthorizationCode: 60,
  DeviceCode: 600,
  IdToken: 3600,
  Interaction: decisionSeconds,
  RefreshToken: 60 * daySeconds,
  Session: decisionSeconds,
}

const clientDefaults = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code' as const],
  token_endpoint_auth_method: 'none' as const,
  id_token_signed_response_alg: 'EdDSA' as const,
}

function featuresOf({ errors }: Library, terms: AuthorizationTerms): object {
  const { publicUrl, views } = terms
  return {
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      cacheDuration: { min: 60, max: 3600 },
      // Where it cannot be had, the library asks for it again to say so.
      allowFetch: async (ctx: KoaContextWithOIDC | undefined, id: string) => {
        if (ctx?.state['askedFor'] === id) return false
        if (ctx) ctx.state['askedFor'] = id
        if (await mayBeRead(terms, ctx, id)) return true
        throw new errors.TemporarilyUnavailable(tooManyPrograms)
      },
    },
    devInteractions: { enabled: false },
    // The doors do not check proofs of possession.
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    deviceFlow: {
      enabled: true,
      userCodeInputSource: (
        ctx: KoaContextWithOIDC,
        _form: string,
        _out: unknown,
        error?: Error,
      ) =>
        error !== undefined && ctx.oidc.session?.exp === undefined
          ? begunAgain(ctx)
          : shown(ctx, views.code(formOf(ctx), error?.name)),
      userCodeConfirmSource: (
        ctx: KoaContextWithOIDC,
        _form: string,
        client: { clientId: string; clientName?: string },
        _device: unknown,
        code: string,
      ) => shown(ctx, views.confirm(formOf(ctx), client.clientName ?? client.clientId, code)),
      successSource: (ctx: KoaContextWithOIDC) => shown(ctx, views.connected()),
    },
    registration: {
      enabled: true,
      idFactory: () => newToken('abr').replace('abr_', 'client_'),
      issueRegistrationAccessToken: false,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_: unknown, __: unknown, oneOf?: string[]) => oneOf?.[0] ?? publicUrl,
      useGrantedResource: () => true,
      getResourceServerInfo: (_: unknown, address: string) => {
        const audience = resourceAt(address, publicUrl)
        if (audience === undefined) throw new errors.InvalidTarget(noSuchResource)
        return { scope: oauthScopes.join(' '), audience, accessTokenFormat: 'opaque' }
      },
    },
    revocation: { enabled: true },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: true },
  }
}

/** A program that someone has connected may be read for anyone, and a further time for who decides about it. */
async function mayBeRead(
  { store }: AuthorizationTerms,
  ctx: KoaContextWithOIDC | undefined,
  client_id: string,
): Promise<boolean> {
  const mayIntroduce = ctx?.state['mayIntroduce'] as (() => Promise<boolean>) | undefined
  if (!mayIntroduce) return true
  const [known] = await store.connections.pick(['id'], { client_id }, { limit: 1 })
  return known !== undefined || mayIntroduce()
}

const tooManyPrograms = 'too many new programs were introduced from this network; try again later'
const noSuchResource = 'the resource is no address of this service that takes tokens'

/** In place of a form in a session that is not kept, which could not be sent. */
function begunAgain(ctx: KoaContextWithOIDC): void {
  Object.assign(ctx.oidc.session ?? {}, { touched: false })
  ctx.status = 303
  ctx.redirect(ctx.oidc.urlFor('code_verification'))
}

function formOf({ oidc }: KoaContextWithOIDC): ShownForm {
  const { secret } = (oidc.session?.['state'] ?? {}) as { secret?: string }
  return { action: oidc.urlFor('code_verification'), secret: secret ?? '' }
}

/** A page that the library asks for is shown in our frame: it is left with the request. */
export function viewOf(ctx: { state: Record<string, unknown> }): View | undefined {
  return ctx.state['view'] as View | undefined
}

function shown(ctx: { state: Record<string, unknown>; body: unknown }, view: View) {
  ctx.state['view'] = view
  ctx.body = view.title
}

/**
 * A person decides at every request, or our page finds that they have decided before: the library's own memory of
 * who is signed in is not asked.
 */
function policyOf({ interactionPolicy }: Library) {
  const policy = interactionPolicy.base()
  const login = policy.get('login')
  login?.checks.clear()
  login?.checks.add(
    new interactionPolicy.Check('decision', 'a person has to decide', 'login_required', (ctx) => {
      return ctx.oidc.result?.login === undefined
    }),
  )
  return policy
}
