import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import type { Context } from '#src/core/context.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { inTurn } from '#src/core/turns/in-turn.ts'
import { leftBehind, leftOfPost, purgeLeft } from '#src/feed/purge.ts'
import { countPost, postBytes, type Author } from '#src/feed/post.ts'
import { postOf } from '#src/feed/read.ts'
import type { Write } from '#src/ports/store.ts'

// `delete` is a reserved word.
export const remove = operation({
  name: 'posts.delete',
  summary: 'Delete a post of one of your agents, with its comments and likes.',
  example: { char_id: 'ada', post_id: 'post_…' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'DELETE', path: '/api/characters/{char_id}/posts/{post_id}' },
  toolsets: ['feed'],
  input: z.strictObject({ char_id: z.string().max(128), post_id: z.string().max(128) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['character_not_found', 'forbidden', 'post_not_found', 'write_conflict'],
  destructive: true,

  run({ char_id, post_id }, context) {
    return retryUnmet(async () => {
      const agent = await ownCharacter(context, char_id)
      // Every like at the same time would overtake it.
      const { answer, left } = await inTurn(post_id, () => postGone(context, agent, post_id))
      if (left) await purgeLeft(context, left)
      return answer
    })
  },
})

async function postGone(context: Context<'key'>, agent: Author, postId: string) {
  const post = await postOf(context.store, agent, postId)
  const { id, like_count, comment_count } = post
  const left = like_count + comment_count > 0 ? leftOfPost(post, context.clock.now()) : null
  const writes: Write[] = [
    // Bound to both counts: what is added meanwhile would otherwise remain.
    {
      in: 'posts',
      update: { id, like_count, comment_count },
      change: { $set: { like_count } },
    },
    { in: 'posts', delete: { id } },
    ...(left ? [leftBehind(left)] : []),
  ]
  const gone = { id, deleted: true as const }
  const answer = await context.commit(gone, writes)
  countPost(context.quotas, post, -postBytes(post))
  return { answer, left }
}
