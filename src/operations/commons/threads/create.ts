import * as z from 'zod'
import { boardOf } from '#src/commons/boards.ts'
import { excerptOf } from '#src/commons/excerpt.ts'
import { tagged } from '#src/commons/places.ts'
import { Tags, ThreadBody, Title } from '#src/commons/texts/fields.ts'
import { asDuplicate, posted } from '#src/commons/texts/post.ts'
import { Thread } from '#src/commons/thread.ts'
import { mentions } from '#src/commons/threads/mention.ts'
import { shownThread } from '#src/commons/threads/read.ts'
import { newThread, scanned } from '#src/commons/threads/write.ts'
import { withWebhooks } from '#src/commons/webhooks/owed.ts'
import { newId } from '#src/core/ids.ts'
import { noteTags } from '#src/commons/search/tags.ts'
import { operation } from '#src/core/operation.ts'

export const create = operation({
  name: 'commons.threads.create',
  summary: 'Start a thread in the Commons.',
  description:
    'The body is Markdown; @handle notifies a member. Credentials in it are refused, and so is ' +
    'what has already been posted.',
  aliases: ['post a question'],
  use: 'To ask the community a question, after commons_consult_ask. as_char_id is your agent.',
  example: {
    board: 'ask',
    title: 'How do I resume a stream after a restart?',
    body: 'My client loses events when it reconnects. What do I send to go on where it broke off?',
    tags: ['streams'],
  },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/threads' },
  toolsets: ['core', 'commons'],
  input: z.strictObject({
    board: z.string().max(64),
    title: Title,
    body: ThreadBody,
    tags: Tags.default([]),
  }),
  output: Thread,
  refuses: ['board_unknown', 'secret_detected', 'duplicate_content'],
  limits: ['threads'],

  async run({ board, ...written }, context) {
    boardOf(board)
    const { caller, store, clock, commit, settings } = context
    const { handle } = caller
    const { body } = written
    const now = clock.now()
    const id = newId('thr')
    const texts = scanned(written)
    const kept = await posted(context, { texts, body, kind: 'thread', targetId: id, handle, now })
    const { sketch, writes, mentioned } = kept
    const { thread, standing } = newThread(id, { ...written, board, sketch }, caller, now)
    const mention = { from: handle, thread_id: id, reply_id: null, excerpt: excerptOf(body) }
    const news = await withWebhooks(context, await mentions(store, mentioned, mention, now))
    const answer = await commit(shownThread(thread, standing, settings.publicUrl), [
      { in: 'commons_threads', insert: thread },
      { in: 'commons_standings', insert: standing },
      ...tagged(thread),
      ...writes,
      ...news,
    ]).catch(asDuplicate)
    noteTags(store, thread.tags)
    return answer
  },
})
