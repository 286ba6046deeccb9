import * as z from 'zod'
import { changedEntry, signedInPerson } from '#src/accounts/factor/change.ts'
import { newRecoveryCodes, recoveryHash } from '#src/accounts/factor/code.ts'
import { Code, RecoveryCodes } from '#src/accounts/factor/input.ts'
import { passed, wrongCode } from '#src/accounts/factor/pass.ts'
import { operation } from '#src/core/operation.ts'
import { timestamp } from '#src/core/time.ts'

export const enable = operation({
  name: 'auth.second_factor.enable',
  summary: 'Have signing in by password ask for a code, from now on.',
  description:
    'It takes the first code of the app. Every other session of the person ends. The recovery codes are shown this ' +
    'once: each signs in once in place of a code.',
  example: { code: '123456' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/auth/second-factor/enable' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ code: Code }),
  output: z.object({ recovery_codes: RecoveryCodes }),
  refuses: ['person_needed', 'login_failed', 'write_conflict'],
  limits: ['logins'],
  secret: true,

  async run({ code }, context) {
    const { store, caller, clock, forgetCallers } = context
    const person = await signedInPerson(context)
    const { id } = person
    if ((await store.second_factors.get(id))?.enabled_at !== null) return wrongCode()
    const used = await passed(context, id, code)
    const recovery_codes = newRecoveryCodes()
    const recovery = recovery_codes.map((one) => recoveryHash(id, one))
    const $set = { enabled_at: timestamp(clock.now()), recovery }
    const answer = await changedEntry(
      context,
      { recovery_codes },
      [
        ...used,
        { in: 'second_factors', update: { id, enabled_at: null }, change: { $set } },
        { in: 'sessions', delete: { person_id: id, id: { $ne: caller.keyId } } },
      ],
      { operation: 'auth.second_factor.enable', person, what: 'now asks for a code too' },
    )
    forgetCallers()
    return answer
  },
})
