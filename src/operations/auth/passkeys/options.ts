import * as z from 'zod'
import { signedInPerson } from '#src/accounts/factor/change.ts'
import { Asked } from '#src/accounts/passkeys/input.ts'
import { enoughPasskeys, mayHavePasskeys, passkeysAtMost } from '#src/accounts/passkeys/passkey.ts'
import { askedToMake } from '#src/accounts/passkeys/verify.ts'
import { mustHaveConfirmed } from '#src/accounts/people/confirmed.ts'
import { operation } from '#src/core/operation.ts'

export const options = operation({
  name: 'auth.passkeys.options',
  summary: 'Ask for what a browser needs to make a passkey.',
  description: 'It holds for five minutes, in this session, for one <auth.passkeys.create>.',
  example: {},
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/auth/passkeys/options' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: Asked,
  refuses: ['person_needed', 'confirmation_needed', 'passwords_off', 'passkey_limit_reached'],
  reads: true,

  async run(_, context) {
    const { store, caller, settings } = context
    await mustHaveConfirmed(context)
    const person = await signedInPerson(context)
    mayHavePasskeys(settings, person)
    const known = await store.passkeys.find({ person_id: person.id }, { limit: passkeysAtMost })
    if (known.length >= passkeysAtMost) enoughPasskeys()
    return askedToMake(context, person, caller.keyId, known)
  },
})
