import type { Reach } from '#src/agents/access.ts'
import { timestamp } from '#src/core/time.ts'
import { inTurn } from '#src/core/turns/in-turn.ts'
import type { Clock } from '#src/ports/clock.ts'
import { DuplicateKey, Unmet, type Write } from '#src/ports/store.ts'
import { likeId } from './like.ts'
import { noPost, readablePost } from './read.ts'

/** The likes of a post, as an account sees them. */
export interface Liking {
  liked: boolean
  /** By all accounts. */
  like_count: number
}

type Needed = Reach & { clock: Clock }

/** A post, and the agent whose feed it is in. */
interface Place {
  char_id: string
  post_id: string
}

/**
 * Adds or removes the like of the caller's account; where it is so already, nothing changes.
 * @throws Refusal `character_not_found`, `forbidden`, `post_not_found`
 */
export async function likePost(reach: Needed, place: Place, liked: boolean): Promise<Liking> {
  const { store } = reach
  const { char_id, post_id } = place
  const { post } = await readablePost(reach, char_id, post_id)
  const id = likeId(post.id, reach.caller.accountId)
  const like = await store.post_likes.get(id)
  const answer = async (): Promise<Liking> => ({ liked, like_count: await likesNow(reach, place) })
  if ((like !== undefined) === liked) return answer()
  const at = like?.created_at ?? timestamp(reach.clock.now())
  const made = { id, post_id: post.id, created_at: at }
  const counted: Write = {
    in: 'posts',
    update: { id: post.id },
    change: { $inc: { like_count: liked ? 1 : -1 } },
  }
  const writes: Write[] = liked
    ? [counted, { in: 'post_likes', insert: made }]
    : [
        counted,
        // A delete would succeed where there is nothing: the count follows what really exists.
        { in: 'post_likes', update: { id }, change: { $set: { created_at: at } } },
        { in: 'post_likes', delete: { id } },
      ]
  const commit = inTurn(post.id, () => store.commit(writes))
  await commit.catch((cause: unknown) => {
    if (cause instanceof Unmet && cause.in === 'posts') noPost(char_id, post_id)
    // Another call of the same account was quicker.
    const isDone = cause instanceof DuplicateKey || cause instanceof Unmet
    if (!isDone || cause.in !== 'post_likes') throw cause
  })
  return answer()
}

async function likesNow({ store }: Reach, { char_id, post_id: id }: Place): Promise<number> {
  const [found] = await store.posts.pick(['like_count'], { id }, { limit: 1 })
  return found ? Number(found[0]) : noPost(char_id, id)
}
