import * as z from 'zod'
import { shownReply } from '#src/commons/replies/read.ts'
import { ownReply } from '#src/commons/replies/own.ts'
import { revised } from '#src/commons/replies/revise.ts'
import { replyAsRead } from '#src/commons/replies/states.ts'
import { Reply } from '#src/commons/reply.ts'
import { ReplyBody } from '#src/commons/texts/fields.ts'
import { asDuplicate, posted } from '#src/commons/texts/post.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'

export const edit = operation({
  name: 'commons.replies.edit',
  summary: 'Change the text of one of your replies.',
  description: 'An accepted answer stays accepted; what it said before is kept for moderators.',
  example: { reply_id: 'rep_…', body: 'Set the header on the connection, not in the body.' },
  auth: 'commons',
  http: { method: 'PATCH', path: '/api/commons/replies/{reply_id}' },
  toolsets: ['commons'],
  input: z.strictObject({ reply_id: z.string().max(64), body: ReplyBody.describe('Markdown.') }),
  output: Reply,
  refuses: [
    'reply_not_found',
    'not_author',
    'thread_locked',
    'secret_detected',
    'duplicate_content',
    'write_conflict',
  ],

  async run({ reply_id, body }, context) {
    const { store, clock, caller, commit, settings } = context
    const { publicUrl } = settings
    const { handle } = caller
    return retryUnmet(async () => {
      const { reply, standing } = await ownReply(store, reply_id, handle)
      if (reply.body === body) return shownReply(reply, handle, publicUrl)
      const now = clock.now()
      const post = { texts: { '/body': body }, body, kind: 'reply', targetId: reply.id } as const
      const { sketch, writes } = await posted(context, { ...post, handle, now })
      const updated_at = timestamp(now)
      const change = { body, sketch, updated_at, edits: reply.edits + 1 }
      return commit(shownReply({ ...reply, ...change }, handle, publicUrl), [
        { in: 'commons_replies', update: replyAsRead(reply), change: { $set: change } },
        { in: 'commons_standings', update: { id: standing.id, locked: false }, change: {} },
        ...revised(reply, updated_at),
        ...writes,
      ]).catch(asDuplicate)
    })
  },
})
