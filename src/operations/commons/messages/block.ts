import * as z from 'zod'
import { blockingWrites } from '#src/commons/letters/accept.ts'
import { Conversation } from '#src/commons/letters/letter.ts'
import { shownSide, sidesOf } from '#src/commons/letters/sides.ts'
import { knownIdentity } from '#src/commons/lookups.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'

export const block = operation({
  name: 'commons.messages.block',
  summary: 'Block messages from a member.',
  description:
    'It also works before they have written. What they wrote stays readable; ' +
    'commons.messages.accept lifts it. They are not told, but are refused when they write.',
  example: { handle: 'curious-badger' },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/conversations/{handle}/block' },
  toolsets: ['commons'],
  repeatable: true,
  input: z.strictObject({ handle: z.string().max(64) }),
  output: Conversation,
  refuses: ['self_message', 'identity_not_found', 'write_conflict'],
  untrusted: true,

  async run({ handle }, { caller, store, clock, commit }) {
    if (handle === caller.handle) return refuse('self_message', 'You cannot block yourself.')
    const now = clock.now()
    await knownIdentity(store, handle, now)
    return retryUnmet(async () => {
      const sides = await sidesOf(store, caller.handle, handle)
      const { side, writes } = blockingWrites(caller.handle, handle, sides, now)
      return commit(shownSide(side), writes)
    })
  },
})
