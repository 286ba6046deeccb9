import { createHmac } from 'node:crypto'
import { recorded } from '#src/accounts/audit/commit.ts'
import { methodFor } from '#src/core/authorization/client-method.ts'
import type { Ports } from '#src/core/context.ts'
import type { Actor } from '#src/core/credentials/actor.ts'
import { digest, randomHex } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import {
  OAuthFailure,
  type AuthorizationServer,
  type OAuthClient,
  type ProtectedResource,
} from '#src/ports/oauth.ts'
import { DuplicateKey, Unmet } from '#src/ports/store.ts'
import {
  clientDocumentAddress,
  clientMetadata,
  hasClientDocument,
  redirectAddress,
} from './client.ts'
import { grantOf, openedPart, sealedPart, type StoredConnection } from './connection.ts'
import { withoutAttempt } from './need.ts'
import { membersOf, type Renewing } from './renew.ts'

type Needed = Pick<Ports, 'store' | 'clock' | 'settings' | 'sealer' | 'oauth' | 'waiting'>

/** How long a person may be away to consent. */
const attemptSeconds = 900

/** What a server says now of where consent is given, and how this service becomes its client. */
export interface Offer {
  resource: ProtectedResource
  server: AuthorizationServer
  /** By itself: by its document, or by registration; by a client that was given before; or only by one that is given. */
  way: 'document' | 'registration' | 'kept' | 'given'
}

/** A client that the owner has registered by hand. */
export interface GivenClient {
  id: string
  secret: string | null
}

/** Asks the server of a connection, and its authorization server, what they say now. @throws OAuthFailure */
export async function offerOf(ports: Needed, connection: StoredConnection): Promise<Offer> {
  const resource = await ports.oauth.resource(connection.place, undefined)
  if (!resource) {
    throw new OAuthFailure('unusable', 'The server does not say any more where consent is given.')
  }
  const server = await ports.oauth.server(resource.issuer)
  return { resource, server, way: wayOf(ports, connection, server) }
}

function wayOf(ports: Needed, connection: StoredConnection, server: AuthorizationServer) {
  if (keptClient(ports, connection, server)) return 'kept'
  if (server.client_id_metadata_document_supported && hasClientDocument(ports.settings)) {
    return 'document'
  }
  return server.registration_endpoint === undefined ? 'given' : 'registration'
}

/** The client that the owner gave for the same authorization server. */
function keptClient(
  ports: Needed,
  connection: StoredConnection,
  { issuer, registration_endpoint, client_id_metadata_document_supported }: AuthorizationServer,
): OAuthClient | undefined {
  // What registers itself does so for each consent: another server may have forgotten it.
  if (registration_endpoint !== undefined || client_id_metadata_document_supported) return undefined
  const grant = grantOf(ports, connection)
  return grant?.server.issuer === issuer ? grant.client : undefined
}

async function clientOf(
  ports: Needed,
  connection: StoredConnection,
  { server, way }: Offer,
  given: GivenClient | undefined,
): Promise<OAuthClient | undefined> {
  if (given) return { ...given, method: methodFor(server, given.secret !== null) }
  if (way === 'kept') return keptClient(ports, connection, server)
  if (way === 'given') return undefined
  if (way === 'document') {
    return { id: clientDocumentAddress(ports.settings), secret: null, method: 'none' }
  }
  return ports.oauth.register(server, clientMetadata(ports.settings, server))
}

/**
 * Begins a consent: the address to which the person goes. Only the session in which it began ends it.
 * @param session the token of the person's session
 * @returns undefined if a client has to be given
 * @throws OAuthFailure
 */
export async function begun(
  ports: Needed,
  connection: StoredConnection,
  { session, given }: { session: string; given?: GivenClient | undefined },
): Promise<string | undefined> {
  const offer = await offerOf(ports, connection)
  const client = await clientOf(ports, connection, offer, given)
  if (!client) return undefined
  const { resource, server } = offer
  const { id } = connection
  const state = randomHex(32)
  const scopes = scopesFor(connection, offer)
  const attempt = { server, client, resource, scopes, session: digest(session) }
  const $set = {
    sealed_attempt: sealedPart(ports.sealer, id, 'attempt', attempt),
    attempt_hash: digest(state),
    attempt_until: secondsAfter(ports.clock.now(), attemptSeconds),
  }
  const kept = await ports.store.outbound_connections.update({ id }, { $set })
  if (!kept) throw new OAuthFailure('unusable', 'This connection was removed meanwhile.')
  return ports.oauth.askingAddress(server, client.id, {
    redirect: redirectAddress(ports.settings),
    resource: resource.resource,
    scopes,
    state,
    verifier: verifierOf(ports, state),
  })
}

function scopesFor({ scopes, reason }: StoredConnection, { resource, server }: Offer): string[] {
  // What a server asked for beyond what it says of itself is asked for too.
  const more = reason === 'more_scopes' || reason === 'asked' ? scopes : []
  const offline = server.scopes_supported?.includes('offline_access') ? ['offline_access'] : []
  return [...new Set([...(more.length > 0 ? more : resource.scopes), ...offline])]
}

/** Kept nowhere: it follows from the state, which only the person's browser has. */
function verifierOf({ sealer }: Pick<Ports, 'sealer'>, state: string): string {
  return createHmac('sha256', sealer.derive('pkce')).update(state).digest('base64url')
}

/** Who returns. */
export interface Returning {
  /** The token of their session. */
  session: string
  personOwns: (ownerId: string) => Promise<boolean>
  actor: Actor
  /** The network that they come from. */
  network: string
}

/** What became of a person who returned. */
export type Return =
  | { connection: StoredConnection; outcome: 'connected' }
  | { connection: StoredConnection; outcome: 'refused'; failure: OAuthFailure }
  | { outcome: 'unknown' }

/**
 * Ends a consent with the query that the person brought back. A state counts once, in its own session, for a
 * while.
 * @throws Unavailable
 */
export async function completed(
  ports: Renewing,
  answer: URLSearchParams,
  { session, personOwns, actor, network }: Returning,
): Promise<Return> {
  const state = answer.get('state') ?? ''
  const { outbound_connections: all } = ports.store
  const attempt_hash = digest(state)
  const [found] = await all.find({ attempt_hash }, { limit: 1 })
  if (!found || found.sealed_attempt === null) return { outcome: 'unknown' }
  const attempt = openedPart(ports.sealer, found.id, 'attempt', found.sealed_attempt)
  const isLate = (found.attempt_until ?? '') < timestamp(ports.clock.now())
  const isOwn = attempt.session === digest(session) && (await personOwns(found.owner_id))
  if (!isOwn || isLate) return { outcome: 'unknown' }
  // Of two that bring the same, the first alone goes on.
  const taken = await all.update({ id: found.id, attempt_hash }, { $set: withoutAttempt })
  if (!taken) return { outcome: 'unknown' }
  const { server, client, scopes } = attempt
  const { resource, name } = attempt.resource
  try {
    const tokens = await ports.oauth.redeem(server, client, {
      answer,
      state,
      redirect: redirectAddress(ports.settings),
      resource,
      verifier: verifierOf(ports, state),
    })
    const $set = {
      ...membersOf(ports, found.id, attempt, { ...tokens, scopes: tokens.scopes ?? scopes }),
      resource,
      issuer: server.issuer,
      server_name: name,
      state: 'connected',
      reason: null,
      connected_at: timestamp(ports.clock.now()),
    } as const
    const update = { id: found.id, owner_id: found.owner_id }
    const note = { operation: 'connections.consent', about: aboutOf(found) }
    await recorded(ports, { accountId: found.owner_id, actor, network }, note, (chained) =>
      ports.store.commit([{ in: 'outbound_connections', update, change: { $set } }, ...chained]),
    )
    return { connection: { ...taken, ...$set }, outcome: 'connected' }
  } catch (cause) {
    // It was removed meanwhile.
    if (cause instanceof Unmet) return { outcome: 'unknown' }
    if (cause instanceof OAuthFailure) {
      return { connection: taken, outcome: 'refused', failure: cause }
    }
    if (!(cause instanceof DuplicateKey)) throw cause
    const words = 'Another connection of this agent is for the same server already.'
    const failure = new OAuthFailure('other_resource', words)
    return { connection: taken, outcome: 'refused', failure }
  }
}

function aboutOf({ id, char_id }: StoredConnection): Record<string, string> {
  return { connection_id: id, char_id }
}
