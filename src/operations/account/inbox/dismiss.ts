import * as z from 'zod'
import { OwnerNotice, shownTo } from '#src/accounts/notice.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'

export const dismiss = operation({
  name: 'account.inbox.dismiss',
  summary: 'Put a notice aside, for which nothing will be done.',
  description:
    'account.inbox with open: true leaves it out until it happens again; what it tells of stays as it is.',
  example: { notice_id: 'ntc_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'key',
  oauthScope: 'admin',
  http: { method: 'POST', path: '/api/account/inbox/{notice_id}/dismiss' },
  toolsets: ['account'],
  repeatable: true,
  input: z.strictObject({ notice_id: z.string().max(100) }),
  output: OwnerNotice,
  refuses: ['notice_not_found', 'write_conflict'],
  says: ['message', 'next'],
  marks: true,

  run({ notice_id }, context) {
    const { store, caller, clock } = context
    return retryUnmet(async () => {
      const kept = await store.notices.get(notice_id)
      if (kept?.owner_id !== caller.accountId) {
        return refuse('notice_not_found', `There is no notice "${notice_id}".`, {
          hint: '<account.inbox> lists those that are kept.',
        })
      }
      const dismissed_at = kept.dismissed_at ?? timestamp(clock.now())
      const answer = shownTo(caller.personId ?? caller.keyId, { ...kept, dismissed_at })
      // One that happens again meanwhile is looked at again.
      const update = { id: kept.id, updated_at: kept.updated_at }
      return context.commit(answer, [{ in: 'notices', update, change: { $set: { dismissed_at } } }])
    })
  },
})
