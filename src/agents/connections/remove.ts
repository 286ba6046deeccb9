import type { Ports } from '#src/core/context.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { Unmet } from '#src/ports/store.ts'
import { grantedBy, type StoredConnection } from './connection.ts'

type Needed = Pick<Ports, 'store' | 'sealer' | 'oauth' | 'log'>

const atOnce = 100

/** The connection, if an agent of the account has it. */
export async function ownConnection(
  { outbound_connections: all }: Pick<Store, 'outbound_connections'>,
  ownerId: string,
  id: string,
): Promise<StoredConnection | undefined> {
  const [found] = await all.find({ id, owner_id: ownerId }, { limit: 1 })
  return found
}

/** The writes that remove a connection with the tokens that were read; they fail (`Unmet`) if these have changed. */
export function removalOf({ id, sealed_grant }: StoredConnection): Write[] {
  const change = { $set: { sealed_grant: null } }
  return [
    { in: 'outbound_connections', update: { id, sealed_grant }, change },
    { in: 'outbound_connections', delete: { id } },
  ]
}

/** Removes all connections of an account, and then ends their tokens at the servers that gave them. */
export async function disconnected(ports: Needed, ownerId: string): Promise<void> {
  const { outbound_connections: all } = ports.store
  for (;;) {
    const some = await all.find({ owner_id: ownerId }, { limit: atOnce })
    if (some.length === 0) return
    const removed: StoredConnection[] = []
    for (const one of some) if (await isRemoved(ports, one)) removed.push(one)
    await tokensEnded(ports, removed)
  }
}

async function isRemoved({ store }: Needed, connection: StoredConnection): Promise<boolean> {
  try {
    await store.commit(removalOf(connection))
    return true
  } catch (cause) {
    // It has got other tokens since, with which it is found again; or another process has removed it.
    if (cause instanceof Unmet) return false
    throw cause
  }
}

/**
 * Ends the tokens of connections that are removed (RFC 7009), as far as their servers can be reached: nothing of
 * them is kept here in any case.
 */
export async function tokensEnded(
  ports: Omit<Needed, 'store'>,
  connections: readonly StoredConnection[],
): Promise<void> {
  await Promise.all(
    connections.map(async (connection) => {
      try {
        const granted = grantedBy(ports, connection)
        if (!granted) return
        const { server, client } = granted.grant
        const { refresh_token, access_token } = granted.tokens
        // With a refresh token all that was given with it ends.
        await ports.oauth.revoke(server, client, refresh_token ?? access_token)
      } catch (cause) {
        const { id } = connection
        ports.log.warn('the tokens of a connection could not be ended', { id, cause })
      }
    }),
  )
}
