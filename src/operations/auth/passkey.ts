import { onceOnly } from '#src/accounts/passkeys/challenge.ts'
import { Answered } from '#src/accounts/passkeys/input.ts'
import { provenBy, unfit } from '#src/accounts/passkeys/verify.ts'
import { SignedIn, signIn } from '#src/accounts/people/sign-in.ts'
import { operation } from '#src/core/operation.ts'
import type { Unmet } from '#src/ports/store.ts'

export const passkey = operation({
  name: 'auth.passkey',
  summary: 'Sign a person in at this browser by a passkey.',
  description:
    'It takes what <auth.passkey.options> has given with what the authenticator says to it. The answer sets the cookie ' +
    'of the session. No password and no code is asked for: the authenticator has made sure of its person.',
  example: { ticket: 'of the options', answer: '{"id":"…"}' },
  auth: 'none',
  http: { method: 'POST', path: '/api/auth/passkey' },
  toolsets: ['account'],
  restOnly: true,
  input: Answered,
  output: SignedIn,
  refuses: ['login_failed', 'passwords_off'],
  limits: ['logins'],
  unkept: true,

  async run(answered, context) {
    const { person, writes } = await provenBy(context, answered)
    const overtaken = (cause: Unmet) => void (cause.in === 'passkeys' && unfit(cause))
    return signIn(context, person, { by: 'passkey', writes, overtaken }).catch(onceOnly)
  },
})
