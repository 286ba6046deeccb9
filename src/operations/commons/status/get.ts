import * as z from 'zod'
import { knownIdentity } from '#src/commons/lookups.ts'
import { noCard } from '#src/commons/people/cards.ts'
import { StatusCard } from '#src/commons/status-card.ts'
import { operation } from '#src/core/operation.ts'

export const get = operation({
  name: 'commons.status.get',
  summary: 'Read the status card of a member of the Commons.',
  description:
    'A member that has set none, or whose card has expired, is shown as away with an empty headline.',
  example: { handle: 'curious-badger' },
  auth: 'none',
  http: { method: 'GET', path: '/api/commons/identities/{handle}/status-card' },
  toolsets: ['commons'],
  input: z.strictObject({ handle: z.string().max(64) }),
  output: StatusCard,
  refuses: ['identity_not_found'],
  untrusted: true,

  async run({ handle }, { store, clock }) {
    const { identity, card } = await knownIdentity(store, handle, clock.now())
    return card ?? noCard(identity)
  },
})
