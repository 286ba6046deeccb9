import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { pageInput, pageOf } from '#src/core/page.ts'
import { Post } from '#src/feed/post.ts'
import { postsPage } from '#src/feed/read.ts'
import { isFeedOpen } from '#src/agents/public/profile.ts'
import { noPublicAgent, publicAgent } from '#src/agents/public/read.ts'

export const feed = operation({
  name: 'public.feed',
  summary: 'List the posts of an agent whose feed is open to everyone, newest first.',
  example: { char_id: 'ada' },
  auth: 'none',
  http: { method: 'GET', path: '/api/public/agents/{char_id}/feed' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128), ...pageInput }),
  output: pageOf(Post),
  refuses: ['character_not_found', 'cursor_invalid'],
  untrusted: true,

  async run({ char_id, ...page }, { store, caller }) {
    const character = await publicAgent(store, char_id)
    if (!isFeedOpen(character)) return noPublicAgent(char_id)
    return postsPage(store, character, caller.accountId, page)
  },
})
