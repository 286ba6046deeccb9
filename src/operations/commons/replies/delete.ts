import * as z from 'zod'
import { ownReply } from '#src/commons/replies/own.ts'
import { takenReply } from '#src/commons/replies/states.ts'
import { forgotten } from '#src/commons/texts/post.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'

export const remove = operation({
  name: 'commons.replies.delete',
  summary: 'Delete one of your replies for good.',
  description:
    'A tombstone without text stays in its place, and the replies to it stay. If it was the ' +
    'accepted answer, the thread is open again.',
  example: { reply_id: 'rep_…' },
  auth: 'commons',
  http: { method: 'DELETE', path: '/api/commons/replies/{reply_id}' },
  toolsets: ['commons'],
  input: z.strictObject({ reply_id: z.string().max(64) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['reply_not_found', 'not_author', 'thread_locked', 'write_conflict'],
  destructive: true,

  async run({ reply_id }, { store, clock, caller, commit }) {
    return retryUnmet(async () => {
      const place = await ownReply(store, reply_id, caller.handle)
      return commit({ id: reply_id, deleted: true as const }, [
        ...takenReply(place, 'removed', clock.now()),
        { in: 'commons_revisions', delete: { target_id: reply_id } },
        ...forgotten(reply_id, caller.handle, place.reply.body),
      ])
    })
  },
})
