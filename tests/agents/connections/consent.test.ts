import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { begun } from '#src/agents/connections/consent.ts'
import type { Store } from '#src/ports/store.ts'
import { signedInAgain } from '#tests/accounts/people/persons.ts'
import { oneStore, stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { connecting, type Connecting } from './connected.ts'

describe.each(stores())('a consent, on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let made: Connecting
  beforeEach(async () => {
    store = await kind.open()
    made = await connecting(store)
    await made.ran('api')
  })
  afterEach(async () => {
    await made.close()
    await store.close()
  })
  const isOpen = async (): Promise<boolean> => (await made.ran('api')).status === 'completed'

  it('is in the audit of the account', async () => {
    await made.consents()
    const { id } = await made.connection()
    const session = { token: made.person.token }
    const { items } = await made.world.ask<{ items: object[] }>('account.audit', {}, session)
    expect(items[0]).toMatchObject({
      operation: 'connections.consent',
      actor: { kind: 'person', person_id: made.person.id },
      about: { connection_id: id, char_id: 'ada' },
    })
  })

  const revoked = async (): Promise<void> => {
    const { id } = await made.connection()
    await made.world.ask('connections.revoke', { id }, { token: made.person.token })
  }

  itOnEach('counts once: of two that bring the same, one goes on', async () => {
    const answer = await made.leaves()
    const outcomes = await Promise.all([made.returns(answer), made.returns(answer)])
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['connected', 'unknown'])
    expect((await made.returns(answer)).outcome).toBe('unknown')
    expect(await isOpen()).toBe(true)
  })

  it('ends in the session in which it began alone', async () => {
    const answer = await made.leaves()
    const other = await signedInAgain(made.world.ports, made.person)
    expect((await made.returns(answer, other.token)).outcome).toBe('unknown')
    expect(await isOpen()).toBe(false)
    // It is not used up by that.
    expect((await made.returns(answer)).outcome).toBe('connected')
  })

  it.each([
    ['of another issuer', (answer: URLSearchParams) => answer.set('iss', 'https://other.example')],
    ['that does not say its issuer', (answer: URLSearchParams) => answer.delete('iss')],
    ['without its code', (answer: URLSearchParams) => answer.delete('code')],
    ['with another code', (answer: URLSearchParams) => answer.set('code', 'other')],
    ['with two codes', (answer: URLSearchParams) => answer.append('code', 'other')],
    ['that was declined', (answer: URLSearchParams) => answer.set('error', 'access_denied')],
  ])('is not given by an answer %s', async (_, change) => {
    const answer = await made.leaves()
    change(answer)
    expect((await made.returns(answer)).outcome).toBe('refused')
    expect(await made.connection()).toMatchObject({ state: 'needs_consent', sealed_attempt: null })
  })

  it('is not given by a state that no one was given', async () => {
    for (const state of ['', 'x', 'a'.repeat(5000)]) {
      expect((await made.returns(new URLSearchParams({ state, code: 'c' }))).outcome).toBe(
        'unknown',
      )
    }
    expect((await made.returns(new URLSearchParams())).outcome).toBe('unknown')
  })

  it('is used by a person who begins again: the earlier state is none any more', async () => {
    const first = await made.leaves()
    const second = await made.leaves()
    expect((await made.returns(first)).outcome).toBe('unknown')
    expect((await made.returns(second)).outcome).toBe('connected')
  })

  it('keeps neither state nor verifier, and its tokens sealed', async () => {
    const answer = await made.leaves()
    const state = answer.get('state') ?? ''
    expect(state).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(await store.outbound_connections.find({}))).not.toContain(state)
  })

  it('is asked for again while it stands, and changes nothing until it is given', async () => {
    await made.consents()
    await made.leaves()
    expect(await isOpen()).toBe(true)
    expect((await made.consents()).outcome).toBe('connected')
    expect(await isOpen()).toBe(true)
  })

  it('ends at both sides where it is revoked', async () => {
    await made.consents()
    await revoked()
    expect(made.authorization.asked).toContain('POST /token/revocation')
    expect(await store.outbound_connections.count({})).toBe(0)
    expect(await isOpen()).toBe(false)
  })

  it('ends with its agent, also where the other side is away', async () => {
    await made.consents()
    made.authorization.close()
    await made.world.ask('characters.delete', { char_id: 'ada' }, { token: made.person.token })
    expect(await store.outbound_connections.count({})).toBe(0)
  })

  itOnEach('is revoked meanwhile: what is brought back is not kept', async () => {
    const answer = await made.leaves()
    await revoked()
    expect((await made.returns(answer)).outcome).toBe('unknown')
    expect(await store.outbound_connections.count({})).toBe(0)
  })

  it('is in no export of its agent', async () => {
    await made.consents()
    const { id } = await made.connection()
    const session = { token: made.person.token }
    const said = await made.world.ask('characters.export', { char_id: 'ada' }, session)
    expect(JSON.stringify(said)).not.toContain(id)
  })
})

describe.each(oneStore())('a consent where no one registers itself, on $name', (kind) => {
  itOnEach('needs a client that was given, sealed and used again', async () => {
    const store = await kind.open()
    const made = await connecting(store, { registers: false })
    try {
      await made.ran('api')
      const connection = await made.connection()
      const { token: session } = made.person
      expect(await begun(made.world.ports, connection, { session })).toBeUndefined()
      expect((await made.consents()).outcome).toBe('connected')
      expect((await made.ran('api')).status).toBe('completed')
      const kept = await made.connection()
      expect(JSON.stringify(kept)).not.toContain('by-hand-secret')
      expect(await begun(made.world.ports, kept, { session })).toContain('client_id=by-hand&')
    } finally {
      await made.close()
      await store.close()
    }
  })
})

describe.each(oneStore())('a consent that comes too late, on $name', (kind) => {
  itOnEach('is none', async () => {
    const store = await kind.open()
    const made = await connecting(store)
    try {
      await made.ran('api')
      const answer = await made.leaves()
      const { id } = await made.connection()
      const attempt_until = new Date(Date.now() - 1).toISOString()
      await store.outbound_connections.update({ id }, { $set: { attempt_until } })
      expect((await made.returns(answer)).outcome).toBe('unknown')
    } finally {
      await made.close()
      await store.close()
    }
  })
})
