import type { Core } from '#src/core/door.ts'
import { serviceKey } from '#src/core/admission/service-key.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import { takeForNetworks } from '#src/core/admission/networks.ts'
import type { Ports } from '#src/core/context.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { usualScopes } from '#src/core/authorization/scopes.ts'
import { resourceAt } from '#src/core/authorization/resources.ts'
import { consentScreen } from '#protocol/web/programs/consent.ts'
import { endedView } from '#protocol/web/programs/consent-views.ts'
import * as views from '#protocol/web/programs/device-views.ts'
import { consentIn } from '#protocol/web/paths.ts'
import { grantStore } from '#src/accounts/hosts/grants.ts'
import { consentCookie } from '#src/core/authorization/paths.ts'
import type { AuthorizationServer } from '#adapters/authorization/server.ts'
import { metadataPath } from '#adapters/http/credentials/audience.ts'
import { oauthPageAt, type OauthLimit } from '#adapters/http/html/oauth-page.ts'
import { pageReplyOf } from '#adapters/http/html/layout.ts'
import { screenPage } from '#adapters/http/html/screen-page.ts'
import type { Intake } from '#adapters/http/intake/intake.ts'
import { freshSeconds, type Page } from '#adapters/http/page.ts'
import { json } from '#adapters/http/reply.ts'
import { screenTermsOf, termsOf } from './people.ts'

type PageOf = (path: string) => Page | undefined

/** The pages of the authorization server, opened when one of them is first asked for. */
export function oauthPages(ports: Ports, core: Core, intake: Intake): PageOf {
  const { settings } = ports
  const publicUrl = () => settings.publicUrl
  let opened: Promise<AuthorizationServer> | undefined
  const server = (): Promise<AuthorizationServer> => {
    opened ??= open(ports).catch((cause: unknown) => {
      opened = undefined
      throw cause
    })
    return opened
  }
  const count = (address: string, name: OauthLimit) => counted(ports, address, name)
  const hasRoom = () => ports.space.room === 'ok'
  const served = oauthPageAt({ server, intake, count, hasRoom, publicUrl })
  const consent = consentPages(ports, core, intake, server)
  return (path) => {
    // Every request is asked for its page, and few are for one of these.
    if (!path.startsWith('/oauth/') && !path.startsWith('/.well-known/')) return undefined
    return resourcePage(path, publicUrl) ?? served(path) ?? consent(path)
  }
}

async function open(ports: Ports): Promise<AuthorizationServer> {
  const { store, clock, sealer, sender, settings, log } = ports
  // It stands on a large library, which few servers need at their start. Strangers cause that it is loaded: each part
  // has a turn of the event loop of its own.
  const { openAuthorization } = await import('#adapters/authorization/server.ts')
  const { publicUrl, oauthClients: programs } = settings
  const key = serviceKey(sealer)
  const connections = grantStore(ports)
  const terms = { store, clock, sender, connections, publicUrl, programs, key, views }
  await turnOf(clock)
  const opened = await openAuthorization(terms, log)
  await turnOf(clock)
  return opened
}

function counted(
  { settings, limiter }: Ports,
  address: string,
  name: OauthLimit,
): LimitState | Promise<LimitState> | undefined {
  const limit = settings.limits[name]
  return limit && takeForNetworks(limiter, name, limit, { address })
}

/** How to get a token for an address of this service. Source: RFC 9728. */
function resourcePage(path: string, publicUrl: () => string): Page | undefined {
  if (path !== metadataPath && !path.startsWith(`${metadataPath}/`)) return undefined
  const base = publicUrl()
  const named = base + path.slice(metadataPath.length)
  const audience = resourceAt(named, base)
  if (audience === undefined) return undefined
  // Clients compare it with the address that they were given.
  const resource = path === `${metadataPath}/mcp` ? named : audience
  const document = {
    resource,
    authorization_servers: [base],
    // What clients ask for that look no further: more than these they ask for when a call needs it.
    scopes_supported: usualScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Abode',
    resource_documentation: `${base}/auth.md`,
  }
  return {
    methods: ['GET', 'HEAD'],
    reply: () =>
      Promise.resolve({
        status: 200,
        headers: { 'Content-Type': json, 'Cache-Control': `public, max-age=${freshSeconds}` },
        body: JSON.stringify(document),
      }),
  }
}

/** The page on which a person decides, only for the browser in which the request began. */
function consentPages(
  ports: Ports,
  core: Core,
  intake: Intake,
  authorization: () => Promise<AuthorizationServer>,
): PageOf {
  const terms = { ...termsOf(ports, core), authorization }
  const screenTerms = screenTermsOf(ports, intake)
  return (path) => {
    const id = consentIn(path)
    if (id === undefined) return undefined
    const page = screenPage(consentScreen(terms, id), screenTerms)
    return {
      ...page,
      reply: (ctx, arrival) =>
        ctx.cookies.get(consentCookie, { signed: false }) === id
          ? page.reply(ctx, arrival)
          : Promise.resolve(pageReplyOf(endedView(), ports.settings.publicUrl)),
    }
  }
}
