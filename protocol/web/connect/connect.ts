import { pageOperations } from '#src/catalog/pages.ts'
import { redirectAddress } from '#src/agents/connections/client.ts'
import { begun, offerOf, type GivenClient } from '#src/agents/connections/consent.ts'
import { connectionFor } from '#src/agents/connections/find.ts'
import type { Screen, View, Visitor } from '#src/core/html/view.ts'
import { OAuthFailure } from '#src/ports/oauth.ts'
import { answered, whoIs, type Terms } from '../ask.ts'
import {
  connectView,
  goOnView,
  noOfferView,
  removedView,
  type ConnectForm,
  type ShownConnection,
} from './connect-views.ts'
import { comeBack, typedIn } from '../console/come-back.ts'
import { notThere } from '../settings/settings-views.ts'

/** What a client's id and secret may be (RFC 6749, appendix A). */
const visible = /^[\x20-\x7e]{1,2000}$/
const noId = 'Enter the client id that you were given.'
const noClient = 'Both have at most 2,000 letters, digits and signs of ASCII.'

/** The page on which a person connects an agent to a server of others, or ends that. Opening it changes nothing here. */
export function connectScreen(terms: Terms, id: string): Screen {
  const { paths, store, consents } = terms
  const here = paths.connect(id)

  /** The connection for the person who is signed in, or what is shown instead; undefined if no one is. */
  const lookingAt = async (visitor: Visitor): Promise<ShownConnection | View | undefined> => {
    const me = await whoIs(terms, visitor)
    if (!me) return undefined
    const connection = await connectionFor(store, me.person.id, id)
    if (!connection) {
      return notThere(paths, 'There is no such connection for you to see.', paths.settings())
    }
    const agent = await store.characters.get(connection.char_id)
    const redirect = redirectAddress(consents.settings)
    return { paths, connection, agent: agent?.name ?? connection.char_id, redirect }
  }

  const viewOf = async (shown: ShownConnection, form: ConnectForm = {}): Promise<View> => {
    const offer = await offered(() => offerOf(consents, shown.connection))
    if (offer instanceof OAuthFailure) return noOfferView(shown, offer)
    return connectView(shown, offer, form)
  }

  return {
    async show(_query, visitor) {
      const shown = await lookingAt(visitor)
      if (!shown) return { goTo: paths.signInFor(here) }
      return 'connection' in shown ? viewOf(shown) : shown
    },
    async submit(form, visitor) {
      const shown = await lookingAt(visitor)
      if (!shown || !visitor.session) return comeBack(terms, here, form, visitor)
      if (!('connection' in shown)) return shown
      const typed = typedIn(form)
      if (typed) return viewOf(shown, { typed })
      const { connection } = shown
      const action = form.get('action')
      if (action === 'disconnect') {
        const as = { visitor, accountId: connection.owner_id }
        await answered(terms, pageOperations.connections.revoke, { id }, as)
        return removedView(shown)
      }
      if (action !== 'connect') return { goTo: here }
      const { token: session } = visitor.session
      const given = givenIn(form)
      if (given === 'no client') return viewOf(shown, { typed: form, problem: noClient })
      const address = await offered(() => begun(consents, connection, { session, given }))
      if (address instanceof OAuthFailure) return noOfferView(shown, address)
      if (address === undefined) return viewOf(shown, { typed: form, problem: noId })
      return goOnView(shown, address)
    },
  }
}

async function offered<T>(ask: () => Promise<T>): Promise<T | OAuthFailure> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof OAuthFailure) return cause
    throw cause
  }
}

/** The client that the owner was given by the other side; undefined if the form has none. */
function givenIn(form: URLSearchParams): GivenClient | 'no client' | undefined {
  const [id = '', secret = ''] = ['client_id', 'client_secret'].map((name) =>
    (form.get(name) ?? '').trim(),
  )
  if (id === '') return undefined
  if (!visible.test(id) || (secret !== '' && !visible.test(secret))) return 'no client'
  return { id, secret: secret === '' ? null : secret }
}
