import * as z from 'zod'
import { onceOnly } from '#src/accounts/passkeys/challenge.ts'
import { Answered } from '#src/accounts/passkeys/input.ts'
import { provenBy, unfit } from '#src/accounts/passkeys/verify.ts'
import { whileSignedIn } from '#src/accounts/members/bound.ts'
import { confirmedNow, confirmedSeconds } from '#src/accounts/people/confirmed.ts'
import { isPassword } from '#src/accounts/people/password.ts'
import { emailKey, passwordAtMost, type StoredPerson } from '#src/accounts/people/person.ts'
import { whilePasswordIs } from '#src/accounts/people/sign-in.ts'
import { countSignIn } from '#src/accounts/people/tries.ts'
import { sessionEnded } from '#src/core/admission/session-callers.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { secondsAfter } from '#src/core/time.ts'
import { Unmet, type Write } from '#src/ports/store.ts'

export const confirm = operation({
  name: 'auth.confirm',
  summary: 'Show again, by the password or a passkey, that it is you who is signed in.',
  description:
    'What cannot be undone, such as account.delete, asks for it unless the session began within the last ten minutes. ' +
    'Who has neither signs in again instead.',
  example: { password: 'a few words in a row' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/auth/confirm' },
  toolsets: ['account'],
  restOnly: true,
  input: z
    .strictObject({
      password: z.string().max(passwordAtMost).optional(),
      passkey: Answered.optional().describe('To what <auth.passkey.options> has given.'),
    })
    .refine(({ password, passkey }) => (password === undefined) !== (passkey === undefined), {
      error: 'Send either "password" or "passkey".',
    }),
  output: z.object({ confirmed_until: z.string().describe('RFC 3339.') }),
  refuses: ['person_needed', 'login_failed', 'passwords_off'],
  limits: ['logins'],
  unkept: true,

  async run({ password, passkey }, context) {
    const { store, caller, clock, commit } = context
    const person = await store.persons.get(caller.personId)
    if (!person) return refuse('invalid_credential', sessionEnded)
    const shown = passkey
      ? await shownByPasskey(context, person, passkey)
      : await shownByPassword(context, person, password ?? '')
    const now = clock.now()
    const value = { confirmed_until: secondsAfter(now, confirmedSeconds) }
    const writes = [whileSignedIn(caller.keyId), confirmedNow(caller.keyId, now), ...shown]
    return commit(value, writes)
      .catch((cause: unknown) => {
        if (!(cause instanceof Unmet)) throw cause
        if (cause.in === 'persons') return wrong()
        return cause.in === 'passkeys' ? unfit(cause) : refuse('invalid_credential', sessionEnded)
      })
      .catch(onceOnly)
  },
})

type Here = Context<'person'>

async function shownByPassword(
  context: Here,
  person: StoredPerson,
  password: string,
): Promise<Write[]> {
  await countSignIn(context, emailKey(person.email))
  return (await isPassword(password, person.password)) ? [whilePasswordIs(person)] : wrong()
}

async function shownByPasskey(
  context: Here,
  { id }: StoredPerson,
  passkey: Answered,
): Promise<Write[]> {
  const { person, writes } = await provenBy(context, passkey)
  return person.id === id ? writes : unfit()
}

function wrong(): never {
  return refuse('login_failed', 'This is not your password.')
}
