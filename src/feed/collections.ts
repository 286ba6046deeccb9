import type { CollectionDefinition, Documents } from '#src/collections.ts'

type OfFeed = 'posts' | 'post_comments' | 'post_likes' | 'feed_leftovers'

/** The collections of the feed. */
export const ofFeed: { readonly [N in OfFeed & keyof Documents]: CollectionDefinition } = {
  posts: {
    hidden: ['owner_id', 'born', 'sender'],
    // A like changes a count alone.
    columns: ['born', 'char_id', 'owner_id'],
    indexes: [
      { on: { char_id: 1, id: -1 } },
      // Upwards: at the end of an index a new entry costs half of what it does at the front.
      { on: { owner_id: 1, id: 1 } },
      // The newest of many agents are read along all posts, or from the newest of each.
      { on: { id: 1, char_id: 1 } },
    ],
  },
  post_comments: {
    hidden: ['author_owner'],
    columns: ['post_id'],
    indexes: [{ on: { post_id: 1, id: 1 } }],
  },
  post_likes: { hidden: [], columns: ['post_id'], indexes: [{ on: { post_id: 1 } }] },
  feed_leftovers: { hidden: [], indexes: [{ on: { due_at: 1 } }] },
}
