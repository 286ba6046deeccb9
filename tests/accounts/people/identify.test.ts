import { afterEach, beforeEach, describe, expect, it as itOnEach, vi } from 'vitest'
import { callers } from '#src/core/admission/callers.ts'
import { callerFor } from '#src/core/admission/identify.ts'
import type { Call } from '#src/core/door.ts'
import type { Caller } from '#src/core/admission/caller.ts'
import { newToken } from '#src/core/ids.ts'
import type { Store } from '#src/ports/store.ts'
import { operationNamed } from '#tests/operations/play.ts'
import { memberOf } from '#tests/support/members.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { signedInPerson, type SignedInPerson } from './persons.ts'

describe.each(stores())('whom an operation takes for its caller, on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let world: World
  let account: { key: string; id: string }
  let scoped: string
  let handle: { token: string; handle: string }
  let person: SignedInPerson
  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    account = await world.account()
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, account.key)
    const wanted = { name: 'k', scope_char_id: 'ada' }
    scoped = (await world.ask<{ key: string }>('api_keys.create', wanted, account.key)).key
    handle = await memberOf(world)
    person = await signedInPerson(world.ports)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await store.close()
  })

  const by = (
    name: string,
    sent: Pick<Partial<Call>, 'credential' | 'session'>,
  ): Promise<Caller> => {
    const call: Call = {
      operation: operationNamed(name),
      input: {},
      credential: undefined,
      address: '127.0.0.0',
      requestId: 'req_1',
      ...sent,
    }
    return callerFor(world.ports, callers(world.ports), call)
  }
  const refused = (code: string, hint?: RegExp): object =>
    expect.objectContaining({ code, ...(hint && { hint: expect.stringMatching(hint) as string }) })
  const session = (accountId?: string) => ({ token: person.token, accountId })

  itOnEach('is anybody where it is open, with a credential that is wrong or none', async () => {
    const never = [newToken('ab'), newToken('cmn'), 'garbage', undefined]
    for (const credential of never) {
      expect(await by('health.get', { credential })).toEqual({ kind: 'anonymous' })
    }
    const ended = { token: newToken('abs') }
    expect(await by('health.get', { session: ended })).toEqual({ kind: 'anonymous' })
  })

  itOnEach('is who sends a good one where it is open too', async () => {
    expect(await by('health.get', { credential: account.key })).toMatchObject({
      accountId: account.id,
    })
    expect(await by('health.get', { credential: handle.token })).toMatchObject({ kind: 'handle' })
    expect(await by('health.get', { session: session() })).toMatchObject({ personId: person.id })
  })

  itOnEach('is refused for an account of another person, and while the store fails', async () => {
    const other = by('health.get', { session: session(account.id) })
    await expect(other).rejects.toEqual(refused('forbidden'))
    const cause = new Error('gone')
    vi.spyOn(store.api_keys, 'find').mockRejectedValue(cause)
    await expect(by('health.get', { credential: account.key })).rejects.toBe(cause)
  })

  it.each([
    ['account.get', /<agent_claim\.create>/],
    ['commons.me.get', /<commons\.challenge\.get>/],
    ['auth.me', /<auth\.login>/],
  ])('has to say who it is for %s, and hears how', async (name, hint) => {
    await expect(by(name, {})).rejects.toEqual(refused('unauthenticated', hint))
  })

  itOnEach('is no handle outside the Commons', async () => {
    const sent = { credential: handle.token }
    await expect(by('account.get', sent)).rejects.toEqual(
      refused('scope_forbidden', /<agent_claim\.create>/),
    )
    await expect(by('auth.me', sent)).rejects.toEqual(refused('scope_forbidden'))
    expect(await by('commons.me.get', sent)).toMatchObject({ kind: 'member' })
  })

  it('is a person alone where one is needed', async () => {
    const byKey = by('auth.me', { credential: account.key })
    await expect(byKey).rejects.toEqual(refused('person_needed', /claim/))
    expect(await by('auth.me', { session: session() })).toMatchObject({ personId: person.id })
  })

  it('is no scoped key where an agent may not call', async () => {
    const sent = { credential: scoped }
    await expect(by('api_keys.list', sent)).rejects.toEqual(refused('scope_forbidden', /unscoped/))
    expect(await by('characters.get', sent)).toMatchObject({ charId: 'ada' })
    expect(await by('api_keys.list', { credential: account.key })).toMatchObject({
      accountId: account.id,
    })
  })

  it('is the key where a session is sent along with it', async () => {
    const both = { credential: account.key, session: session() }
    expect(await by('account.get', both)).toMatchObject({ accountId: account.id })
    const wrong = { credential: 'garbage', session: session() }
    await expect(by('account.get', wrong)).rejects.toEqual(refused('invalid_credential'))
  })

  itOnEach(
    'is the session that ends where another begins, regardless of account and key',
    async () => {
      const sent = { credential: account.key, session: session(account.id) }
      expect(await by('auth.login', sent)).toMatchObject({
        personId: person.id,
        accountId: person.account_id,
      })
      expect(await by('auth.login', { credential: account.key })).toEqual({ kind: 'anonymous' })
    },
  )
})
