import { noticeTo } from '#src/accounts/notice.ts'
import type { Ports } from '#src/core/context.ts'
import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import { ConsentNeeded } from '#src/ports/authorize.ts'
import type { ProtectedResource } from '#src/ports/oauth.ts'
import { DuplicateKey, Unmet, type Write } from '#src/ports/store.ts'
import {
  connectionsAtMost,
  sealedPart,
  type ConsentReason,
  type Granted,
  type StoredConnection,
} from './connection.ts'

type Needed = Pick<Ports, 'store' | 'clock' | 'settings'>

/** The agent that calls. */
export interface ConnectedAgent {
  charId: string
  ownerId: string
}

/** The page on which the person who holds the account consents. */
export function consentAddress({ settings }: Pick<Ports, 'settings'>, id: string): string {
  return `${settings.publicUrl}/connect/${id}`
}

/** What a run fails with that calls a server which needs consent. */
export function consentNeeded(
  ports: Pick<Ports, 'settings'>,
  { id, origin }: Pick<StoredConnection, 'id' | 'origin'>,
): ConsentNeeded {
  return new ConsentNeeded(origin, id, consentAddress(ports, id))
}

/**
 * Keeps that a server asks an agent for consent, and tells the owner; both once, however many runs meet it.
 * @param place the address that was called, without its query
 * @returns the connection, or undefined if the agent has too many
 */
export async function consentAsked(
  ports: Needed,
  { charId, ownerId: owner_id }: ConnectedAgent,
  place: URL,
  { resource, issuer, scopes, name }: ProtectedResource,
): Promise<StoredConnection | undefined> {
  const { outbound_connections: all } = ports.store
  const now = timestamp(ports.clock.now())
  const same = { char_id: charId, resource }
  const known = (await all.find(same))[0]
  if (known) return known
  if ((await all.count({ char_id: charId })) >= connectionsAtMost) return undefined
  const insert: StoredConnection = {
    ...same,
    id: newId('obc'),
    direction: 'outbound',
    owner_id,
    origin: place.origin,
    place: place.href,
    issuer,
    server_name: name,
    scopes,
    state: 'needs_consent',
    reason: 'asked',
    created_at: now,
    updated_at: now,
    connected_at: null,
    ...withoutGrant,
    ...withoutAttempt,
  }
  try {
    // Bound to the agent, with which its connections are deleted.
    const agent = { id: charId, owner_id }
    const bound: Write = { in: 'characters', update: agent, change: { $set: { owner_id } } }
    await ports.store.commit([
      bound,
      { in: 'outbound_connections', insert },
      noticeOf(ports, insert, 'asked'),
    ])
    return insert
  } catch (cause) {
    if (cause instanceof DuplicateKey) return (await all.find(same))[0]
    if (cause instanceof Unmet) return undefined
    throw cause
  }
}

const withoutGrant = {
  sealed_grant: null,
  token_until: null,
  renewer: null,
  renewer_until: null,
} as const

/** A connection for which no person is away. */
export const withoutAttempt = {
  sealed_attempt: null,
  attempt_hash: null,
  attempt_until: null,
} as const

/** Removes the tokens that a consent has brought, if they are still those that were read, and tells the owner once. */
export async function consentEnded(
  ports: Needed & Pick<Ports, 'sealer'>,
  { connection, grant }: Granted,
  reason: ConsentReason,
): Promise<void> {
  const { id, sealed_grant } = connection
  const $set = {
    ...withoutGrant,
    sealed_grant: sealedPart(ports.sealer, id, 'grant', { ...grant, tokens: null }),
    state: 'needs_consent',
    reason,
    updated_at: timestamp(ports.clock.now()),
  } as const
  await committed(ports, [
    {
      in: 'outbound_connections',
      update: { id, sealed_grant, state: 'connected' },
      change: { $set },
    },
    noticeOf(ports, connection, reason),
  ])
}

/** Notes that a connected server wants more than was granted, and tells the owner once for all that it names. */
export async function moreAsked(
  ports: Needed,
  connection: StoredConnection,
  scopes: readonly string[],
): Promise<void> {
  const { id, updated_at, reason } = connection
  const wanted = [...new Set([...connection.scopes, ...scopes])]
  if (reason === 'more_scopes' && wanted.length === connection.scopes.length) return
  const now = timestamp(ports.clock.now())
  const $set = { scopes: wanted, reason: 'more_scopes', updated_at: now } as const
  await committed(ports, [
    { in: 'outbound_connections', update: { id, updated_at, reason }, change: { $set } },
    noticeOf(ports, connection, 'more_scopes'),
  ])
}

async function committed({ store }: Needed, writes: readonly Write[]): Promise<void> {
  try {
    await store.commit(writes)
  } catch (cause) {
    // Another run was faster, and has told.
    if (!(cause instanceof Unmet)) throw cause
  }
}

const words: Readonly<Record<ConsentReason, string>> = {
  asked: 'asks for the consent of its owner',
  ended: 'has ended the consent of its owner',
  refused: 'no longer takes the consent of its owner',
  more_scopes: 'asks for more than its owner has consented to',
}

function noticeOf(
  ports: Needed,
  { id, origin, owner_id, char_id }: StoredConnection,
  reason: ConsentReason,
): Write {
  const page = consentAddress(ports, id)
  const message = `The server ${origin}, which the agent "${char_id}" calls, ${words[reason]}. Until then its calls fail. The person who holds this account consents at ${page}.`
  return noticeTo(owner_id, 'connection.needs_consent', message, { char_id }, ports.clock.now(), {
    reason,
    connection_id: id,
  })
}
