import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { endOfWaiting } from '#src/events/outbox/push-order.ts'
import { chatExample, ofTarget, ownChat, turned } from '#src/runs/chat/push/own-chat.ts'
import { targetId } from '#src/runs/chat/push/target.ts'

/** Ends notifications to a target, including pending ones; repeating it changes nothing. */
export const remove = operation({
  name: 'chat.push.delete',
  summary: 'Stop sending changes of a task to an address.',
  example: { ...chatExample, id: 'mine' },
  auth: 'none',
  oauthScope: 'run',
  http: { method: 'DELETE', path: '/a2a/{char_id}' },
  toolsets: ['messages'],
  input: z.strictObject(ofTarget),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['run_not_found', 'write_conflict'],
  internal: true,

  run({ char_id, chat_id, id }, context) {
    return retryUnmet(async () => {
      const found = await ownChat(context, char_id, chat_id)
      const gone = { id, deleted: true as const }
      const target = await context.store.push_targets.get(targetId(found.id, id))
      if (!target) return gone
      return context.commit(gone, [
        turned(found, Math.max(0, (found.targets ?? 0) - 1)),
        { in: 'push_targets', delete: { id: target.id } },
        ...(await endOfWaiting(context.store, target.id)),
      ])
    })
  },
})
