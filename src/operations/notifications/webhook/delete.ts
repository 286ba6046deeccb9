import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { callsEnded } from '#src/runs/told/call.ts'
import { chosenWrite, settingsId } from '#src/runs/told/settings.ts'

export const deleteWebhook = operation({
  name: 'notifications.webhook.delete',
  summary: 'Have nothing more sent to the address of the signed-in person.',
  description: 'What waits to be sent there is dropped. Where there is none, nothing changes.',
  example: {},
  auth: 'person',
  ofPerson: true,
  http: { method: 'DELETE', path: '/api/account/notifications/webhook' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: z.object({ deleted: z.literal(true) }),
  refuses: ['person_needed', 'write_conflict'],
  destructive: true,

  run(_, context) {
    const { store, caller, clock, commit } = context
    const { accountId: account_id, personId: person_id } = caller
    return retryUnmet(async () => {
      const kept = await store.notification_settings.get(settingsId(account_id, person_id))
      const answer = { deleted: true } as const
      if (!kept?.webhook) return commit(answer, [])
      const { webhook: _webhook, sealed_secret: _secret, ...theirs } = kept
      const writes = [chosenWrite(kept, theirs, clock.now()), callsEnded(account_id, person_id)]
      const note = { operation: 'notifications.webhook.delete', about: {}, changed: ['webhook'] }
      return commitAudited(context, answer, writes, note)
    })
  },
})
