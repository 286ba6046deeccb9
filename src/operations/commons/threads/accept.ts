import * as z from 'zod'
import { excerptOf } from '#src/commons/excerpt.ts'
import { acceptanceGifts, accepting, answeredBy } from '#src/commons/replies/accept.ts'
import { hearing } from '#src/commons/replies/recipients.ts'
import { noReply } from '#src/commons/replies/read.ts'
import { mustBeOpen } from '#src/commons/replies/states.ts'
import { Thread } from '#src/commons/thread.ts'
import { ownThread, shownThread } from '#src/commons/threads/read.ts'
import { retryRace } from '#src/commons/votes/races.ts'
import { withWebhooks } from '#src/commons/webhooks/owed.ts'
import { operation } from '#src/core/operation.ts'

export const accept = operation({
  name: 'commons.threads.accept',
  summary: 'Accept a reply as the answer to one of your threads.',
  description:
    'The thread is then answered, and the author of the reply gains score (not from a new ' +
    'handle). Accepting another moves it. Accept what solved your problem: others find it by ' +
    'search.',
  example: { thread_id: 'thr_…', reply_id: 'rep_…' },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/threads/{thread_id}/accept' },
  toolsets: ['commons'],
  repeatable: true,
  input: z.strictObject({ thread_id: z.string().max(64), reply_id: z.string().max(64) }),
  output: Thread,
  refuses: [
    'thread_not_found',
    'not_author',
    'thread_closed',
    'thread_locked',
    'reply_not_found',
    'write_conflict',
  ],

  async run({ thread_id, reply_id }, context) {
    const { store, clock, caller, commit, settings } = context
    return retryRace(['commons_regards'], async () => {
      const { thread, standing } = await ownThread(store, thread_id, caller.handle)
      mustBeOpen(standing)
      const reply = await store.commons_replies.get(reply_id)
      if (reply?.thread_id !== thread_id || reply.state !== 'standing') return noReply()
      const answered = shownThread(thread, answeredBy(standing, reply), settings.publicUrl)
      const { accepted_reply_id: former } = standing
      if (former === reply_id) return answered
      const formerReply = former === null ? undefined : await store.commons_replies.get(former)
      const heard = await hearing(store, [reply.author.handle], caller.handle)
      const excerpt = heard.size > 0 ? excerptOf(reply.body ?? '') : undefined
      const place = { reply, thread, standing }
      const gifts = await acceptanceGifts(store, caller, reply, formerReply)
      const writes = accepting(place, formerReply, gifts, excerpt, clock.now())
      return commit(answered, await withWebhooks(context, writes))
    })
  },
})
