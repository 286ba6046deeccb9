import * as z from 'zod'
import { changedEntry, signedInPerson } from '#src/accounts/factor/change.ts'
import { newRecoveryCodes, recoveryHash } from '#src/accounts/factor/code.ts'
import { RecoveryCodes } from '#src/accounts/factor/input.ts'
import { factorOf } from '#src/accounts/factor/pass.ts'
import { mustHaveConfirmed } from '#src/accounts/people/confirmed.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'

export const renew = operation({
  name: 'auth.second_factor.renew',
  summary: 'Get new recovery codes; those from before count no more.',
  example: {},
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/auth/second-factor/renew' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: z.object({ recovery_codes: RecoveryCodes }),
  refuses: ['person_needed', 'confirmation_needed', 'second_factor_off', 'write_conflict'],
  secret: true,

  async run(_, context) {
    const { store } = context
    await mustHaveConfirmed(context)
    const person = await signedInPerson(context)
    const factor = await factorOf(store, person.id)
    if (!factor) return refuse('second_factor_off', 'No code is asked for.')
    const recovery_codes = newRecoveryCodes()
    const recovery = recovery_codes.map((one) => recoveryHash(person.id, one))
    const { id, revision } = factor
    const change = { $set: { recovery, revision: revision + 1 } }
    return changedEntry(
      context,
      { recovery_codes },
      [{ in: 'second_factors', update: { id, revision }, change }],
      { operation: 'auth.second_factor.renew', person, what: 'has new recovery codes' },
    )
  },
})
