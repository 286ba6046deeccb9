import * as z from 'zod'
import { resetBy } from '#src/accounts/mail/reset.ts'
import { mustHavePasswords } from '#src/accounts/people/password.ts'
import { NewPassword } from '#src/accounts/people/person.ts'
import { operation } from '#src/core/operation.ts'

export const resetPassword = operation({
  name: 'auth.reset_password',
  summary: 'Set a new password by the link of a mail.',
  description:
    'The code is the end of the link that <auth.request_reset> has sent. It works once, within an hour, in any browser. ' +
    'Every session of the person ends, with the programs that were connected in them and every passkey; a mail tells the person so.',
  example: {
    code: 'abl_00000000000000000000000000000000000000',
    password: 'some other words in a row',
  },
  auth: 'none',
  http: { method: 'POST', path: '/api/auth/reset-password' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ code: z.string().max(100), password: NewPassword }),
  output: z.object({ email: z.string().describe('With which the person signs in.') }),
  refuses: ['link_unusable', 'passwords_off'],
  limits: ['logins'],
  inNeed: true,

  async run({ code, password }, context) {
    mustHavePasswords(context.settings)
    return resetBy(context, code, password)
  },
})
