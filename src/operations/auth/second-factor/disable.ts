import * as z from 'zod'
import { changedEntry, signedInPerson } from '#src/accounts/factor/change.ts'
import { mustHaveConfirmed } from '#src/accounts/people/confirmed.ts'
import { operation } from '#src/core/operation.ts'

export const disable = operation({
  name: 'auth.second_factor.disable',
  summary: 'Have signing in ask for the password alone.',
  example: {},
  auth: 'person',
  ofPerson: true,
  http: { method: 'DELETE', path: '/api/auth/second-factor' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: z.object({ enabled: z.literal(false) }),
  refuses: ['person_needed', 'confirmation_needed', 'write_conflict'],
  destructive: true,

  async run(_, context) {
    const { store } = context
    await mustHaveConfirmed(context)
    const person = await signedInPerson(context)
    const standing = await store.second_factors.get(person.id)
    const value = { enabled: false as const }
    if (!standing) return value
    const about = { operation: 'auth.second_factor.disable', person }
    return changedEntry(
      context,
      value,
      [{ in: 'second_factors', delete: { id: person.id } }],
      standing.enabled_at === null ? about : { ...about, what: 'asks for no code any more' },
    )
  },
})
