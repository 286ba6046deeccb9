import { expect } from 'vitest'
import { password, signedInAgain } from '#tests/accounts/people/persons.ts'
import { given, type Case } from '../case.ts'
import { needsPerson } from './people.cases.ts'

const other = 'some other words in a row'
const op = 'auth.change_password'

/** A person who knows their password sets another. */
export const passwordChanges: readonly Case[] = [
  ...needsPerson(op, { password, new_password: other }),
  given({
    op,
    title: 'the new password is the only one, and every other session ends',
    as: 'person',
    async given(stage) {
      const person = await stage.person('person')
      const elsewhere = await signedInAgain(stage.world.ports, person)
      return { ...person, elsewhere: elsewhere.token }
    },
    input: () => ({ password, new_password: other }),
    async answer(answer, { email, token, elsewhere }, { world, ask }) {
      expect(answer).toEqual({ email })
      await world.ask('auth.me', {}, { token })
      const ended = world.ask('auth.me', {}, { token: elsewhere })
      await expect(ended).rejects.toMatchObject({ code: 'invalid_credential' })
      const old = ask('auth.login', { email, password }, 'anonymous')
      await expect(old).rejects.toMatchObject({ code: 'login_failed' })
      await ask('auth.login', { email, password: other }, 'anonymous')
    },
  }),
  given({
    op,
    title: 'who does not know the present password sets none',
    as: 'person',
    given: (stage) => stage.person('person'),
    input: () => ({ password: other, new_password: other }),
    refusal: 'login_failed',
  }),
  given({
    op,
    title: 'who signs in by a provider alone has none to change',
    as: 'person',
    async given({ person, world }) {
      const { id } = await person('person')
      await world.ports.store.persons.update({ id }, { $set: { password: null } })
    },
    input: () => ({ password, new_password: other }),
    refusal: 'login_failed',
  }),
  given({
    op,
    title: 'the address is no password',
    as: 'person',
    given: (stage) => stage.person('person'),
    input: ({ email }) => ({ password, new_password: email.toUpperCase() }),
    refusal: 'invalid_input',
  }),
]
