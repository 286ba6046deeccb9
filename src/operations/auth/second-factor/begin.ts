import * as z from 'zod'
import { changedEntry, signedInPerson } from '#src/accounts/factor/change.ts'
import { addressOfSecret, newSecret } from '#src/accounts/factor/code.ts'
import { begunFactor } from '#src/accounts/factor/factor.ts'
import { mustHavePassword } from '#src/accounts/factor/pass.ts'
import { mustHaveConfirmed } from '#src/accounts/people/confirmed.ts'
import { mustHavePasswords } from '#src/accounts/people/password.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'

export const begin = operation({
  name: 'auth.second_factor.begin',
  summary: 'Get a secret for an app that makes codes; nothing asks for them yet.',
  description: 'Repeated, it gives another one. <auth.second_factor.enable> takes the first code.',
  example: {},
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/auth/second-factor', status: 201 },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: z.object({
    secret: z.string().describe('In base32.'),
    uri: z.string().describe('The same as an address, otpauth://…, for a QR code.'),
  }),
  refuses: ['person_needed', 'confirmation_needed', 'second_factor_on', 'passwords_off'],
  secret: true,

  async run(_, context) {
    const { store, settings } = context
    mustHavePasswords(settings)
    await mustHaveConfirmed(context)
    const person = await signedInPerson(context)
    mustHavePassword(person)
    const standing = await store.second_factors.get(person.id)
    if (standing?.enabled_at != null) {
      return refuse('second_factor_on', 'Codes are asked for already.', {
        hint: '<auth.second_factor.disable> ends that first.',
      })
    }
    const secret = await newSecret()
    const issuer = new URL(settings.publicUrl).host
    const uri = await addressOfSecret(secret, { issuer, email: person.email })
    const replace = begunFactor(context, person.id, secret)
    const { id, revision = 0 } = standing ?? {}
    const next = { ...replace, revision: revision + 1 }
    return changedEntry(
      context,
      { secret, uri },
      [
        id === undefined
          ? { in: 'second_factors', insert: next }
          : { in: 'second_factors', update: { id, revision }, replace: next },
      ],
      { operation: 'auth.second_factor.begin', person },
    )
  },
})
