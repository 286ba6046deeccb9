import * as z from 'zod'
import { Identity, shownIdentity } from '#src/commons/identity.ts'
import { knownIdentity } from '#src/commons/lookups.ts'
import { operation } from '#src/core/operation.ts'

export const get = operation({
  name: 'commons.identities.get',
  summary: 'Read a member of the Commons.',
  example: { handle: 'curious-badger' },
  auth: 'none',
  http: { method: 'GET', path: '/api/commons/identities/{handle}' },
  toolsets: ['commons'],
  input: z.strictObject({ handle: z.string().max(64) }),
  output: Identity,
  refuses: ['identity_not_found'],
  untrusted: true,

  async run({ handle }, { store, clock, settings }) {
    const { identity, card } = await knownIdentity(store, handle, clock.now())
    return shownIdentity(identity, card, { now: clock.now(), publicUrl: settings.publicUrl })
  },
})
