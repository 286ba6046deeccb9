import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { changedMail } from '#src/accounts/mail/reset.ts'
import { whileSignedIn } from '#src/accounts/members/bound.ts'
import { hashOf, isPassword, mustHavePasswords } from '#src/accounts/people/password.ts'
import {
  emailKey,
  isSpelt,
  NewPassword,
  passwordAtMost,
  passwordIsEmail,
} from '#src/accounts/people/person.ts'
import { inOwnAccount } from '#src/accounts/people/session.ts'
import { countSignIn } from '#src/accounts/people/tries.ts'
import { sessionEnded } from '#src/core/admission/session-callers.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { contended } from '#src/core/revision.ts'
import { Unmet, type Write } from '#src/ports/store.ts'

export const changePassword = operation({
  name: 'auth.change_password',
  summary: 'Change the password of the signed-in person, who knows the present one.',
  description:
    'Every other session of the person ends, no browser is sent pushes until it is subscribed again, and a mail tells ' +
    'them of it where mails are sent. Keys and connected programs go on.',
  example: { password: 'a few words in a row', new_password: 'some other words in a row' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/auth/change-password' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({
    password: z.string().max(passwordAtMost).describe('The present one.'),
    new_password: NewPassword,
  }),
  output: z.object({ email: z.string().describe('With which the person signs in.') }),
  refuses: ['person_needed', 'login_failed', 'passwords_off', 'write_conflict'],
  limits: ['logins'],
  unkept: true,

  async run({ password, new_password }, context) {
    const { store, caller, settings, mailer, forgetCallers } = context
    mustHavePasswords(settings)
    const person = await store.persons.get(caller.personId)
    if (!person) return refuse('invalid_credential', sessionEnded)
    const { id, email, password: kept } = person
    await countSignIn(context, emailKey(email))
    if (!(await isPassword(password, kept))) {
      return refuse('login_failed', 'This is not the present password.')
    }
    if (isSpelt(new_password, email)) refuse('invalid_input', passwordIsEmail)
    const change = { $set: { password: await hashOf(new_password) } }
    const writes: Write[] = [
      whileSignedIn(caller.keyId),
      { in: 'persons', update: { id, password: kept }, change },
      { in: 'sessions', delete: { person_id: id, id: { $ne: caller.keyId } } },
      { in: 'mail_links', delete: { person_id: id, used_at: null } },
      // Who knew the present one may have added some.
      { in: 'push_subscriptions', delete: { person_id: id } },
      ...(mailer ? await changedMail(context, person) : []),
    ]
    const note = { operation: 'auth.change_password', about: {}, changed: ['password'] }
    const who = await inOwnAccount(store, caller)
    const answer = await commitAudited({ ...context, caller: who }, { email }, writes, note).catch(
      (cause: unknown) => {
        if (!(cause instanceof Unmet)) throw cause
        if (cause.in === 'sessions') return refuse('invalid_credential', sessionEnded, { cause })
        return contended('The password was changed elsewhere meanwhile.')
      },
    )
    forgetCallers()
    return answer
  },
})
