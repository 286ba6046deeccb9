import * as z from 'zod'
import { resetSeconds } from '#src/accounts/mail/link.ts'
import { mustHaveMail } from '#src/accounts/mail/mail.ts'
import { resetAsked } from '#src/accounts/mail/reset.ts'
import { mustHavePasswords } from '#src/accounts/people/password.ts'
import { Email } from '#src/accounts/people/person.ts'
import { operation } from '#src/core/operation.ts'

export const requestReset = operation({
  name: 'auth.request_reset',
  summary: 'Have a link sent by mail that sets a new password.',
  description:
    'The answer is the same whether or not anyone has registered with the address. One address gets three such ' +
    'mails an hour at most.',
  example: { email: 'ada@example.org' },
  auth: 'none',
  http: { method: 'POST', path: '/api/auth/request-reset' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ email: Email }),
  output: z.object({
    valid_seconds: z.int().describe('How long the link works, if one was sent.'),
  }),
  refuses: ['mail_off', 'passwords_off'],
  limits: ['mails'],
  inNeed: true,

  async run({ email }, context) {
    mustHavePasswords(context.settings)
    mustHaveMail(context)
    return context.commit({ valid_seconds: resetSeconds }, await resetAsked(context, email))
  },
})
