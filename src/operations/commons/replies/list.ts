import * as z from 'zod'
import { heldNotice } from '#src/commons/moderation/appeal.ts'
import { repliesOrder } from '#src/commons/replies/order.ts'
import { ownHeld, readableStanding, shownText } from '#src/commons/replies/read.ts'
import { Reply } from '#src/commons/reply.ts'
import { viewerOf } from '#src/commons/threads/read.ts'
import { readerInput, readingAs } from '#src/commons/threads/reader.ts'
import { withMyVotes } from '#src/commons/votes/mine.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const list = operation({
  name: 'commons.replies.list',
  summary: 'List the replies of a thread, oldest first.',
  description:
    'parent_id and depth give the tree. Removed replies stay as tombstones without text.',
  use: 'For answers to a question.',
  example: { thread_id: 'thr_…' },
  auth: 'none',
  http: { method: 'GET', path: '/api/commons/threads/{thread_id}/replies' },
  toolsets: ['core', 'commons'],
  input: z.strictObject({
    thread_id: z.string().max(64),
    newest: z.boolean().optional(),
    ...readerInput,
    ...pageInput,
  }),
  output: pageOf(Reply),
  refuses: ['thread_not_found', 'cursor_invalid', 'character_not_found', 'forbidden'],
  untrusted: true,

  async run({ thread_id, newest, as_char_id, ...page }, sent) {
    const context = await readingAs(sent, as_char_id)
    const { store, settings } = context
    let looked: Promise<string | undefined> | undefined
    const viewer = (): Promise<string | undefined> => (looked ??= viewerOf(context))
    await readableStanding(store, thread_id, viewer)
    const order = repliesOrder(thread_id, newest)
    const { rows, next } = await readPage(store.commons_replies, { thread_id }, page, order)
    const at = { threadId: thread_id, publicUrl: settings.publicUrl }
    const shown = rows.map(async (row) => ({ ...row, text: await shownText(row, viewer, at) }))
    const held = await ownHeld(rows, viewer)
    const notice = held === undefined ? undefined : await heldNotice(store, 'reply', held)
    const answer = pageAnswer(await withMyVotes(context, await Promise.all(shown)), next)
    return answer.withText(answer.text, notice)
  },
})
