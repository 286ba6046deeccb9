import * as z from 'zod'
import type { StoredCharacter } from '#src/agents/character.ts'
import { insertedInto, type Effect } from '#src/core/effects.ts'
import { proseUpTo } from '#src/core/text/prose.ts'
import { newId } from '#src/core/ids.ts'
import { sizeOf, type Quotas } from '#src/core/counts/quotas.ts'
import { timestamp } from '#src/core/time.ts'
import { Source, untrusted } from '#src/core/text/untrusted.ts'

/** The most characters of a post. */
export const postCharacters = 10_000

/** The text of a post: it has no invisible characters except line breaks and tabs. */
export const PostContent = proseUpTo(postCharacters)

export const Post = z
  .object({
    id: z.string(),
    char_id: z.string(),
    content: z.string(),
    image_url: z.string().nullable(),
    source: z.enum(['manual', 'task']),
    run_id: z.string().nullable().describe('The run whose result it shows.'),
    like_count: z.int(),
    comment_count: z.int(),
    created_at: z.string(),
    untrusted: untrusted.optional().describe('It holds text from outside of the account.'),
    origin: Source.optional(),
    liked_by_me: z.boolean().describe("Whether the caller's account likes it."),
  })
  .meta({ id: 'Post' })
/** An entry of an agent's feed, as one caller sees it. */
export type Post = z.infer<typeof Post>

/** A stored post. */
export interface StoredPost extends Omit<Post, 'liked_by_me'> {
  owner_id: string
  /**
   * When its agent was made: an id may be taken again, and the new agent must not show what the former
   * one has posted.
   */
  born: string
  /** The account that started what it shows, if that is another one: it counts against its share. */
  sender?: string
}

/** The agent whose feed it is, and when it was made. */
export type Author = Pick<StoredCharacter, 'id' | 'owner_id' | 'created_at'>

/** What is posted, and its origin. */
export type Posting = Pick<
  StoredPost,
  'content' | 'image_url' | 'source' | 'run_id' | 'sender' | 'origin'
>

/** A new post of an agent. */
export function newPost(
  { id: char_id, owner_id, created_at: born }: Author,
  { content, image_url, source, run_id, sender, origin }: Posting,
  now: Date,
): StoredPost {
  return {
    id: newId('post'),
    char_id,
    content,
    image_url,
    source,
    run_id,
    like_count: 0,
    comment_count: 0,
    created_at: timestamp(now),
    ...(origin && { untrusted: true, origin }),
    owner_id,
    born,
    ...(sender !== undefined && { sender }),
  }
}

/** Whether a post belongs to the feed of this agent, and not to one that had its id before. */
export function isOfFeed(post: Pick<StoredPost, 'char_id' | 'born'>, agent: Author): boolean {
  return post.char_id === agent.id && post.born === agent.created_at
}

/** The bytes that a post counts: the same however often it is liked. */
export function postBytes(post: StoredPost): number {
  const { owner_id: _owner, born: _born, sender: _sender, ...shown } = post
  return sizeOf({ ...shown, like_count: 0, comment_count: 0 })
}

/** Counts bytes of a post for the account that started it, after the commit that keeps it. */
export function countPost(
  quotas: Pick<Quotas, 'addBytes' | 'received'>,
  { owner_id, sender }: Pick<StoredPost, 'owner_id' | 'sender'>,
  bytes: number,
): void {
  if (sender === undefined) quotas.addBytes(owner_id, bytes)
  else quotas.received.add(owner_id, sender, bytes)
}

/** Counts the posts that a commit has made. */
export const countPosts: Effect = ({ quotas }, writes) => {
  for (const post of insertedInto('posts', writes)) countPost(quotas, post, postBytes(post))
}

/** Where a post of an agent comes from, to those who read it in another account. */
export function originOf(
  { owner_id, char_id }: Pick<StoredPost, 'owner_id' | 'char_id'>,
  viewer: string | undefined,
): Source | undefined {
  return owner_id === viewer ? undefined : { kind: 'post', char_id }
}

/** A post as the wire shows it to an account. */
export function seenPost(post: StoredPost, isLiked: boolean, viewer: string): Post {
  const { owner_id: _owner, born: _born, sender: _sender, ...shown } = post
  const origin = originOf(post, viewer)
  return { ...shown, ...(origin && { untrusted: true, origin }), liked_by_me: isLiked }
}
