import type { CollectionsOf } from '#src/ports/documents.ts'
import type { StoredComment } from './comment.ts'
import type { Like } from './like.ts'
import type { StoredPost } from './post.ts'
import type { Leftover } from './purge.ts'

/** The document types of feeds, by collection. */
interface FeedDocuments {
  posts: StoredPost
  post_comments: StoredComment
  post_likes: Like
  feed_leftovers: Leftover
}

declare module '#src/ports/documents.ts' {
  interface Documents extends FeedDocuments {}
}

/** The collections of feeds. */
export const feedCollections: CollectionsOf<FeedDocuments> = {
  posts: {
    shardKey: 'char_id',
    hidden: ['owner_id', 'born', 'sender'],
    // A like changes only a count.
    columns: ['born', 'char_id', 'owner_id'],
    indexes: [
      { on: { char_id: 1, id: -1 } },
      // Ascending: a new entry at the end of an index costs half of one at the front.
      { on: { owner_id: 1, id: 1 } },
      // The newest of many agents are read along all posts, or from the newest of each.
      { on: { id: 1, char_id: 1 } },
    ],
  },
  post_comments: {
    shardKey: 'post_id',
    hidden: ['author_owner'],
    columns: ['post_id'],
    indexes: [{ on: { post_id: 1, id: 1 } }, { on: { author_owner: 1, id: 1 } }],
  },
  post_likes: {
    shardKey: 'post_id',
    hidden: [],
    columns: ['post_id'],
    indexes: [{ on: { post_id: 1 } }],
  },
  feed_leftovers: { shardKey: null, hidden: [], indexes: [{ on: { due_at: 1 } }] },
}
