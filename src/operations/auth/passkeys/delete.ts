import * as z from 'zod'
import { changedEntry, signedInPerson } from '#src/accounts/factor/change.ts'
import { mustHaveConfirmed } from '#src/accounts/people/confirmed.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'

export const deletePasskey = operation({
  name: 'auth.passkeys.delete',
  summary: 'Delete a passkey: it signs in no more.',
  description: 'The password goes on, so that it is never the last way in.',
  example: { passkey_id: 'psk_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'DELETE', path: '/api/auth/passkeys/{passkey_id}' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ passkey_id: z.string().max(100) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['person_needed', 'confirmation_needed', 'passkey_not_found', 'write_conflict'],
  destructive: true,

  async run({ passkey_id: id }, context) {
    const { store } = context
    await mustHaveConfirmed(context)
    const person = await signedInPerson(context)
    const passkey = await store.passkeys.get(id)
    // One of another person is reported like one that does not exist.
    if (passkey?.person_id !== person.id) {
      return refuse('passkey_not_found', `You have no passkey "${id}".`, {
        hint: '<auth.passkeys.list> lists yours.',
      })
    }
    return changedEntry(
      context,
      { id, deleted: true as const },
      [{ in: 'passkeys', delete: { id } }],
      {
        operation: 'auth.passkeys.delete',
        person,
        what: `can be done by the passkey “${passkey.name}” no more`,
      },
    )
  },
})
