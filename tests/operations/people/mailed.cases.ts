import { expect } from 'vitest'
import { newToken } from '#src/core/ids.ts'
import { invited } from '#tests/accounts/people/invited.ts'
import { codePostedTo, mailerToNowhere, postedTo } from '#tests/accounts/mail/posted.ts'
import { password, signedInAgain } from '#tests/accounts/people/persons.ts'
import { codeOf } from '#tests/accounts/people/factor.ts'
import { guarded } from './factor.cases.ts'
import { given, type Case, type Stage } from '../case.ts'
import { needsPerson } from './people.cases.ts'

const other = 'some other words in a row'

/** A person, and the code of the link that they were sent. */
async function asked(stage: Stage) {
  const { email, ...person } = await stage.person('person')
  await stage.ask('auth.request_reset', { email }, 'anonymous')
  return { ...person, email, code: await codePostedTo(stage.world.ports, email) }
}

const resetting: Case[] = [
  given({
    op: 'auth.request_reset',
    title: 'who has registered is sent a link, three times an hour at most',
    as: 'anonymous',
    async given(stage) {
      const { email } = await stage.person('person')
      const again = { email: email.toUpperCase() }
      for (let i = 0; i < 4; i++) await stage.ask('auth.request_reset', again, 'anonymous')
      return email
    },
    input: (email) => ({ email }),
    async answer(answer, email, { world }) {
      expect(answer).toEqual({ valid_seconds: 3600 })
      const mails = await postedTo(world.ports, email)
      expect(mails).toHaveLength(3)
      expect(mails[0]).toMatchObject({
        subject: 'Set a new password',
        link: expect.stringMatching(/\/reset\/abl_[0-9A-Za-z]{38}$/),
      })
    },
  }),
  given({
    op: 'auth.request_reset',
    title: 'who has not registered is sent nothing, and the answer is the same',
    as: 'anonymous',
    given: (stage) => Promise.resolve(`${stage.id('unknown')}@example.org`),
    input: (email) => ({ email }),
    async answer(answer, email, { world }) {
      expect(answer).toEqual({ valid_seconds: 3600 })
      expect(await postedTo(world.ports, email)).toEqual([])
    },
  }),
  given({
    op: 'auth.request_reset',
    title: 'who signs in by a provider alone gets no password by it',
    as: 'anonymous',
    async given({ person, world }) {
      const { id, email } = await person('person')
      await world.ports.store.persons.update({ id }, { $set: { password: null } })
      return email
    },
    input: (email) => ({ email }),
    async answer(_, email, { world }) {
      const [mail] = await postedTo(world.ports, email)
      expect(mail).toMatchObject({
        subject: 'You sign in without a password',
        link: `${world.ports.settings.publicUrl}/sign-in`,
      })
    },
  }),
  given({
    op: 'auth.reset_password',
    title: 'a link sets a password and ends every session, and the person is told so',
    as: 'anonymous',
    async given(stage) {
      const person = await asked(stage)
      const elsewhere = await signedInAgain(stage.world.ports, person)
      return { ...person, elsewhere: elsewhere.token }
    },
    input: ({ code }) => ({ code, password: other }),
    async answer(answer, { email, token, elsewhere }, { world, ask }) {
      expect(answer).toEqual({ email })
      for (const ended of [token, elsewhere]) {
        const me = world.ask('auth.me', {}, { token: ended })
        await expect(me).rejects.toMatchObject({ code: 'invalid_credential' })
      }
      const old = ask('auth.login', { email, password }, 'anonymous')
      await expect(old).rejects.toMatchObject({ code: 'login_failed' })
      await ask('auth.login', { email, password: other }, 'anonymous')
      const [told] = await postedTo(world.ports, email)
      expect(told?.subject).toBe('Your password was changed')
    },
  }),
  given({
    op: 'auth.reset_password',
    title: 'a new password does not go round the code of an app',
    as: 'anonymous',
    async given(stage) {
      const { secret } = await guarded(stage)
      return { ...(await asked(stage)), secret }
    },
    input: ({ code }) => ({ code, password: other }),
    async answer(_, { email, secret }, { ask }) {
      const half = ask('auth.login', { email, password: other }, 'anonymous')
      await expect(half).rejects.toMatchObject({ code: 'second_factor_required' })
      const whole = { email, password: other, code: codeOf(secret) }
      await ask('auth.login', whole, 'anonymous')
    },
  }),
  given({
    op: 'auth.reset_password',
    title: 'a link works once, and of two that were sent the other not any more',
    as: 'anonymous',
    async given(stage) {
      const { code: first, email } = await asked(stage)
      await stage.ask('auth.request_reset', { email }, 'anonymous')
      const second = await codePostedTo(stage.world.ports, email)
      const used = { code: second, password: other }
      await stage.ask('auth.reset_password', used, 'anonymous')
      const again = stage.ask('auth.reset_password', used, 'anonymous')
      await expect(again).rejects.toMatchObject({ code: 'link_unusable' })
      return first
    },
    input: (code) => ({ code, password: other }),
    refusal: 'link_unusable',
  }),
  given({
    op: 'auth.reset_password',
    title: 'two who use a link at once: one of them sets the password',
    as: 'anonymous',
    async given(stage) {
      const { code } = await asked(stage)
      const tries = [other, `${other}!`].map((word) =>
        stage.ask('auth.reset_password', { code, password: word }, 'anonymous'),
      )
      const ended = await Promise.allSettled(tries)
      expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      return code
    },
    input: (code) => ({ code, password: other }),
    refusal: 'link_unusable',
  }),
  given({
    op: 'auth.reset_password',
    title: 'a link of an hour ago does not work',
    as: 'anonymous',
    async given(stage) {
      const { code, id } = await asked(stage)
      const change = { $set: { expires_at: '2020-01-01T00:00:00.000Z' } }
      await stage.world.ports.store.mail_links.update({ person_id: id }, change)
      return code
    },
    input: (code) => ({ code, password: other }),
    refusal: 'link_unusable',
  }),
  ...['abl_nonsense', newToken('abl')].map((code) =>
    given({
      op: 'auth.reset_password',
      title: `a code that was never sent is refused: ${code.length} characters`,
      as: 'anonymous',
      input: () => ({ code, password: other }),
      refusal: 'link_unusable',
    }),
  ),
  given({
    op: 'auth.reset_password',
    title: 'the address is no password, and the link works again',
    as: 'anonymous',
    given: asked,
    input: ({ code, email }) => ({ code, password: email }),
    refusal: 'invalid_input',
  }),
]

/** Someone has registered, and there is no such person yet. */
async function registered(stage: Stage) {
  const email = `${stage.id('ada')}@example.org`
  await stage.ask('auth.register', { email, password, next: '/home' }, 'anonymous')
  return { email, code: await codePostedTo(stage.world.ports, email) }
}

const registering: Case[] = [
  given({
    op: 'auth.register',
    title: 'where mails are sent, a link comes first and no one is made before it is followed',
    as: 'anonymous',
    given: (stage) => Promise.resolve(`${stage.id('ada')}@example.org`),
    input: (email) => ({ email, password }),
    async answer(answer, email, { world }) {
      expect(answer).toEqual({ person: null, account_id: null, mailed: true })
      const { store } = world.ports
      expect(await store.persons.count({ email_key: email })).toBe(0)
      const [mail] = await postedTo(world.ports, email)
      expect(mail).toMatchObject({
        subject: 'Confirm your e-mail address',
        link: expect.stringMatching(/\/verify\/abl_[0-9A-Za-z]{38}$/),
      })
      expect(JSON.stringify(await store.mail_links.find({}))).not.toContain(email)
    },
  }),
  given({
    op: 'auth.register',
    title: 'an address that is registered gets the same answer, and its owner a mail',
    as: 'anonymous',
    given: (stage) => stage.person('person'),
    input: ({ email }) => ({ email: email.toUpperCase(), password: other }),
    async answer(answer, { email }, { world }) {
      expect(answer).toEqual({ person: null, account_id: null, mailed: true })
      const [mail] = await postedTo(world.ports, email)
      expect(mail).toMatchObject({
        subject: 'You have registered before',
        link: `${world.ports.settings.publicUrl}/forgot`,
      })
    },
  }),
]

const verifying: Case[] = [
  given({
    op: 'auth.verify_email',
    title: 'the link and the password make the person, who is signed in with a verified address',
    as: 'anonymous',
    given: registered,
    input: ({ code }) => ({ code, password }),
    async answer({ person }, { email, code }, { ask }) {
      expect(person).toMatchObject({ email, email_verified: true })
      const signedIn = await ask('auth.login', { email, password }, 'anonymous')
      expect(signedIn.person).toEqual(person)
      const again = ask('auth.verify_email', { code, password }, 'anonymous')
      await expect(again).rejects.toMatchObject({ code: 'link_unusable' })
    },
  }),
  given({
    op: 'auth.verify_email',
    title: 'who only has the mail did not choose the password, and makes no one',
    as: 'anonymous',
    given: registered,
    input: ({ code }) => ({ code, password: other }),
    refusal: 'login_failed',
  }),
  given({
    op: 'auth.verify_email',
    title: 'of two who registered with an address, who follows the link first has it',
    as: 'anonymous',
    async given(stage) {
      const { email, code } = await registered(stage)
      await stage.ask('auth.register', { email, password: other }, 'anonymous')
      const second = await codePostedTo(stage.world.ports, email)
      await stage.ask('auth.verify_email', { code: second, password: other }, 'anonymous')
      return code
    },
    input: (code) => ({ code, password }),
    refusal: 'link_unusable',
  }),
  given({
    op: 'auth.verify_email',
    title: 'a link for a new password verifies nothing',
    as: 'anonymous',
    given: asked,
    input: ({ code }) => ({ code, password }),
    refusal: 'link_unusable',
  }),
  given({
    op: 'auth.verify_email',
    title: 'a link and the password are not enough where codes are asked for',
    as: 'anonymous',
    async given(stage) {
      const { email } = await guarded(stage)
      await stage.ask('auth.send_verification', {}, 'person')
      return codePostedTo(stage.world.ports, email)
    },
    input: (code) => ({ code, password }),
    refusal: 'second_factor_required',
  }),
  given({
    op: 'auth.send_verification',
    title: 'who has registered without a mail is sent a link, which verifies the address',
    as: 'person',
    given: (stage) => stage.person('person'),
    input: () => ({}),
    async answer(answer, { email }, { world, ask }) {
      expect(answer).toEqual({ email_verified: false })
      const code = await codePostedTo(world.ports, email)
      const { person } = await ask('auth.verify_email', { code, password }, 'anonymous')
      expect(person).toMatchObject({ email, email_verified: true })
    },
  }),
  given({
    op: 'auth.send_verification',
    title: 'nothing is sent to an address that is verified',
    as: 'person',
    async given(stage) {
      const person = await stage.person('person')
      const change = { $set: { email_verified: true } }
      await stage.world.ports.store.persons.update({ id: person.id }, change)
      return person
    },
    input: () => ({}),
    async answer(answer, { email }, { world }) {
      expect(answer).toEqual({ email_verified: true })
      expect(await postedTo(world.ports, email)).toEqual([])
    },
  }),
]

/** What is played where mails are sent. */
export const mailed: readonly Case[] = [...resetting, ...registering, ...verifying]

/** Where they are not, nothing is promised. */
export const unmailed: readonly Case[] = [
  given({
    op: 'auth.request_reset',
    title: 'a server without mail says so',
    as: 'anonymous',
    input: () => ({ email: 'ada@example.org' }),
    refusal: 'mail_off',
  }),
  given({
    op: 'auth.send_verification',
    title: 'a server without mail says so',
    as: 'person',
    input: () => ({}),
    refusal: 'mail_off',
  }),
  ...needsPerson('auth.send_verification', {}),
]

/** Where an invitation admits, it is used up by who follows the link, and not before. */
export const mailedNewcomers: readonly Case[] = [
  given({
    op: 'auth.verify_email',
    title: 'of two who registered by one invitation, who follows the link first has used it',
    as: 'anonymous',
    async given(stage) {
      const { ports } = stage.world
      const invitation = await invited(ports)
      ports.mailer = mailerToNowhere()
      const codes = []
      for (const name of ['ada', 'eve']) {
        const email = `${stage.id(name)}@example.org`
        await stage.ask('auth.register', { email, password, invitation }, 'anonymous')
        codes.push(await codePostedTo(ports, email))
      }
      ports.mailer = null
      const [first, second] = codes
      await stage.ask('auth.verify_email', { code: first, password }, 'anonymous')
      return second
    },
    input: (code) => ({ code, password }),
    refusal: 'sign_up_closed',
  }),
]
