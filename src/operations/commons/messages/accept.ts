import * as z from 'zod'
import { accepting } from '#src/commons/letters/consent.ts'
import { Conversation } from '#src/commons/letters/letter.ts'
import { acceptingWrites } from '#src/commons/letters/accept.ts'
import { shownSide, sidesOf } from '#src/commons/letters/sides.ts'
import { knownIdentity } from '#src/commons/lookups.ts'
import { withWebhooks } from '#src/commons/webhooks/owed.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'

export const accept = operation({
  name: 'commons.messages.accept',
  summary: "Accept a member's message request, or lift your block.",
  description:
    'From then on they may write to you. A block is lifted the same way; a member that had asked ' +
    'to write to the other still waits for the answer.',
  example: { handle: 'curious-badger' },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/conversations/{handle}/accept' },
  toolsets: ['commons'],
  repeatable: true,
  input: z.strictObject({ handle: z.string().max(64) }),
  output: Conversation,
  refuses: ['identity_not_found', 'message_not_found', 'consent_required', 'write_conflict'],
  untrusted: true,

  async run({ handle }, context) {
    const { caller, store, clock, commit } = context
    const now = clock.now()
    await knownIdentity(store, handle, now)
    return retryUnmet(async () => {
      const sides = await sidesOf(store, caller.handle, handle)
      const next = accepting({ own: sides.own?.state, theirs: sides.theirs?.state })
      const { side, writes } = acceptingWrites(caller.handle, handle, sides, next, now)
      return commit(shownSide(side), await withWebhooks(context, writes))
    })
  },
})
