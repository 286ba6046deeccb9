import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { Code } from '#src/accounts/factor/input.ts'
import { passedBy, wrongCode } from '#src/accounts/factor/pass.ts'
import { isPassword, mustHavePasswords } from '#src/accounts/people/password.ts'
import { emailAtMost, emailKey, passwordAtMost } from '#src/accounts/people/person.ts'
import { SignedIn, signIn, whilePasswordIs } from '#src/accounts/people/sign-in.ts'
import { countSignIn } from '#src/accounts/people/tries.ts'
import type { Unmet } from '#src/ports/store.ts'

export const login = operation({
  name: 'auth.login',
  summary: 'Sign a person in at this browser.',
  description:
    'The answer sets the cookie of the session, which is accepted wherever a key is. A session ' +
    'that the browser had before ends.',
  example: { email: 'ada@example.org', password: 'a few words in a row' },
  auth: 'none',
  http: { method: 'POST', path: '/api/auth/login' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({
    email: z.string().max(emailAtMost),
    password: z.string().max(passwordAtMost),
    code: Code.optional().describe('Where the person has a second factor.'),
  }),
  output: SignedIn,
  refuses: ['login_failed', 'second_factor_required', 'passwords_off'],
  limits: ['logins'],
  unkept: true,

  async run({ email, password, code }, context) {
    mustHavePasswords(context.settings)
    const key = emailKey(email)
    await countSignIn(context, key)
    const [person] = await context.store.persons.find({ email_key: key }, { limit: 1 })
    // The same work for an unknown address: the response time must not show which addresses exist.
    const isRight = await isPassword(password, person?.password)
    const wrong = () => refuse('login_failed', 'The e-mail address or the password is wrong.')
    if (!person || !isRight) return wrong()
    // Another password may have been set while this one was checked, which ends every session.
    const used = await passedBy(context, person, code)
    const writes = [whilePasswordIs(person), ...used]
    const overtaken = ({ in: one }: Unmet) => {
      if (one === 'persons') wrong()
      if (one === 'second_factors') wrongCode()
    }
    const by = used.length > 0 ? 'password and code' : 'password'
    return signIn(context, person, { by, writes, overtaken })
  },
})
