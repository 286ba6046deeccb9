import * as z from 'zod'
import { Passkey, passkeysAtMost, publicPasskey } from '#src/accounts/passkeys/passkey.ts'
import { operation } from '#src/core/operation.ts'

export const list = operation({
  name: 'auth.passkeys.list',
  summary: 'List the passkeys of the signed-in person.',
  example: {},
  auth: 'person',
  ofPerson: true,
  http: { method: 'GET', path: '/api/auth/passkeys' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: z.object({ items: z.array(Passkey).describe('The oldest first.') }),
  refuses: ['person_needed'],

  async run(_, { store, caller }) {
    const theirs = { person_id: caller.personId }
    const order = { sort: { id: 1 }, limit: passkeysAtMost } as const
    return { items: (await store.passkeys.find(theirs, order)).map(publicPasskey) }
  },
})
