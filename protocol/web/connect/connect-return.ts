import { completed } from '#src/agents/connections/consent.ts'
import { isOwnerOf } from '#src/core/authorization/account-roles.ts'
import type { Screen } from '#src/core/html/view.ts'
import { whoIs, type Terms } from '../ask.ts'
import { notConnectedView } from './connect-views.ts'

/** Where an authorization server sends a person back. What they bring counts once, in the session in which they left. */
export function connectReturnScreen(terms: Terms): Screen {
  const { paths, store, consents } = terms
  return {
    async show(query, visitor) {
      const me = await whoIs(terms, visitor)
      if (!me || !visitor.session) return notConnectedView(paths, unknown, 403)
      const personOwns = (ownerId: string): Promise<boolean> =>
        isOwnerOf(store, ownerId, me.person.id)
      const returned = await completed(consents, query, {
        session: visitor.session.token,
        personOwns,
        actor: { kind: 'person', person_id: me.person.id },
        network: visitor.address,
      })
      if (returned.outcome === 'unknown') return notConnectedView(paths, unknown, 403)
      const { connection } = returned
      if (returned.outcome === 'connected') return { goTo: paths.connect(connection.id) }
      return notConnectedView(paths, returned.failure.message, 502, connection)
    },
  }
}

const unknown =
  'This return belongs to no consent that you have begun in this browser, or it has been used, or it came too late.'
