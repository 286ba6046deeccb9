import { expect } from 'vitest'
import { newApiKey } from '#src/accounts/account.ts'
import { hashOf } from '#src/accounts/people/password.ts'
import { password, signedInAgain } from '#tests/accounts/people/persons.ts'
import { connectedProgram, connectedServer } from '#tests/oauth/connection.ts'
import { given, type Case, type Stage } from '../case.ts'

const address = (stage: Stage): string => `${stage.id('ada')}@example.org`

/** Only a signed-in person may call: no anonymous caller, no key and no ended session. */
export function needsPerson(op: string, input: object): Case[] {
  return [
    given({
      op,
      title: 'an anonymous caller is told how to sign in',
      as: 'anonymous',
      input: () => input,
      refusal: 'unauthenticated',
      error: (error) => expect(error.hint).toContain('auth.login'),
    }),
    given({
      op,
      title: 'a key is no person',
      as: 'owner',
      input: () => input,
      refusal: 'person_needed',
    }),
    given({
      op,
      title: 'a session that has ended opens nothing',
      as: 'person',
      given: (stage) => stage.ask('auth.logout', {}, 'person'),
      input: () => input,
      refusal: 'invalid_credential',
    }),
  ]
}

const registering: Case[] = [
  given({
    op: 'auth.register',
    title: 'a person has an account of their own, and signs in by any spelling of the address',
    as: 'anonymous',
    given: (stage) => Promise.resolve(address(stage)),
    input: (email) => ({ email: ` ${email} `, password }),
    async answer({ person, account_id }, email, { world, ask }) {
      expect(person).toMatchObject({ id: expect.stringMatching(/^usr_/), email })
      const account = await world.ports.store.accounts.get(account_id)
      expect(account).toMatchObject({ kind: 'person', holder_id: person.id, name: null })
      expect(await world.ports.store.usage.get(account_id)).toMatchObject({ agents: 0, apps: 0 })
      const spelt = email.toUpperCase()
      const again = await ask('auth.login', { email: spelt, password }, 'anonymous')
      expect(again.person).toEqual(person)
    },
  }),
  given({
    op: 'auth.register',
    title: 'an address in use is taken, however it is spelt',
    as: 'anonymous',
    given: (stage) => stage.person('person'),
    input: ({ email }) => ({ email: email.toUpperCase(), password }),
    refusal: 'email_taken',
  }),
  ...Object.entries({
    'no address': { email: 'ada' },
    'markup for an address': { email: '<b>ada</b>@example.org' },
    'an address of 255 characters': { email: `${'a'.repeat(243)}@example.org` },
    'a password of 9 characters': { password: '123456789' },
    'a password of 257 characters': { password: 'x'.repeat(257) },
    'the address for a password': { password: ' ADA@example.org ' },
    'a password that is no text': { password: 1_234_567_890 },
    'a further member': { admin: true },
  }).map(([what, wrong]) =>
    given({
      op: 'auth.register',
      title: `${what} is refused, and nothing of what was sent is said`,
      as: 'anonymous',
      input: () => ({ email: 'ada@example.org', password: 'a few secret words', ...wrong }),
      refusal: 'invalid_input',
      error: (error) => expect(JSON.stringify(error)).not.toContain('a few secret words'),
    }),
  ),
]

const loggingIn: Case[] = [
  given({
    op: 'auth.login',
    title: 'the right password signs in, however its letters are composed',
    as: 'anonymous',
    async given({ person, world }) {
      const signedIn = await person('person')
      const change = { $set: { password: await hashOf('caf\u00e9 au lait') } }
      await world.ports.store.persons.update({ id: signedIn.id }, change)
      return signedIn
    },
    input: ({ email }) => ({ email, password: 'cafe\u0301 au lait' }),
    answer: ({ person, account_id }, signedIn) => {
      expect(person.id).toBe(signedIn.id)
      expect(account_id).toBe(signedIn.account_id)
    },
  }),
  ...(['address', 'password'] as const).map((wrong) =>
    given({
      op: 'auth.login',
      title: `a wrong ${wrong} is refused in the same words as the other`,
      as: 'anonymous',
      given: (stage) => stage.person('person'),
      input: ({ email }) => ({
        email: wrong === 'address' ? `x${email}` : email,
        password: wrong === 'password' ? `${password}!` : password,
      }),
      refusal: 'login_failed',
      error: ({ detail, hint }) => {
        expect(detail).toBe('The e-mail address or the password is wrong.')
        expect(hint).toBeUndefined()
      },
    }),
  ),
]

const being: Case[] = [
  ...needsPerson('auth.me', {}),
  given({
    op: 'auth.me',
    title: 'it tells the person, the session and the accounts that are held',
    as: 'person',
    async given({ ask, person }) {
      await person('person')
      const { claim_url } = await ask('agent_claim.create', { name: 'Scout' }, 'anonymous')
      await ask('agent_claim.complete', { claim_code: claim_url.split('/').at(-1) }, 'person')
    },
    input: () => ({}),
    async answer({ person, session, account_id, accounts, next_cursor }, _, stage) {
      const signedIn = await stage.person('person')
      expect(person).toMatchObject({ id: signedIn.id, email: signedIn.email })
      expect(session).toMatchObject({
        id: signedIn.session_id,
        current: true,
        address: '127.0.0.0',
      })
      expect(account_id).toBe(signedIn.account_id)
      expect(accounts).toMatchObject([
        { id: signedIn.account_id, kind: 'person', own: true },
        { kind: 'agent', name: 'Scout', own: false },
      ])
      expect(next_cursor).toBeNull()
      expect(JSON.stringify({ person, session })).not.toMatch(/hash|argon|key|person_id/)
    },
  }),
  given({
    op: 'auth.me',
    title: 'a broken cursor is refused',
    as: 'person',
    input: () => ({ cursor: 'bm90LWEtY3Vyc29y' }),
    refusal: 'cursor_invalid',
  }),
  ...needsPerson('auth.logout', {}),
  given({
    op: 'auth.logout',
    title: 'the session ends',
    as: 'person',
    input: () => ({}),
    async answer({ id }, _, { world, person }) {
      const { session_id } = await person('person')
      expect(id).toBe(session_id)
      expect((await world.ports.store.sessions.get(id))?.revoked_at).toMatch(/^20/)
    },
  }),
]

const sessions: Case[] = [
  ...needsPerson('auth.sessions.list', {}),
  given({
    op: 'auth.sessions.list',
    title: 'it lists the live ones, the newest first, and tells which one asks',
    as: 'person',
    async given({ person, world: { ports } }) {
      const signedIn = await person('person')
      await person('rival')
      const ended = await signedInAgain(ports, signedIn)
      const change = { $set: { revoked_at: new Date().toISOString() } }
      await ports.store.sessions.update({ id: ended.id }, change)
      await signedInAgain(ports, signedIn, new Date(Date.now() - 31 * 86_400_000))
      return signedInAgain(ports, signedIn)
    },
    input: () => ({}),
    async answer({ items }, newer, { person }) {
      const { session_id } = await person('person')
      expect(items).toMatchObject([
        { id: newer.id, current: false, user_agent: null, address: '10.0.0.0' },
        { id: session_id, current: true, user_agent: 'tests' },
      ])
      expect(JSON.stringify(items)).not.toMatch(/hash|revoked_at|person_id/)
    },
  }),
  given({
    op: 'auth.sessions.list',
    title: 'it goes on where the page before ended',
    as: 'person',
    async given({ ask, person, world: { ports } }) {
      await signedInAgain(ports, await person('person'))
      return ask('auth.sessions.list', { limit: 1 }, 'person')
    },
    input: ({ next_cursor }) => ({ limit: 1, cursor: next_cursor }),
    answer({ items, next_cursor }) {
      expect(items).toMatchObject([{ current: true }])
      expect(next_cursor).toBeNull()
    },
  }),
  given({
    op: 'auth.sessions.list',
    title: 'the cursor of another person is refused',
    as: 'rival',
    async given({ ask, person, world: { ports } }) {
      await signedInAgain(ports, await person('person'))
      return ask('auth.sessions.list', { limit: 1 }, 'person')
    },
    input: ({ next_cursor }) => ({ cursor: next_cursor }),
    refusal: 'cursor_invalid',
  }),
  ...needsPerson('auth.sessions.revoke', { id: 'ses_0' }),
  given({
    op: 'auth.sessions.revoke',
    title: 'it signs another browser out at once',
    as: 'person',
    async given({ person, world }) {
      const other = await signedInAgain(world.ports, await person('person'))
      await world.ask('auth.me', {}, { token: other.token })
      return other
    },
    input: ({ id }) => ({ id }),
    async answer({ id }, { token }, { world }) {
      expect(id).toMatch(/^ses_/)
      const failing = world.ask('auth.me', {}, { token })
      await expect(failing).rejects.toMatchObject({ code: 'invalid_credential' })
    },
  }),
  ...(['another person', 'no one', 'the past'] as const).map((whose) =>
    given({
      op: 'auth.sessions.revoke',
      title: `a session of ${whose} is not found`,
      as: 'person',
      async given({ person, world: { ports } }) {
        if (whose === 'no one') return { id: 'ses_0' }
        if (whose === 'another person') return { id: (await person('rival')).session_id }
        const month = 31 * 86_400_000
        return signedInAgain(ports, await person('person'), new Date(Date.now() - month))
      },
      input: ({ id }) => ({ id }),
      refusal: 'session_not_found',
    }),
  ),
]

const connections: Case[] = [
  ...needsPerson('connections.list', {}),
  given({
    op: 'connections.list',
    title: 'it names what is connected to the account, and nothing of how',
    as: 'person',
    given: async ({ person, world }) => connectedProgram(world.ports, await person('person')),
    input: () => ({}),
    answer: ({ items }, { id }) => {
      expect(items).toMatchObject([
        { id, direction: 'inbound', name: 'Desk assistant', host: 'host.example', char_id: null },
      ])
      expect(Object.keys(items[0] ?? {})).not.toContain('grant')
    },
  }),
  given({
    op: 'connections.list',
    title: 'it names the servers that agents are connected to too, newest first, page by page',
    as: 'person',
    async given({ person, world }) {
      const signedIn = await person('person')
      const older = await connectedServer(world.ports, signedIn, '2026-01-02T00:00:00.000Z')
      const { id } = await connectedProgram(world.ports, signedIn)
      const oldest = await connectedServer(world.ports, signedIn, '2026-01-01T00:00:00.000Z')
      return { id, older: older.id, oldest: oldest.id }
    },
    input: () => ({ limit: 2 }),
    async answer({ items, next_cursor }, { id, older, oldest }, { ask }) {
      expect(items).toMatchObject([{ id }, { id: older, direction: 'outbound' }])
      expect(Object.keys(items[1] ?? {})).not.toContain('sealed_grant')
      const input = { limit: 2, cursor: next_cursor }
      const rest = await ask('connections.list', input, 'person')
      expect(rest).toMatchObject({ items: [{ id: oldest }], next_cursor: null })
    },
  }),
  given({
    op: 'connections.list',
    title: 'a cursor of another list is refused',
    as: 'person',
    input: () => ({ cursor: 'x' }),
    refusal: 'cursor_invalid',
  }),
  ...needsPerson('connections.revoke', { id: 'con_0' }),
  given({
    op: 'connections.revoke',
    title: 'it ends the connection, and the keys that the program has made',
    as: 'person',
    async given({ person, world: { ports } }) {
      const signedIn = await person('person')
      const { id } = await connectedProgram(ports, signedIn)
      const key = newApiKey({ id: signedIn.account_id }, 'Its own', null, new Date())
      await ports.store.api_keys.insert({ ...key.record, made_by: id })
      return { id, key: key.raw }
    },
    input: ({ id }) => ({ id }),
    async answer(_, { id, key }, { world }) {
      expect(await world.ports.store.connections.get(id)).toBeUndefined()
      const failing = world.ask('account.get', {}, key)
      await expect(failing).rejects.toMatchObject({ code: 'invalid_credential' })
    },
  }),
  given({
    op: 'connections.revoke',
    title: 'it ends the connection of an agent with a server',
    as: 'person',
    given: async ({ person, world }) => connectedServer(world.ports, await person('person')),
    input: ({ id }) => ({ id }),
    async answer(_, { id }, { world }) {
      expect(await world.ports.store.outbound_connections.get(id)).toBeUndefined()
    },
  }),
  given({
    op: 'connections.revoke',
    title: 'a server of another account is not found',
    as: 'person',
    given: async ({ person, world }) => connectedServer(world.ports, await person('rival')),
    input: ({ id }) => ({ id }),
    refusal: 'connection_not_found',
  }),
  ...(['another account', 'no account'] as const).map((whose) =>
    given({
      op: 'connections.revoke',
      title: `a connection of ${whose} is not found`,
      as: 'person',
      async given({ person, world: { ports } }) {
        if (whose === 'no account') return { id: 'con_0' }
        return connectedProgram(ports, await person('rival'))
      },
      input: ({ id }) => ({ id }),
      refusal: 'connection_not_found',
    }),
  ),
]

/** What persons do. */
export const people: Case[] = [...registering, ...loggingIn, ...being, ...sessions, ...connections]
