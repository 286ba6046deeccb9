import type { Ports } from '#src/core/context.ts'
import { randomHex } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { documentName } from '#src/core/told/touch.ts'
import { OAuthFailure, type OAuthTokens } from '#src/ports/oauth.ts'
import {
  grantedBy,
  sealedPart,
  type Grant,
  type Granted,
  type StoredConnection,
} from './connection.ts'
import { consentEnded } from './need.ts'

export type Renewing = Pick<
  Ports,
  'store' | 'clock' | 'settings' | 'sealer' | 'oauth' | 'waiting' | 'log'
>

/** Longer than the authorization server may take to answer. */
const leaseSeconds = 30
const lookAgainMs = 1000
/** Tokens that end within this time are renewed first. */
const marginSeconds = 30

/** Whether its access token is about to end; one that cannot be renewed is used to its end. */
export function isEnding({ connection, tokens }: Granted, now: Date): boolean {
  const { token_until } = connection
  const margin = tokens.refresh_token === null ? 0 : marginSeconds
  return token_until !== null && token_until <= secondsAfter(now, margin)
}

/**
 * The connection with tokens other than this one, which are got by one process alone; the others wait for it.
 * @param stale the access token that is of no use any more
 * @returns undefined where a person has to consent
 * @throws OAuthFailure if the authorization server cannot be asked now
 */
export async function renewed(
  ports: Renewing,
  id: string,
  stale: string,
  signal: AbortSignal,
): Promise<Granted | undefined> {
  for (;;) {
    signal.throwIfAborted()
    const leaving = new AbortController()
    // Registered before looking, so that nothing is missed in between.
    const told = ports.waiting.until(
      documentName('outbound_connections', id),
      lookAgainMs,
      AbortSignal.any([signal, leaving.signal]),
    )
    try {
      const now = grantedBy(ports, await ports.store.outbound_connections.get(id))
      if (!now || now.tokens.access_token !== stale) return now
      const claimed = await claim(ports, now.connection)
      if (claimed) return await renew(ports, { ...now, connection: claimed })
      await told
    } finally {
      leaving.abort()
    }
  }
}

async function claim(
  { store }: Renewing,
  { id, sealed_grant }: StoredConnection,
): Promise<StoredConnection | undefined> {
  const now = await store.leaseTime()
  const free = [{ renewer: null }, { renewer_until: { $lte: timestamp(now) } }]
  const $set = { renewer: randomHex(16), renewer_until: secondsAfter(now, leaseSeconds) }
  return store.outbound_connections.update({ id, sealed_grant, $or: free }, { $set })
}

/** Without a refresh token, or where the server takes it no longer, the consent has ended. */
async function renew(ports: Renewing, now: Granted): Promise<Granted | undefined> {
  const { connection, grant } = now
  const { refresh_token: refreshToken } = now.tokens
  const { id, resource } = connection
  const tell = (): void => ports.waiting.tell(documentName('outbound_connections', id))
  if (refreshToken === null) return ended(ports, now)
  let tokens: OAuthTokens
  try {
    tokens = await ports.oauth.refresh(grant.server, grant.client, { refreshToken, resource })
  } catch (cause) {
    if (cause instanceof OAuthFailure && hasEnded(cause)) return ended(ports, now)
    await free(ports, connection)
    tell()
    throw cause
  }
  const rotated = { ...tokens, refresh_token: tokens.refresh_token ?? refreshToken }
  const $set = membersOf(ports, id, grant, rotated)
  const held = { id, renewer: connection.renewer }
  const kept = await ports.store.outbound_connections.update(held, { $set })
  tell()
  // It was revoked meanwhile, or consented to again.
  return grantedBy(ports, kept ?? (await ports.store.outbound_connections.get(id)))
}

function hasEnded({ error }: OAuthFailure): boolean {
  return error === 'invalid_grant' || error === 'invalid_client' || error === 'unauthorized_client'
}

async function ended(ports: Renewing, now: Granted): Promise<undefined> {
  await consentEnded(ports, now, 'ended')
  ports.waiting.tell(documentName('outbound_connections', now.connection.id))
}

async function free({ store, log }: Renewing, { id, renewer }: StoredConnection): Promise<void> {
  const $set = { renewer: null, renewer_until: null }
  // If it stays, it ends by itself.
  await store.outbound_connections
    .update({ id, renewer }, { $set })
    .catch((cause: unknown) => log.warn('a lease could not be given back', { cause }))
}

/** The members of a connection that has just got tokens. */
export function membersOf(
  { sealer, clock }: Pick<Ports, 'sealer' | 'clock'>,
  id: string,
  { server, client }: Pick<Grant, 'server' | 'client'>,
  { access_token, refresh_token, expires_in, scopes }: OAuthTokens,
) {
  const now = clock.now()
  const grant: Grant = { server, client, tokens: { access_token, refresh_token } }
  return {
    sealed_grant: sealedPart(sealer, id, 'grant', grant),
    token_until: expires_in === null ? null : secondsAfter(now, expires_in),
    renewer: null,
    renewer_until: null,
    updated_at: timestamp(now),
    ...(scopes !== null && { scopes }),
  }
}
