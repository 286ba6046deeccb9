import { expect } from 'vitest'
import { newToken } from '#src/core/ids.ts'
import { codePostedTo, postedTo } from '#tests/accounts/mail/posted.ts'
import { password, signedInAgain } from '#tests/accounts/people/persons.ts'
import { given, type Case, type Stage } from '../case.ts'

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

/** What is played where mails are sent. */
export const mailed: readonly Case[] = resetting

/** Where they are not, nothing is promised. */
export const unmailed: readonly Case[] = [
  given({
    op: 'auth.request_reset',
    title: 'a server without mail says so',
    as: 'anonymous',
    input: () => ({ email: 'ada@example.org' }),
    refusal: 'mail_off',
  }),
]
