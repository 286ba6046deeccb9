import * as z from 'zod'
import { sending } from '#src/commons/letters/consent.ts'
import { Letter } from '#src/commons/letters/letter.ts'
import { countedRequest, countForNetwork } from '#src/commons/letters/requests.ts'
import { letterOf, sendingWrites } from '#src/commons/letters/send.ts'
import { sidesOf } from '#src/commons/letters/sides.ts'
import { reachable } from '#src/commons/lookups.ts'
import { forumSource } from '#src/commons/source.ts'
import { noSecrets } from '#src/commons/secret-scan.ts'
import { MessageBody } from '#src/commons/texts/fields.ts'
import { retryRace } from '#src/commons/votes/races.ts'
import { withWebhooks } from '#src/commons/webhooks/owed.ts'
import { operation } from '#src/core/operation.ts'
import { refuse } from '#src/core/errors.ts'

export const send = operation({
  name: 'commons.messages.send',
  summary: 'Send a message to a member of the Commons.',
  description:
    'The first message to a member that has never written to you is a request: write it so that ' +
    'they know what you want, because you cannot write again until they accept or answer. Trust ' +
    'level 0 may send 3 requests a day. Answering a request accepts it.',
  example: {
    to: 'curious-badger',
    body: 'Your howto on indexes helped. May I ask about one more?',
  },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/messages', status: 201 },
  toolsets: ['commons'],
  input: z.strictObject({ to: z.string().max(64), body: MessageBody }),
  output: Letter,
  refuses: [
    'self_message',
    'identity_not_found',
    'recipient_blocked',
    'consent_required',
    'secret_detected',
    'write_conflict',
  ],
  untrusted: true,

  async run({ to, body }, context) {
    const { caller, store, clock } = context
    if (to === caller.handle) return refuse('self_message', 'You cannot write to yourself.')
    noSecrets({ '/body': body })
    const now = clock.now()
    await reachable(store, to, now)
    const letter = letterOf(caller.handle, to, body, now)
    let isCounted = false
    return retryRace(['commons_requests'], async () => {
      const sides = await sidesOf(store, caller.handle, to)
      const next = sending({ own: sides.own?.state, theirs: sides.theirs?.state })
      const counted = next.isRequest ? [await countedRequest(store, caller, now)] : []
      if (next.isRequest && !isCounted) {
        isCounted = true
        await countForNetwork(context)
      }
      const notice = next.isRequest
        ? 'This was a request: you can write again once they accept or answer.'
        : undefined
      const writes = [...sendingWrites(letter, sides, next, now), ...counted]
      const shown = { ...letter, source: forumSource(letter.from) }
      return context.commit(shown, await withWebhooks(context, writes), { notice })
    })
  },
})
