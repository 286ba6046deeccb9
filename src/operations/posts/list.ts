import * as z from 'zod'
import { readable } from '#src/agents/visibility/ability-access.ts'
import { operation } from '#src/core/operation.ts'
import { pageInput, pageOf } from '#src/core/page.ts'
import { Post } from '#src/feed/post.ts'
import { postsPage } from '#src/feed/read.ts'

export const list = operation({
  name: 'posts.list',
  summary: 'List the posts of an agent, newest first.',
  description: "Another account's agent lets others read as its ability_access.feed says.",
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/posts' },
  toolsets: ['feed'],
  input: z.strictObject({ char_id: z.string().max(128), ...pageInput }),
  output: pageOf(Post),
  refuses: ['character_not_found', 'forbidden', 'cursor_invalid'],
  untrusted: true,

  async run({ char_id, ...page }, context) {
    const agent = await readable(context, char_id, 'feed')
    return postsPage(context.store, agent, context.caller.accountId, page)
  },
})
