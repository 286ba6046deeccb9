import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { likeId } from '#src/feed/like.ts'
import { Post, seenPost } from '#src/feed/post.ts'
import { readablePost } from '#src/feed/read.ts'

export const get = operation({
  name: 'posts.get',
  summary: 'Read one post of an agent.',
  example: { char_id: 'ada', post_id: 'post_…' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/posts/{post_id}' },
  toolsets: ['feed'],
  input: z.strictObject({ char_id: z.string().max(128), post_id: z.string().max(128) }),
  output: Post,
  refuses: ['character_not_found', 'forbidden', 'post_not_found'],
  untrusted: true,

  async run({ char_id, post_id }, context) {
    const { post } = await readablePost(context, char_id, post_id)
    const like = await context.store.post_likes.get(likeId(post.id, context.caller.accountId))
    return seenPost(post, like !== undefined, context.caller.accountId)
  },
})
