import type { Authorize, RefusedCall } from '#src/ports/authorize.ts'
import { grantedBy, type Granted, type StoredConnection } from './connection.ts'
import { connectionAt, placeOf } from './find.ts'
import {
  consentAsked,
  consentEnded,
  consentNeeded,
  moreAsked,
  type ConnectedAgent,
} from './need.ts'
import { isEnding, renewed, type Renewing } from './renew.ts'

/** Whose calls they are, and what is told of each token before it is sent. */
export interface Calling extends ConnectedAgent {
  given(token: string): Promise<void>
  signal: AbortSignal
}

const scheme = 'Bearer '

/**
 * What lets the calls of an agent in where its connections lead. Tokens go to the origin of their connection
 * alone, are renewed before they end and when they are refused, and what a server asks for is kept for the
 * person who consents.
 */
export function authorizer(ports: Renewing, calling: Calling): Authorize {
  const { charId, signal } = calling
  /** The connections whose tokens were renewed here because the server refused them. */
  const tried = new Set<string>()

  const headerOf = async (granted: Granted | undefined, connection: StoredConnection) => {
    if (!granted) throw consentNeeded(ports, connection)
    const { access_token } = granted.tokens
    await calling.given(access_token)
    return scheme + access_token
  }

  return {
    async header(address) {
      const connection = await connectionAt(ports.store, charId, address)
      const now = grantedBy(ports, connection)
      if (!connection || !now) return undefined
      if (!isEnding(now, ports.clock.now())) return headerOf(now, connection)
      const next = await renewed(ports, connection.id, now.tokens.access_token, signal)
      return headerOf(next, connection)
    },
    async instead(address, refused) {
      const connection = await connectionAt(ports.store, charId, address)
      const now = grantedBy(ports, connection)
      if (!connection) return asked(ports, calling, address, refused)
      if (!now) throw consentNeeded(ports, connection)
      if (refused.status === 403) {
        await moreAsked(ports, connection, scopesOf(refused))
        throw consentNeeded(ports, connection)
      }
      const stale = now.tokens.access_token
      // Another run has renewed it since it was sent.
      if (refused.sent !== scheme + stale) return headerOf(now, connection)
      if (tried.has(connection.id)) {
        await consentEnded(ports, now, 'refused')
        throw consentNeeded(ports, connection)
      }
      tried.add(connection.id)
      return headerOf(await renewed(ports, connection.id, stale, signal), connection)
    },
  }
}

/** A call without a token was refused: a person can consent if the server says where. */
async function asked(
  ports: Renewing,
  calling: Calling,
  address: string,
  { challenge, sent, status }: RefusedCall,
): Promise<undefined> {
  const place = placeOf(address)
  if (!place || sent !== undefined || status !== 401) return undefined
  const said = await ports.oauth.resource(place.href, challenge)
  if (!said) return undefined
  const connection = await consentAsked(ports, calling, place, said)
  if (connection) throw consentNeeded(ports, connection)
  return undefined
}

const scopeParameter = /\bscope="([\x20-\x21\x23-\x5b\x5d-\x7e]{1,2000})"/

function scopesOf({ challenge }: RefusedCall): string[] {
  const [, scope = ''] = scopeParameter.exec(challenge ?? '') ?? []
  return scope.split(' ').filter(Boolean).slice(0, 100)
}
