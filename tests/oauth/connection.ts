import { agree } from '#src/accounts/hosts/agree.ts'
import type { StoredConnection } from '#src/accounts/hosts/connection.ts'
import type { StoredConnection as StoredServer } from '#src/agents/connections/connection.ts'
import type { OauthScope } from '#src/core/authorization/scopes.ts'
import { artifactId } from '#src/core/authorization/token-callers.ts'
import { newId, newToken, randomHex } from '#src/core/ids.ts'
import { secondsAfter } from '#src/core/time.ts'
import type { Ports } from '#src/core/context.ts'

/** A program that a person has connected to their own account, without the authorization server. */
export function connectedProgram(
  ports: Pick<Ports, 'store' | 'clock'>,
  { id, account_id, session_id }: { id: string; account_id: string; session_id: string },
): Promise<StoredConnection> {
  const host = 'host.example'
  const client_id = `https://${host}/client.json`
  return agree(
    { ...ports, address: '192.0.2.0/24', sessionId: session_id },
    {
      program: { client_id, name: 'Desk assistant', host, redirect_host: host },
      accountId: account_id,
      personId: id,
      charId: null,
      scopes: ['read', 'write', 'run'],
    },
    () => Promise.resolve('{}'),
  )
}

/** A server of others that asks an agent of the person's own account for consent. */
export async function connectedServer(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { account_id: owner_id }: { account_id: string },
  created_at = clock.now().toISOString(),
): Promise<StoredServer> {
  const origin = 'https://tools.example'
  const place = `${origin}/${randomHex(8)}`
  const server: StoredServer = {
    id: newId('obc'),
    direction: 'outbound',
    owner_id,
    char_id: 'ada',
    resource: place,
    origin,
    place,
    issuer: 'https://as.example',
    server_name: null,
    scopes: ['tools'],
    state: 'needs_consent',
    reason: 'asked',
    created_at,
    updated_at: created_at,
    connected_at: null,
    sealed_grant: null,
    token_until: null,
    renewer: null,
    renewer_until: null,
    sealed_attempt: null,
    attempt_hash: null,
    attempt_until: null,
  }
  await store.outbound_connections.insert(server)
  return server
}

/** An access token of a program that a person has connected, without the authorization server. */
export async function issued(
  ports: Pick<Ports, 'store' | 'clock'>,
  { id: personId, account_id: accountId }: { id: string; account_id: string },
  {
    scopes,
    resource,
    charId = null,
  }: { scopes: readonly OauthScope[]; resource: string; charId?: string | null },
): Promise<{ token: string; connection: StoredConnection }> {
  const client_id = `client_${randomHex(8)}`
  const connection = await agree(
    { ...ports, address: '192.0.2.0/24', sessionId: 'ses_none' },
    {
      program: { client_id, name: 'Program', host: null, redirect_host: null },
      accountId,
      personId,
      charId,
      scopes,
    },
    () => Promise.resolve('{}'),
  )
  const token = newToken('abt')
  await ports.store.oauth_artifacts.insert({
    id: artifactId('AccessToken', token),
    payload: JSON.stringify({ scope: scopes.join(' '), aud: resource }),
    grant_id: connection.id,
    user_code: null,
    consumed_at: null,
    expires_at: secondsAfter(ports.clock.now(), 3600),
  })
  return { token, connection }
}
