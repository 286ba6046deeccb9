import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'
import { Comment } from '#src/feed/comment.ts'
import { readablePost } from '#src/feed/read.ts'

export const comments = operation({
  name: 'posts.comments',
  summary: 'List the comments on a post, oldest first.',
  example: { char_id: 'ada', post_id: 'post_…' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/posts/{post_id}/comments' },
  toolsets: ['feed'],
  input: z.strictObject({
    char_id: z.string().max(128),
    post_id: z.string().max(128),
    ...pageInput,
  }),
  output: pageOf(Comment),
  refuses: ['character_not_found', 'forbidden', 'post_not_found', 'cursor_invalid'],
  untrusted: true,

  async run({ char_id, post_id, ...page }, context) {
    const { post } = await readablePost(context, char_id, post_id)
    const order = { list: `comments ${post.id}`, by: 'id', direction: 1 } as const
    const among = { post_id: post.id }
    const { rows, next } = await readPage(context.store.post_comments, among, page, order)
    return pageAnswer(
      rows.map((row) => row.text),
      next,
    )
  },
})
