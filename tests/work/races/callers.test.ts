import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SentSession } from '#src/core/admission/session.ts'
import type { Store } from '#src/ports/store.ts'
import { signedInPerson } from '#tests/accounts/people/persons.ts'
import { memberOf } from '#tests/support/members.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

/** A credential that has not been looked up yet, and how it ends. */
interface Fresh {
  sent: string | SentSession
  /** An operation that it opens. */
  opens: string
  end: (slow: World) => Promise<unknown>
  code: string
}

const kinds: [string, (world: World) => Promise<Fresh>][] = [
  [
    'a key',
    async (world) => {
      const { key: owner } = await world.account()
      const { id, key: sent } = await world.ask<{ id: string; key: string }>(
        'api_keys.create',
        { name: 'k' },
        owner,
      )
      const end = (slow: World) => slow.ask('api_keys.revoke', { key_id: id }, owner)
      return { sent, opens: 'account.get', end, code: 'invalid_credential' }
    },
  ],
  [
    'a token of the Commons',
    async (world) => {
      const { token: sent } = await memberOf(world)
      const end = (slow: World) => slow.ask('commons.identities.rotate', {}, sent)
      return { sent, opens: 'commons.me.get', end, code: 'token_revoked' }
    },
  ],
  [
    'a session',
    async (world) => {
      const sent = { token: (await signedInPerson(world.ports)).token }
      const end = (slow: World) => slow.ask('auth.logout', {}, sent)
      return { sent, opens: 'auth.me', end, code: 'invalid_credential' }
    },
  ],
]

describe.each(stores())('on $name', (kind) => {
  let store: Store
  beforeEach(async () => {
    store = await kind.open()
  })
  afterEach(() => store.close())

  /** The same store, whose first answer about a credential comes only once it is let through. */
  const heldBack = () => {
    const read = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    let isFirst = true
    const held = async <T>(answer: Promise<T>): Promise<T> => {
      const value = await answer
      if (!isFirst) return value
      isFirst = false
      read.resolve()
      await gate.promise
      return value
    }
    const { api_keys, sessions, commons_tokens } = store
    const slow: Store = {
      ...store,
      // No other process tells this one to forget: its own doing has to be enough.
      watch: () => () => undefined,
      api_keys: { ...api_keys, find: (...asked) => held(api_keys.find(...asked)) },
      sessions: { ...sessions, find: (...asked) => held(sessions.find(...asked)) },
      commons_tokens: { ...commons_tokens, get: (id) => held(commons_tokens.get(id)) },
    }
    return { slow, read: read.promise, letThrough: () => gate.resolve() }
  }

  it.each(kinds)(
    '%s that ends while it is first looked up is refused from then on',
    async (...[, make]) => {
      const { sent, opens, end, code } = await make(openWorld(store))
      const { slow, read, letThrough } = heldBack()
      const world = openWorld(slow)
      const first = world.ask(opens, {}, sent)
      await read
      await end(world)
      letThrough()
      // It began while the credential was good.
      await first.catch(() => undefined)
      expect(await world.refusal(opens, {}, sent)).toMatchObject({ code })
    },
  )
})
