import { expect } from 'vitest'
import { codeOf } from '#tests/accounts/people/factor.ts'
import { password, signedInAgain } from '#tests/accounts/people/persons.ts'
import { given, type Case, type Stage } from '../case.ts'
import { signedInLongAgo } from './departures.cases.ts'
import { needsPerson } from './people.cases.ts'

const wrong = '000000'

/** A person who has begun with codes. */
async function begun(stage: Stage) {
  const made = await stage.person('person')
  type Begun = { secret: string; uri: string }
  return { ...made, ...(await stage.ask<Begun>('auth.second_factor.begin', {}, 'person')) }
}

/** A person whose password is not enough. */
export async function guarded(stage: Stage) {
  const made = await begun(stage)
  // Of the step before, so that the present one counts still.
  const sent = { code: codeOf(made.secret, -1) }
  type Enabled = { recovery_codes: string[] }
  const enabled = await stage.ask<Enabled>('auth.second_factor.enable', sent, 'person')
  return { ...made, ...enabled }
}

/** The same, with what the right password was refused with. */
async function waiting(stage: Stage) {
  const made = await guarded(stage)
  const asked = stage.ask('auth.login', { email: made.email, password }, 'anonymous')
  const refusal: unknown = await asked.catch((cause: unknown) => cause)
  const { members } = refusal as { members: { pending: string } }
  return { ...made, pending: members.pending }
}

const changing: Case[] = [
  ...needsPerson('auth.second_factor.get', {}),
  given({
    op: 'auth.second_factor.get',
    title: 'a person has none at first, also while they begin',
    as: 'person',
    given: begun,
    input: () => ({}),
    answer: (answer) =>
      expect(answer).toEqual({ enabled: false, enabled_at: null, recovery_codes_left: 0 }),
  }),
  ...needsPerson('auth.second_factor.begin', {}),
  given({
    op: 'auth.second_factor.begin',
    title: 'the secret is for an app, is sealed, and asks no one for a code yet',
    as: 'person',
    given: (stage) => stage.person('person'),
    input: () => ({}),
    async answer(answer, { id, email }, { world, ask }) {
      expect(answer).toMatchObject({ uri: expect.stringMatching(/^otpauth:\/\/totp\//) })
      const kept = await world.ports.store.second_factors.get(id)
      expect(JSON.stringify(kept)).not.toContain(String(Object.values(answer)[0]))
      await ask('auth.login', { email, password }, 'anonymous')
    },
  }),
  given({
    op: 'auth.second_factor.begin',
    title: 'a session of long ago has to be confirmed first',
    as: 'person',
    given: signedInLongAgo,
    input: () => ({}),
    refusal: 'confirmation_needed',
  }),
  given({
    op: 'auth.second_factor.begin',
    title: 'codes that are asked for already are ended first',
    as: 'person',
    given: guarded,
    input: () => ({}),
    refusal: 'second_factor_on',
  }),
  given({
    op: 'auth.second_factor.begin',
    title: 'it comes after a password alone',
    as: 'person',
    async given({ person, world }) {
      const { id } = await person('person')
      await world.ports.store.persons.update({ id }, { $set: { password: null } })
    },
    input: () => ({}),
    refusal: 'passwords_off',
  }),
  ...needsPerson('auth.second_factor.enable', { code: wrong }),
  given({
    op: 'auth.second_factor.enable',
    title: 'a right code has codes asked for, and ends every other session',
    as: 'person',
    async given(stage) {
      const made = await begun(stage)
      return { ...made, elsewhere: (await signedInAgain(stage.world.ports, made)).token }
    },
    input: ({ secret }) => ({ code: codeOf(secret) }),
    async answer(answer, { email, token, elsewhere }, { world, ask }) {
      const codes = Object.values(answer)[0] as unknown as string[]
      expect(new Set(codes).size).toBe(10)
      const stands = await world.ask('auth.second_factor.get', {}, { token })
      expect(stands).toMatchObject({ enabled: true, recovery_codes_left: 10 })
      const ended = world.ask('auth.me', {}, { token: elsewhere })
      await expect(ended).rejects.toMatchObject({ code: 'invalid_credential' })
      const half = ask('auth.login', { email, password }, 'anonymous')
      await expect(half).rejects.toMatchObject({ code: 'second_factor_required' })
    },
  }),
  given({
    op: 'auth.second_factor.enable',
    title: 'a wrong code enables nothing',
    as: 'person',
    given: begun,
    input: () => ({ code: wrong }),
    refusal: 'login_failed',
  }),
  ...needsPerson('auth.second_factor.renew', {}),
  given({
    op: 'auth.second_factor.renew',
    title: 'those from before count no more',
    as: 'person',
    given: guarded,
    input: () => ({}),
    async answer(answer, { email, recovery_codes: [old] }, { ask }) {
      const [code] = Object.values(answer)[0] as unknown as string[]
      const before = ask('auth.login', { email, password, code: old }, 'anonymous')
      await expect(before).rejects.toMatchObject({ code: 'login_failed' })
      await ask('auth.login', { email, password, code }, 'anonymous')
    },
  }),
  given({
    op: 'auth.second_factor.renew',
    title: 'a session of long ago has to be confirmed first',
    as: 'person',
    given: signedInLongAgo,
    input: () => ({}),
    refusal: 'confirmation_needed',
  }),
  given({
    op: 'auth.second_factor.renew',
    title: 'there are none where no code is asked for',
    as: 'person',
    input: () => ({}),
    refusal: 'second_factor_off',
  }),
  ...needsPerson('auth.second_factor.disable', {}),
  given({
    op: 'auth.second_factor.disable',
    title: 'the password is enough again',
    as: 'person',
    given: guarded,
    input: () => ({}),
    async answer(answer, { email }, { ask }) {
      expect(answer).toEqual({ enabled: false })
      await ask('auth.login', { email, password }, 'anonymous')
    },
  }),
  given({
    op: 'auth.second_factor.disable',
    title: 'a session of long ago has to be confirmed first',
    as: 'person',
    given: signedInLongAgo,
    input: () => ({}),
    refusal: 'confirmation_needed',
  }),
]

const entering: Case[] = [
  given({
    op: 'auth.login',
    title: 'a right password is not enough where codes are asked for',
    as: 'anonymous',
    given: guarded,
    input: ({ email }) => ({ email, password }),
    refusal: 'second_factor_required',
    error: (error) => {
      expect(error.hint).toContain('second_factor')
      expect(error).toMatchObject({ pending: expect.any(String) })
    },
  }),
  given({
    op: 'auth.login',
    title: 'a wrong password says nothing of codes',
    as: 'anonymous',
    given: guarded,
    input: ({ email, secret }) => ({ email, password: 'another one', code: codeOf(secret) }),
    refusal: 'login_failed',
  }),
  given({
    op: 'auth.login',
    title: 'password and code sign in at once, and the code counts once',
    as: 'anonymous',
    given: guarded,
    input: ({ email, secret }) => ({ email, password, code: codeOf(secret) }),
    async answer(answer, { id, email, secret }, { ask }) {
      expect(answer.person).toMatchObject({ id })
      const again = ask('auth.login', { email, password, code: codeOf(secret) }, 'anonymous')
      await expect(again).rejects.toMatchObject({ code: 'login_failed' })
    },
  }),
  given({
    op: 'auth.second_factor.pass',
    title: 'the code ends what the password has begun',
    as: 'anonymous',
    given: waiting,
    input: ({ pending, secret }) => ({ pending, code: codeOf(secret) }),
    answer: (answer, { id }) => expect(answer.person).toMatchObject({ id }),
  }),
  given({
    op: 'auth.second_factor.pass',
    title: 'a recovery code does too, once, however it is typed',
    as: 'anonymous',
    given: waiting,
    input: ({ pending, recovery_codes: [code = ''] }) => ({
      pending,
      code: ` ${code.toUpperCase().replaceAll('-', ' ')}`,
    }),
    async answer(_, { id, pending, recovery_codes: [code] }, { world, ask }) {
      const kept = await world.ports.store.second_factors.get(id)
      expect(kept?.recovery).toHaveLength(9)
      const again = ask('auth.second_factor.pass', { pending, code }, 'anonymous')
      await expect(again).rejects.toMatchObject({ code: 'login_failed' })
    },
  }),
  given({
    op: 'auth.second_factor.pass',
    title: 'what no password has begun ends nothing',
    as: 'anonymous',
    given: guarded,
    input: ({ secret }) => ({ pending: 'made up', code: codeOf(secret) }),
    refusal: 'login_failed',
  }),
  given({
    op: 'auth.second_factor.pass',
    title: 'another password in the meantime ends what the old one has begun',
    as: 'anonymous',
    async given(stage) {
      const made = await waiting(stage)
      const change = { password, new_password: 'some other words in a row' }
      await stage.ask('auth.change_password', change, 'person')
      return made
    },
    input: ({ pending, secret }) => ({ pending, code: codeOf(secret) }),
    refusal: 'login_failed',
  }),
  given({
    op: 'auth.second_factor.pass',
    title: 'after ten wrong codes none counts for a while, from wherever it comes',
    as: 'anonymous',
    async given(stage) {
      const made = await waiting(stage)
      const tries_until = new Date(Date.now() + 600_000).toISOString()
      const change = { $set: { tries: 10, tries_until } }
      await stage.world.ports.store.second_factors.update({ id: made.id }, change)
      return made
    },
    input: ({ pending, secret }) => ({ pending, code: codeOf(secret) }),
    refusal: 'rate_limited',
  }),
]

/** Codes after passwords. */
export const factors: readonly Case[] = [...changing, ...entering]
