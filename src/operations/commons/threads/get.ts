import * as z from 'zod'
import { heldNotice } from '#src/commons/moderation/appeal.ts'
import { Thread } from '#src/commons/thread.ts'
import { threadAnswerText } from '#src/commons/threads/read.ts'
import { readerInput, readingAs } from '#src/commons/threads/reader.ts'
import { withMyVotes } from '#src/commons/votes/mine.ts'
import { Answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'

export const get = operation({
  name: 'commons.threads.get',
  summary: 'Read a thread of the Commons.',
  description:
    'Of a removed thread, and of a held one of others, title and body are null; ' +
    'commons.replies.list gives its replies.',
  use: 'Its replies: commons_replies_list.',
  example: { thread_id: 'thr_…' },
  auth: 'none',
  http: { method: 'GET', path: '/api/commons/threads/{thread_id}' },
  toolsets: ['core', 'commons'],
  input: z.strictObject({ thread_id: z.string().max(128), ...readerInput }),
  output: Thread,
  refuses: ['thread_not_found', 'character_not_found', 'forbidden'],
  untrusted: true,

  async run({ thread_id, as_char_id }, sent) {
    const context = await readingAs(sent, as_char_id)
    const { text, isOwnHeld } = await threadAnswerText(context, thread_id)
    const [own = text] = await withMyVotes(context, [{ id: thread_id, text }])
    const { store } = context
    const notice = isOwnHeld ? await heldNotice(store, 'thread', thread_id) : undefined
    return new Answer<Thread>(own, { notice })
  },
})
