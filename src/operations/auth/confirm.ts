import * as z from 'zod'
import { whileSignedIn } from '#src/accounts/members/bound.ts'
import { confirmedNow, confirmedSeconds } from '#src/accounts/people/confirmed.ts'
import { isPassword } from '#src/accounts/people/password.ts'
import { emailKey, passwordAtMost } from '#src/accounts/people/person.ts'
import { whilePasswordIs } from '#src/accounts/people/sign-in.ts'
import { countSignIn } from '#src/accounts/people/tries.ts'
import { sessionEnded } from '#src/core/admission/session-callers.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { secondsAfter } from '#src/core/time.ts'
import { Unmet } from '#src/ports/store.ts'

export const confirm = operation({
  name: 'auth.confirm',
  summary: 'Show again, by the password, that it is you who is signed in.',
  description:
    'What cannot be undone, such as account.delete, asks for it unless the session began within the last ten minutes. ' +
    'Who has no password signs in again instead.',
  example: { password: 'a few words in a row' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/auth/confirm' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ password: z.string().max(passwordAtMost) }),
  output: z.object({ confirmed_until: z.string().describe('RFC 3339.') }),
  refuses: ['person_needed', 'login_failed'],
  limits: ['logins'],
  unkept: true,

  async run({ password }, context) {
    const { store, caller, clock, commit } = context
    const person = await store.persons.get(caller.personId)
    if (!person) return refuse('invalid_credential', sessionEnded)
    await countSignIn(context, emailKey(person.email))
    const wrong = () => refuse('login_failed', 'This is not your password.')
    if (!(await isPassword(password, person.password))) return wrong()
    const now = clock.now()
    const value = { confirmed_until: secondsAfter(now, confirmedSeconds) }
    const writes = [
      whileSignedIn(caller.keyId),
      confirmedNow(caller.keyId, now),
      whilePasswordIs(person),
    ]
    return commit(value, writes).catch((cause: unknown) => {
      if (!(cause instanceof Unmet)) throw cause
      return cause.in === 'persons' ? wrong() : refuse('invalid_credential', sessionEnded)
    })
  },
})
