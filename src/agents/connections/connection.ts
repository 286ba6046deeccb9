import * as z from 'zod'
import type { SealedFor, Sealer } from '#src/core/seal.ts'
import type {
  AuthorizationServer,
  OAuthClient,
  OAuthTokens,
  ProtectedResource,
} from '#src/ports/oauth.ts'

export const connectionStates = ['needs_consent', 'connected'] as const

export const consentReasons = ['asked', 'ended', 'refused', 'more_scopes'] as const
/**
 * Why a person has to consent: the server has asked for the first time; it has ended the consent; it refuses
 * tokens that are new; it wants more than was granted.
 */
export type ConsentReason = (typeof consentReasons)[number]

export const OutboundConnection = z
  .object({
    id: z.string(),
    direction: z.literal('outbound').describe('This service calls the server.'),
    char_id: z.string().describe('The agent that is connected.'),
    resource: z.string().describe('The address of the server, which tokens are for.'),
    issuer: z.string().describe('The authorization server that gives them.'),
    scopes: z.array(z.string()).describe('What is asked for, or was granted.'),
    state: z.enum(connectionStates),
    reason: z.enum(consentReasons).nullable().describe('Why a person has to consent.'),
    created_at: z.string(),
    connected_at: z.string().nullable(),
  })
  .meta({ id: 'OutboundConnection' })
/** A server of others that asks for OAuth, and an agent that calls it. */
export type OutboundConnection = z.infer<typeof OutboundConnection>

/** A connection at rest. */
export interface StoredConnection extends OutboundConnection {
  owner_id: string
  /** The origin to which tokens are sent, and no other. */
  origin: string
  /** The address whose call was refused, without its query. */
  place: string
  /** What the server calls itself, which no one has verified. */
  server_name: string | null
  updated_at: string
  /** The sealed `Grant`; null before the first consent. */
  sealed_grant: string | null
  /** When the access token ends; null if that is not known. */
  token_until: string | null
  /** Who renews the tokens now, and until when by the clock for leases. */
  renewer: string | null
  renewer_until: string | null
  /** The sealed `Attempt` of a person who is away to consent, and by what they are known when they return. */
  sealed_attempt: string | null
  attempt_hash: string | null
  attempt_until: string | null
}

/** What a consent has brought. */
export interface Grant {
  server: AuthorizationServer
  client: OAuthClient
  /** Null once the consent has ended. */
  tokens: Pick<OAuthTokens, 'access_token' | 'refresh_token'> | null
}

/** What is needed when a person returns from the authorization server. */
export interface Attempt {
  server: AuthorizationServer
  client: OAuthClient
  resource: ProtectedResource
  scopes: string[]
  /** The digest of the token of the session in which it began. */
  session: string
}

/** How many connections an agent has at most. */
export const connectionsAtMost = 50

/** What seals each part, under which purpose. */
export const connectionPurposes = {
  grant: 'connection_grant',
  attempt: 'connection_attempt',
} as const

interface Parts {
  grant: Grant
  attempt: Attempt
}

function boundTo(id: string, part: keyof Parts): SealedFor {
  return { id, purpose: connectionPurposes[part] }
}

/** A part of a connection as it is kept. */
export function sealedPart<P extends keyof Parts>(
  sealer: Pick<Sealer, 'seal'>,
  id: string,
  part: P,
  value: Parts[P],
): string {
  return sealer.seal(JSON.stringify(value), boundTo(id, part))
}

/** The part that was sealed. @throws Error if it was sealed for another connection */
export function openedPart<P extends keyof Parts>(
  sealer: Pick<Sealer, 'open'>,
  id: string,
  part: P,
  sealed: string,
): Parts[P] {
  // What `sealedPart` sealed.
  return JSON.parse(sealer.open(sealed, boundTo(id, part))) as Parts[P]
}

/** A connection with what its consent has brought. */
export interface Granted {
  connection: StoredConnection
  grant: Grant
  tokens: NonNullable<Grant['tokens']>
}

/** What the consent of a connection has brought; undefined where a person has to consent. */
export function grantedBy(
  { sealer }: { sealer: Pick<Sealer, 'open'> },
  connection: StoredConnection | undefined,
): Granted | undefined {
  const grant = connection && grantOf({ sealer }, connection)
  return connection && grant?.tokens ? { connection, grant, tokens: grant.tokens } : undefined
}

/** The same with or without tokens: also the client of a consent that has ended. */
export function grantOf(
  { sealer }: { sealer: Pick<Sealer, 'open'> },
  { id, sealed_grant }: Pick<StoredConnection, 'id' | 'sealed_grant'>,
): Grant | undefined {
  return sealed_grant === null ? undefined : openedPart(sealer, id, 'grant', sealed_grant)
}
