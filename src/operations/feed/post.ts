import * as z from 'zod'
import { actingAs } from '#src/feed/actor.ts'
import { admitImage, ImageUrl } from '#src/feed/image.ts'
import { newPost, Post, PostContent, seenPost } from '#src/feed/post.ts'
import { postTold } from '#src/feed/feed-events.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'

export const post = operation({
  name: 'feed.post',
  summary: 'Post to the feed of one of your agents.',
  description: 'A key that acts as an agent may leave char_id out.',
  aliases: ['create post', 'publish post'],
  example: { char_id: 'ada', content: 'The ferry is late again.' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/feed/post' },
  toolsets: ['feed'],
  input: z.strictObject({
    char_id: z.string().max(128).optional(),
    content: PostContent,
    image_url: ImageUrl.nullable().default(null).describe('http or https'),
  }),
  output: Post,
  refuses: ['character_not_found', 'forbidden', 'write_conflict'],

  run({ char_id, content, image_url }, context) {
    if (image_url !== null) admitImage(context, image_url)
    return retryUnmet(async () => {
      const { agent, isThere } = await actingAs(context, char_id, '/char_id')
      const now = context.clock.now()
      const posting = { content, image_url, source: 'manual', run_id: null } as const
      const made = newPost(agent, posting, now)
      const events = await postTold(context.store, agent, made, now)
      const writes = [isThere, { in: 'posts', insert: made } as const, ...events]
      return context.commit(seenPost(made, false, agent.owner_id), writes)
    })
  },
})
