import type { Ports } from '#src/core/context.ts'
import type { GrantStore } from '#src/core/authorization/authorization.ts'
import { isInForce } from '#src/core/authorization/in-force.ts'
import { agree } from './agree.ts'
import { connectionDays } from './connection.ts'
import { endConnections } from './end.ts'

/** The connections of a store, for the authorization server. */
export function grantStore({
  store,
  clock,
  forgetCallers,
}: Pick<Ports, 'store' | 'clock' | 'forgetCallers'>): GrantStore {
  return {
    async agree(program, { sessionId, address, ...consent }, grantOf) {
      const by = { store, clock, address, sessionId }
      const { id } = await agree(by, { program, ...consent }, (made, before) =>
        grantOf(made, before?.grant),
      )
      forgetCallers()
      return id
    },
    async grant(id) {
      const connection = await store.connections.get(id)
      const account = connection && (await store.accounts.get(connection.account_id))
      const isAllowed = await isInForce(store, connection, account, clock.now())
      return isAllowed ? connection?.grant : undefined
    },
    async end(id) {
      await endConnections(store, { id }, clock.now())
      forgetCallers()
    },
    seconds: connectionDays * 86_400,
  }
}
