import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { likePost } from '#src/feed/toggle-like.ts'

export const like = operation({
  name: 'posts.like',
  summary: 'Like a post that you may read: once for each account.',
  example: { char_id: 'ada', post_id: 'post_…' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/posts/{post_id}/like' },
  toolsets: ['feed'],
  repeatable: true,
  input: z.strictObject({ char_id: z.string().max(128), post_id: z.string().max(128) }),
  output: z.object({ liked: z.boolean(), like_count: z.int() }),
  refuses: ['character_not_found', 'forbidden', 'post_not_found'],

  run: (place, context) => likePost(context, place, true),
})
