import { readable } from '#src/agents/visibility/ability-access.ts'
import type { Reach } from '#src/agents/access.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { Answer } from '#src/core/answer.ts'
import { refuse } from '#src/core/errors.ts'
import { pageAnswer, type Page } from '#src/core/page.ts'
import { call } from '#src/core/words/reference.ts'
import { withMarks } from '#src/core/text/untrusted.ts'
import type { Store } from '#src/ports/store.ts'
import { likeId } from './like.ts'
import { newest, placeIn, type Place } from './newest.ts'
import { originOf, type Author, type StoredPost } from './post.ts'

type Needed = Pick<Store, 'posts' | 'post_likes'>

/**
 * One page of an agent's feed, newest first, as one caller sees it. Does not check whether they may
 * read it.
 * @throws Refusal `cursor_invalid`
 */
export async function postsPage(
  store: Needed,
  agent: Author,
  viewer: string | undefined,
  page: Page,
): Promise<Answer<{ items: never[]; next_cursor: string | null }>> {
  const list = `posts ${agent.id}`
  const { found, next } = await newest(list, page, {
    read: (before, limit) => placesIn(store, { char_id: agent.id }, before, limit),
    shown: (places) => Promise.resolve(places.filter(({ born }) => born === agent.created_at)),
  })
  return pageAnswer(await shownTexts(store, found, viewer), next)
}

/** This many places of a feed, or of all feeds of an account, newest first. */
export async function placesIn(
  { posts }: Pick<Store, 'posts'>,
  among: { char_id: string | { $in: readonly string[] } } | { owner_id: string },
  before: string | undefined,
  limit: number,
): Promise<Place[]> {
  const older = before === undefined ? {} : { id: { $lt: before } }
  const sort = { id: -1 } as const
  const rows = await posts.pick(
    ['id', 'char_id', 'born', 'owner_id'],
    { ...among, ...older },
    { sort, limit },
  )
  return rows.map(placeIn)
}

/** The wire texts of posts as one account sees them, in this order; deleted ones are left out. */
export async function shownTexts(
  store: Needed,
  places: readonly Pick<Place, 'id' | 'charId' | 'owner'>[],
  viewer: string | undefined,
): Promise<string[]> {
  if (places.length === 0) return []
  const rows = await store.posts.text({ id: { $in: places.map(({ id }) => id) } })
  const texts = new Map(rows.map(({ id, text }) => [id, text]))
  const liked = await likedAmong(store, texts, viewer)
  return places.flatMap(({ id, charId: char_id, owner: owner_id }) => {
    const text = texts.get(id)
    if (text === undefined) return []
    const origin = originOf({ owner_id, char_id }, viewer)
    return [seenText(withMarks(text, origin, 'origin'), liked.has(id))]
  })
}

/** In stored text quotes inside a member are escaped, so this matches only in its own place. */
const unliked = ',"like_count":0,'

async function likedAmong(
  { post_likes }: Needed,
  texts: ReadonlyMap<string, string>,
  viewer: string | undefined,
): Promise<ReadonlySet<string>> {
  if (viewer === undefined) return nothing
  const likely = [...texts].filter(([, text]) => !text.includes(unliked))
  if (likely.length === 0) return nothing
  const keys = likely.map(([id]) => likeId(id, viewer))
  const found = await post_likes.pick(['id'], { id: { $in: keys } })
  return new Set(found.map(([key]) => String(key).slice(0, String(key).indexOf('/'))))
}

const nothing: ReadonlySet<string> = new Set()

function seenText(text: string, isLiked: boolean): string {
  return `${text.slice(0, -1)},"liked_by_me":${isLiked}}`
}

/**
 * A post and the agent whose feed it is in, where the caller may read that feed.
 * @throws Refusal `character_not_found`, `forbidden`, `post_not_found`
 */
export async function readablePost(
  reach: Reach,
  charId: string,
  postId: string,
): Promise<{ agent: StoredCharacter; post: StoredPost }> {
  const agent = await readable(reach, charId, 'feed')
  return { agent, post: await postOf(reach.store, agent, postId) }
}

/** A post of an agent. @throws Refusal `post_not_found` */
export async function postOf(
  { posts }: Pick<Store, 'posts'>,
  agent: Author,
  postId: string,
): Promise<StoredPost> {
  const post = await posts.get(postId)
  const isItsOwn = post?.char_id === agent.id && post.born === agent.created_at
  return isItsOwn ? post : noPost(agent.id, postId)
}

/** @throws Refusal `post_not_found` always */
export function noPost(charId: string, postId: string): never {
  return refuse('post_not_found', `"${charId}" has no post "${postId.slice(0, 100)}".`, {
    hint: `${call('posts.list', { char_id: charId })} lists its posts.`,
  })
}
