import { connected, type Connected, type KeyCaller } from '../admission/caller.ts'
import { accountSuspended } from './suspended.ts'
import { CallerCache, usedEveryMs } from '../admission/caller-cache.ts'
import type { Ports } from '../context.ts'
import type { Settings } from '../settings.ts'
import { membershipId } from './account-roles.ts'
import { isInForce } from './in-force.ts'
import { scopesIn } from './scopes.ts'
import { Refusal } from '../errors.ts'
import { digest, isToken } from '../ids.ts'
import { timestamp } from '../time.ts'
import { documentName } from '../told/touch.ts'
import type { Touched } from '#src/ports/touched.ts'

/** The id under which the authorization server keeps an access token, or anything else that a secret names. */
export function artifactId(kind: string, secret: string): string {
  return `${kind}:${digest(secret)}`
}

/** Resolves access tokens to the programs that were given them, and caches them. */
export interface TokenCallers {
  /** @throws Refusal `invalid_credential`, `account_suspended` */
  identify(token: string): Promise<KeyCaller>
  /** Forgets those who are made of what was touched. */
  forget(touched: Touched): void
}

interface Known {
  caller: KeyCaller & { connection: Connected }
  personId: string
  tokenId: string
  usedAt: number
  expiresAt: string
}

/** The members of a stored access token that are read here. */
interface TokenPayload {
  scope?: string
  aud?: string | string[]
}

type Needed = Pick<Ports, 'store' | 'clock'> & { settings: Pick<Settings, 'signUp'> }

/** The programs that persons have connected. */
export function tokenCallers(ports: Needed): TokenCallers {
  const { store, clock } = ports
  const known = new CallerCache<Known>(madeOf)

  const noteUse = (entry: Known, now: Date): void => {
    if (Math.abs(now.getTime() - entry.usedAt) < usedEveryMs) return
    entry.usedAt = now.getTime()
    const change = { $set: { last_used_at: timestamp(now) } }
    const { id } = entry.caller.connection
    store.connections.update({ id }, change, { lazy: true }).catch(() => undefined)
  }

  return {
    async identify(token) {
      const entry = known.get(token) ?? (await known.add(token, () => lookUp(ports, token)))
      const now = clock.now()
      if (entry.expiresAt <= timestamp(now)) throw expired()
      noteUse(entry, now)
      return entry.caller
    },
    forget: (touched) => known.forget(touched),
  }
}

/** The documents that a connected program is made of. */
function madeOf({ caller, personId, tokenId }: Known): string[] {
  return [
    documentName('memberships', membershipId(caller.accountId, personId)),
    documentName('oauth_artifacts', tokenId),
    documentName('connections', caller.connection.id),
    documentName('accounts', caller.accountId),
  ]
}

async function lookUp({ store, clock, settings }: Needed, token: string): Promise<Known> {
  const tokenId = artifactId('AccessToken', token)
  const artifact = isToken(token, 'abt') ? await store.oauth_artifacts.get(tokenId) : undefined
  if (!artifact || artifact.grant_id === null) throw expired()
  const connection = await store.connections.get(artifact.grant_id)
  const account = connection && (await store.accounts.get(connection.account_id))
  const isAllowed = await isInForce(store, connection, account, clock.now())
  if (!account || !connection || !isAllowed) throw expired()
  if (account.suspended_at) throw accountSuspended(settings)
  // The authorization server wrote it.
  const { scope, aud } = JSON.parse(artifact.payload) as TokenPayload
  const resource = Array.isArray(aud) ? aud[0] : aud
  const scopes = scopesIn(scope).filter((one) => connection.scopes.includes(one))
  const usedAt = Date.parse(connection.last_used_at ?? '') || 0
  return {
    caller: connected({ ...connection, scopes }, resource ?? '', account),
    personId: connection.person_id,
    tokenId,
    usedAt,
    expiresAt: [artifact.expires_at, connection.expires_at].sort()[0] ?? '',
  }
}

function expired(): Refusal {
  return new Refusal('invalid_credential', 'This access token has expired or was revoked.', {
    hint: 'Refresh it, or ask the person again.',
  })
}
