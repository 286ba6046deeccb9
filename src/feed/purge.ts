import type { Ports } from '#src/core/context.ts'
import type { Purge } from '#src/core/counts/purge.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { Unmet, type Store, type Write } from '#src/ports/store.ts'
import { commentBytes } from './comment.ts'
import { countPost, isOfFeed, postBytes, type Author, type StoredPost } from './post.ts'

/**
 * What remains of a deleted post or agent: it is hidden, and deleted in pieces. The process that
 * deletes it holds it until `due_at`; what a crash leaves comes due and is continued.
 */
export interface Leftover {
  id: string
  due_at: string
  /** The post whose comments and likes remain; null where all posts of an agent do. */
  post_id: string | null
  author: Author | null
}

type Needed = Pick<Ports, 'store' | 'quotas'>

/** How many documents are deleted at once, so that other work gets its turn. */
const atOnce = 100
/** How many pieces a caller waits for; the upkeep does the rest. */
const piecesAtOnce = 50
const holdSeconds = 30
/** How many leftovers one round of the upkeep continues. */
const dueAtOnce = 4

/** The leftover of a deleted post, for the commit that deletes it. */
export function leftOfPost({ id }: StoredPost, now: Date): Leftover {
  const due_at = secondsAfter(now, holdSeconds)
  return { id: `post/${id}`, due_at, post_id: id, author: null }
}

/** The leftover of a deleted agent: its feed, for the commit that deletes it. */
export function leftOfAgent({ id, owner_id, created_at }: Author, now: Date): Leftover {
  const due_at = secondsAfter(now, holdSeconds)
  const author = { id, owner_id, created_at }
  return { id: `agent/${id}/${created_at}`, due_at, post_id: null, author }
}

/** The write that keeps a leftover until it is purged. */
export function leftBehind(insert: Leftover): Write {
  return { in: 'feed_leftovers', insert }
}

/** Deletes a new leftover that this call holds, as far as a caller may wait for it. */
export async function purgeLeft(ports: Needed, held: Leftover): Promise<void> {
  await new PurgeOfOne(ports, held, piecesAtOnce).run()
}

/** A leftover that was not deleted at once. */
export const purgeFeeds: Purge = async (ports) => {
  const { store } = ports
  const due = await store.feed_leftovers.find(
    { due_at: { $lte: timestamp(await store.now()) } },
    { sort: { due_at: 1 }, limit: dueAtOnce },
  )
  let isMore = due.length === dueAtOnce
  for (const leftover of due) {
    if (!(await new PurgeOfOne(ports, leftover, piecesAtOnce).run())) isMore = true
  }
  return isMore
}

/** One leftover, purged as long as no other process has taken it. */
class PurgeOfOne {
  readonly #ports: Needed
  #held: Leftover
  #left: number
  #isTaken = false
  /** The id from which posts of its agent may remain. */
  #before: string | undefined

  constructor(ports: Needed, held: Leftover, pieces: number) {
    this.#ports = ports
    this.#held = held
    this.#left = pieces
  }

  /** Returns whether nothing is left to do here: all is deleted, or another process has taken it. */
  async run(): Promise<boolean> {
    const { post_id, author } = this.#held
    const isGone =
      (post_id === null || (await this.#reactions([post_id]))) &&
      (author === null || (await this.#posts(author)))
    if (this.#isTaken) return true
    const { id, due_at } = this.#held
    if (isGone) await this.#ports.store.feed_leftovers.delete({ id, due_at })
    else await this.#hold(0)
    return isGone
  }

  /** Before each piece: whether there is time for it, and no other process has taken over. */
  async #mayGoOn(): Promise<boolean> {
    this.#left -= 1
    if (this.#left < 0) return false
    this.#isTaken = !(await this.#hold(holdSeconds))
    return !this.#isTaken
  }

  async #hold(seconds: number): Promise<boolean> {
    const { store } = this.#ports
    const { id, due_at } = this.#held
    const later = secondsAfter(await store.now(), seconds)
    const held = await store.feed_leftovers.update({ id, due_at }, { $set: { due_at: later } })
    if (held) this.#held = held
    return held !== undefined
  }

  /** Comments and likes of posts. */
  async #reactions(ids: readonly string[]): Promise<boolean> {
    const { store, quotas } = this.#ports
    const among = { post_id: { $in: ids } }
    while (await this.#mayGoOn()) {
      const comments = await store.post_comments.find(among, { limit: atOnce })
      if (comments.length > 0) {
        await Promise.all(
          comments.map(async (one) => {
            // An earlier holder may still delete: only the delete that succeeds frees the bytes.
            const gone = await store.post_comments.delete({ id: one.id })
            if (gone > 0) quotas.addBytes(one.author_owner, -commentBytes(one))
          }),
        )
        continue
      }
      const likes = await store.post_likes.pick(['id'], among, { limit: atOnce })
      if (likes.length === 0) return true
      await store.post_likes.delete({ id: { $in: likes.map(([id]) => String(id)) } })
    }
    return false
  }

  /** Posts of an agent, with their comments and likes. */
  async #posts(author: Author): Promise<boolean> {
    const { store, quotas } = this.#ports
    for (;;) {
      const posts = await this.#dead(author)
      if (posts.length === 0) return true
      const ids = posts.map(({ id }) => id)
      if (!(await this.#reactions(ids))) return false
      if (!(await deletedAsRead(store, posts))) continue
      for (const post of posts) countPost(quotas, post, -postBytes(post))
    }
  }

  /**
   * Some posts of a deleted agent: newer ones belong to the next agent under its id, older ones to the
   * leftover of the one before.
   */
  async #dead(author: Author): Promise<StoredPost[]> {
    const { posts } = this.#ports.store
    for (;;) {
      const from = this.#before === undefined ? {} : { id: { $lt: this.#before } }
      const page = { sort: { id: -1 }, limit: atOnce } as const
      const found = await posts.find({ char_id: author.id, ...from }, page)
      const dead = found.filter((post) => isOfFeed(post, author))
      const last = found.at(-1)
      if (dead.length > 0 || !last || last.born < author.created_at) return dead
      this.#before = last.id
    }
  }
}

/** Bound to the counts: what was added while its agent was deleted would otherwise remain. */
async function deletedAsRead(store: Store, posts: readonly StoredPost[]): Promise<boolean> {
  const held = posts.map(({ id, like_count, comment_count }): Write => ({
    in: 'posts',
    update: { id, like_count, comment_count },
    change: { $set: { like_count } },
  }))
  const ids = posts.map(({ id }) => id)
  try {
    await store.commit([...held, { in: 'posts', delete: { id: { $in: ids } } }])
    return true
  } catch (cause) {
    if (!(cause instanceof Unmet)) throw cause
    return false
  }
}
