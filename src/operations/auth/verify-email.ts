import * as z from 'zod'
import { verifyBy } from '#src/accounts/mail/newcomer.ts'
import { Code } from '#src/accounts/factor/input.ts'
import { mustHavePasswords } from '#src/accounts/people/password.ts'
import { passwordAtMost } from '#src/accounts/people/person.ts'
import { SignedIn } from '#src/accounts/people/sign-in.ts'
import { operation } from '#src/core/operation.ts'

export const verifyEmail = operation({
  name: 'auth.verify_email',
  summary: 'Verify an e-mail address by the link of a mail, and sign in.',
  description:
    'The code is the end of the link that <auth.register> or <auth.send_verification> has sent. It works once, within a ' +
    'day, in any browser, with the password that was chosen with the address.',
  example: { code: 'abl_00000000000000000000000000000000000000', password: 'a few words in a row' },
  auth: 'none',
  http: { method: 'POST', path: '/api/auth/verify-email' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({
    code: z.string().max(100),
    password: z.string().max(passwordAtMost),
    code_of_app: Code.optional().describe('Where the person has a second factor.'),
  }),
  output: SignedIn,
  refuses: [
    'link_unusable',
    'login_failed',
    'second_factor_required',
    'sign_up_closed',
    'passwords_off',
  ],
  limits: ['logins'],
  unkept: true,

  async run({ code, password, code_of_app }, context) {
    mustHavePasswords(context.settings)
    return verifyBy(context, code, password, code_of_app)
  },
})
