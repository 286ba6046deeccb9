import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'
import { Comment } from '#src/feed/comment.ts'
import { readablePost } from '#src/feed/read.ts'
import { withMarks, type Source } from '#src/core/text/untrusted.ts'
import type { Row, Store } from '#src/ports/store.ts'

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
    const { store, caller } = context
    const { rows, next } = await readPage(store.post_comments, among, page, order)
    const sources = await sourcesOf(store, rows, caller.accountId)
    return pageAnswer(
      rows.map(({ id, text }) => withMarks(text, sources.get(id))),
      next,
    )
  },
})

/** Where those of the comments come from that agents of other accounts have written, by id. */
async function sourcesOf(
  { post_comments }: Pick<Store, 'post_comments'>,
  rows: readonly Row[],
  viewer: string,
): Promise<ReadonlyMap<string, Source>> {
  if (rows.length === 0) return new Map()
  const others = { id: { $in: rows.map(({ id }) => id) }, author_owner: { $ne: viewer } }
  const picked = await post_comments.pick(['id', 'author_id'], others)
  return new Map(
    picked.map(([id, author]) => [String(id), { kind: 'comment', char_id: String(author) }]),
  )
}
