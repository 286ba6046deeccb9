import type { AgentCard } from '@a2a-js/sdk'
import { oauthPaths } from '#src/core/authorization/paths.ts'
import { resourcePath } from '#src/core/authorization/resources.ts'
import { oauthScopes, usualScopes, type OauthScope } from '#src/core/authorization/scopes.ts'
import { scopeOf } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'

/** What a door takes as a credential, besides the tokens of programs that sign a person in. */
export interface Bearer {
  /** Its form, such as `ab_…`. */
  form: string
  /** Where to get one. */
  description: string
}

/** A door, and what is called through it. */
export interface SecuredDoor {
  publicUrl: string
  /** Without a final slash. */
  path: string
  operations: readonly Operation[]
  bearer: Bearer
  /** Some calls need no credential. */
  isOpen: boolean
}

type Security = Required<Pick<AgentCard, 'securitySchemes' | 'securityRequirements'>>
type Scheme = AgentCard['securitySchemes'][string]
type Flow = NonNullable<NonNullable<OauthScheme['flows']>['flow']>
type OauthScheme = Extract<Scheme['scheme'], { $case: 'oauth2SecurityScheme' }>['value']

/** Each in few words, as cards have little room. */
const words: Readonly<Record<OauthScope, string>> = {
  read: 'See',
  write: 'Change',
  run: 'Run and speak',
  approve: 'Decide',
  spend: 'Pay',
  admin: 'Keys and rules',
}

/**
 * How callers of a door prove who they are, each way an alternative. Clients send a credential only to a card that asks
 * for one. A flow is a scheme of its own: 1.0 has room for one in each.
 */
export function securityOf({ bearer, isOpen, ...door }: SecuredDoor): Security {
  const offered = new Set(door.operations.map(scopeOf))
  const scopes = oauthScopes.filter((scope) => offered.has(scope))
  const usual = usualScopes.filter((scope) => offered.has(scope))
  // A program that names none is given the usual ones.
  const asked = { list: usual.length === usualScopes.length ? [] : usual }
  const alternatives: Security['securityRequirements'][number]['schemes'][] = [
    { bearer: { list: [] } },
    { oauth2: asked },
    { device: asked },
    { openId: asked },
    ...(isOpen ? [{}] : []),
  ]
  return {
    securitySchemes: {
      bearer: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: { scheme: 'Bearer', bearerFormat: bearer.form, description: bearer.description },
        },
      },
      ...oauthSchemes(door, Object.fromEntries(scopes.map((scope) => [scope, words[scope]]))),
    },
    securityRequirements: alternatives.map((schemes) => ({ schemes })),
  }
}

/**
 * A token is for one resource. It is named in the addresses, whose queries programs keep, as few that read a card know
 * how to ask for it.
 */
function oauthSchemes(
  { publicUrl, path }: Pick<SecuredDoor, 'publicUrl' | 'path'>,
  scopes: Record<string, string>,
): Record<string, Scheme> {
  const query = `?resource=${publicUrl}${resourcePath(path)}`
  const tokenUrl = publicUrl + oauthPaths.token
  const flows = {
    authorizationUrl: publicUrl + oauthPaths.authorize + query,
    deviceAuthorizationUrl: publicUrl + oauthPaths.deviceAuthorization + query,
    oauth2MetadataUrl: `${publicUrl}/.well-known/oauth-authorization-server`,
    openIdConnectUrl: `${publicUrl}/.well-known/openid-configuration`,
  }
  const { authorizationUrl, deviceAuthorizationUrl, oauth2MetadataUrl, openIdConnectUrl } = flows
  const common = { tokenUrl, refreshUrl: '', scopes }
  return {
    oauth2: oauthScheme(
      {
        $case: 'authorizationCode',
        value: { ...common, authorizationUrl, pkceRequired: true },
      },
      oauth2MetadataUrl,
    ),
    device: oauthScheme(
      { $case: 'deviceCode', value: { ...common, deviceAuthorizationUrl } },
      oauth2MetadataUrl,
    ),
    openId: {
      scheme: {
        $case: 'openIdConnectSecurityScheme',
        value: { openIdConnectUrl, description: '' },
      },
    },
  }
}

function oauthScheme(flow: Flow, oauth2MetadataUrl: string): Scheme {
  return {
    scheme: {
      $case: 'oauth2SecurityScheme',
      value: { flows: { flow }, oauth2MetadataUrl, description: '' },
    },
  }
}
