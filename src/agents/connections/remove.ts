import type { Ports } from '#src/core/context.ts'
import type { Filter } from '#src/ports/filter.ts'
import { grantedBy, type StoredConnection } from './connection.ts'

type Needed = Pick<Ports, 'store' | 'sealer' | 'oauth' | 'log'>

const atOnce = 100

/** Removes connections of an account with their tokens, and then ends these at the servers that gave them. @returns how many */
export async function disconnected(
  ports: Needed,
  filter: Filter<StoredConnection> & { owner_id: string },
): Promise<number> {
  let removed = 0
  for (;;) {
    const some = await ports.store.outbound_connections.find(filter, { limit: atOnce })
    if (some.length === 0) return removed
    for (const { id } of some) {
      // Of two that remove the same, one ends its tokens.
      removed += await ports.store.outbound_connections.delete({ ...filter, id })
    }
    await tokensEnded(ports, some)
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
