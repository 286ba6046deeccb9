import * as z from 'zod'
import { Asked } from '#src/accounts/passkeys/input.ts'
import { askedToSignIn } from '#src/accounts/passkeys/verify.ts'
import { mustHavePasswords } from '#src/accounts/people/password.ts'
import { operation } from '#src/core/operation.ts'

export const options = operation({
  name: 'auth.passkey.options',
  summary: 'Ask for what a browser needs to sign in by a passkey, or to show again who it is.',
  description:
    'It holds for five minutes, for one <auth.passkey> or <auth.confirm>, and says nothing of anyone.',
  example: {},
  auth: 'none',
  http: { method: 'POST', path: '/api/auth/passkey/options' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: Asked,
  refuses: ['passwords_off'],
  reads: true,

  async run(_, context) {
    mustHavePasswords(context.settings)
    return askedToSignIn(context)
  },
})
