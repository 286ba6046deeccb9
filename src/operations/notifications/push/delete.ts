import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { inOwnAccount } from '#src/accounts/people/session.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { browserGone } from '#src/events/browsers/push.ts'

export const deletePush = operation({
  name: 'notifications.push.delete',
  summary: 'Have a browser show nothing more of what the signed-in person is told.',
  description: 'What waits to be sent to it is dropped.',
  example: { push_id: 'psb_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'person',
  ofPerson: true,
  http: { method: 'DELETE', path: '/api/account/notifications/push/{push_id}' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ push_id: z.string().max(100) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['person_needed', 'push_not_found', 'write_conflict'],
  destructive: true,

  async run({ push_id: id }, context) {
    const { store, caller } = context
    const browser = await store.push_subscriptions.get(id)
    // One of another person is reported like one that does not exist.
    if (browser?.person_id !== caller.personId) {
      return refuse('push_not_found', `You have no subscribed browser "${id}".`, {
        hint: '<notifications.push.list> lists yours.',
      })
    }
    const note = { operation: 'notifications.push.delete', about: { push_id: id } }
    const own = { ...context, caller: await inOwnAccount(store, caller) }
    return commitAudited(own, { id, deleted: true as const }, browserGone(browser), note)
  },
})
