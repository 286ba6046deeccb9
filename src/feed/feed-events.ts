import type { StoredCharacter } from '#src/agents/character.ts'
import { cut } from '#src/events/shorten.ts'
import { emitted } from '#src/events/emit.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { sourceOf } from '#src/core/text/untrusted.ts'
import type { StoredComment } from './comment.ts'
import type { StoredPost } from './post.ts'

type Agent = Pick<StoredCharacter, 'id' | 'owner_id' | 'app_id'>

/** The event of a post that a caller made, for the commit that keeps it. */
export function postTold(
  store: Store,
  agent: Agent,
  post: StoredPost,
  now: Date,
): Promise<Write[]> {
  const { id: post_id, source, image_url } = post
  const data = { char_id: agent.id, post_id, source, ...textTold(post.content), image_url }
  return emitted(store, { type: 'feed.post_created', ...subjectOf(agent), data }, now)
}

/** The event of a comment, sent to the agent that posted. */
export function commentTold(
  store: Store,
  agent: Agent,
  { id: comment_id, post_id, author_id, author_owner, content }: StoredComment,
  now: Date,
): Promise<Write[]> {
  const data = { char_id: agent.id, post_id, comment_id, author_id, ...textTold(content) }
  const author = { accountId: author_owner, charId: author_id }
  const source = sourceOf(author, 'comment', agent.owner_id)
  return emitted(store, { type: 'feed.comment_created', ...subjectOf(agent), data, source }, now)
}

function subjectOf({ id, owner_id, app_id }: Agent) {
  return { ownerId: owner_id, charId: id, appId: app_id }
}

function textTold(text: string) {
  const content = cut(text)
  return { content: content.value, ...(content.isCut && { content_cut: true }) }
}
