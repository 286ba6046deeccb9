import * as z from 'zod'
import { Code } from '#src/accounts/factor/input.ts'
import { passed, whoWaits, wrongCode } from '#src/accounts/factor/pass.ts'
import { mustHavePasswords } from '#src/accounts/people/password.ts'
import { emailKey } from '#src/accounts/people/person.ts'
import { SignedIn, signIn, whilePasswordIs } from '#src/accounts/people/sign-in.ts'
import { countSignIn } from '#src/accounts/people/tries.ts'
import { operation } from '#src/core/operation.ts'
import type { Unmet } from '#src/ports/store.ts'

const pendingAtMost = 1000

export const pass = operation({
  name: 'auth.second_factor.pass',
  summary: 'Sign in with the code that a right password still needs.',
  description:
    'It takes what <auth.login> was refused with (401 second_factor_required) as "pending", for ten minutes. The ' +
    'answer sets the cookie of the session. A code counts once; after ten wrong ones none counts for a quarter of an hour.',
  example: { pending: 'what auth.login was refused with', code: '123456' },
  auth: 'none',
  http: { method: 'POST', path: '/api/auth/second-factor/pass' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ pending: z.string().max(pendingAtMost), code: Code }),
  output: SignedIn,
  refuses: ['login_failed', 'passwords_off'],
  limits: ['logins'],
  unkept: true,

  async run({ pending, code }, context) {
    mustHavePasswords(context.settings)
    const person = await whoWaits(context, pending)
    await countSignIn(context, emailKey(person.email))
    const used = await passed(context, person.id, code)
    const overtaken = (cause: Unmet) => void (ofEntry.has(cause.in) && wrongCode())
    const writes = [whilePasswordIs(person), ...used]
    return signIn(context, person, { by: 'password and code', writes, overtaken })
  },
})

const ofEntry: ReadonlySet<string> = new Set(['persons', 'second_factors'])
