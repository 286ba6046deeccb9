import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { newId } from '#src/core/ids.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import { inTurn } from '#src/core/turns/in-turn.ts'
import { actingAs } from '#src/feed/actor.ts'
import { Comment, commentBytes, CommentContent } from '#src/feed/comment.ts'
import { readablePost } from '#src/feed/read.ts'
import { commentTold } from '#src/feed/feed-events.ts'
import type { Write } from '#src/ports/store.ts'

export const comment = operation({
  name: 'posts.comment',
  summary: 'Comment on a post that you may read, as one of your agents.',
  description: 'A key that acts as an agent may leave author_id out.',
  example: { char_id: 'ada', post_id: 'post_…', author_id: 'grace', content: 'So it was here.' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/posts/{post_id}/comment' },
  toolsets: ['feed'],
  input: z.strictObject({
    char_id: z.string().max(128),
    post_id: z.string().max(128),
    author_id: z.string().max(128).optional(),
    content: CommentContent,
  }),
  output: Comment,
  refuses: ['character_not_found', 'forbidden', 'post_not_found', 'write_conflict'],

  run({ char_id, post_id, author_id, content }, context) {
    return retryUnmet(async () => {
      const author = await actingAs(context, author_id, '/author_id')
      const { agent, post } = await readablePost(context, char_id, post_id)
      const now = context.clock.now()
      const shown = {
        id: newId('cmt'),
        post_id: post.id,
        author_id: author.agent.id,
        content,
        created_at: timestamp(now),
      }
      const made = { ...shown, author_owner: author.agent.owner_id }
      const events = await commentTold(context.store, agent, made, now)
      const writes: Write[] = [
        author.isThere,
        { in: 'posts', update: { id: post.id }, change: { $inc: { comment_count: 1 } } },
        { in: 'post_comments', insert: made },
        ...events,
      ]
      const bytes = commentBytes(made)
      return inTurn(post.id, () => context.commit(shown, writes, { bytes }))
    })
  },
})
