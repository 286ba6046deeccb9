import * as z from 'zod'
import { changedEntry, signedInPerson } from '#src/accounts/factor/change.ts'
import { onceOnly } from '#src/accounts/passkeys/challenge.ts'
import { answeredMembers } from '#src/accounts/passkeys/input.ts'
import {
  enoughPasskeys,
  mayHavePasskeys,
  Passkey,
  passkeysAtMost,
  publicPasskey,
  type StoredPasskey,
} from '#src/accounts/passkeys/passkey.ts'
import { madeBy } from '#src/accounts/passkeys/verify.ts'
import { PlainName } from '#src/agents/name.ts'
import { refuse } from '#src/core/errors.ts'
import { newId } from '#src/core/ids.ts'
import { operation } from '#src/core/operation.ts'
import { contended } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import { DuplicateKey } from '#src/ports/store.ts'

export const create = operation({
  name: 'auth.passkeys.create',
  summary: 'Add the passkey that a browser has made.',
  description:
    'From then on it signs in without a password and without a code. A mail tells the person of it where mails are sent.',
  example: { ticket: 'of the options', answer: '{"id":"…"}', name: 'My telephone' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/auth/passkeys', status: 201 },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ ...answeredMembers, name: PlainName }),
  output: Passkey,
  refuses: [
    'person_needed',
    'login_failed',
    'passwords_off',
    'passkey_limit_reached',
    'write_conflict',
  ],
  limits: ['logins'],
  unkept: true,

  async run({ name, ...answered }, context) {
    const { store, caller, settings, clock } = context
    const person = await signedInPerson(context)
    mayHavePasskeys(settings, person)
    const { made, spent } = await madeBy(context, caller.keyId, answered)
    const { id: person_id, account_id } = person
    const taken = await store.passkeys.find({ person_id }, { limit: passkeysAtMost })
    const slot = Array.from({ length: passkeysAtMost }, (_, place) => place).find(
      (place) => !taken.some((one) => one.slot === place),
    )
    if (slot === undefined) return enoughPasskeys()
    const about = { name, created_at: timestamp(clock.now()), last_used_at: null }
    const insert: StoredPasskey = {
      id: newId('psk'),
      person_id,
      account_id,
      slot,
      ...made,
      ...about,
    }
    return changedEntry(context, publicPasskey(insert), [spent, { in: 'passkeys', insert }], {
      operation: 'auth.passkeys.create',
      person,
      what: `can be done by another passkey, “${name}”, from now on`,
    })
      .catch(addedMeanwhile)
      .catch(onceOnly)
  },
})

function addedMeanwhile(cause: unknown): never {
  if (!(cause instanceof DuplicateKey) || cause.in !== 'passkeys') throw cause
  if (cause.paths.includes('slot')) return contended('Another passkey is being added.')
  return refuse('login_failed', 'This passkey is known already.', { cause })
}
