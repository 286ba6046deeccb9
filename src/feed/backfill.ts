import { audienceOf } from '#src/agents/visibility/ability-access.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { edgeId } from '#src/agents/friends/edge.ts'
import { DuplicateKey, Unmet, type Collection } from '#src/ports/store.ts'
import { postBytes } from './post.ts'

/** The record that every document has the members that feeds are read by. */
const filled = 'feeds_filled'
/** Agents may be large, so few are read at a time. */
const atOnce = 20
/** Only the place of a post is read. */
const placesAtOnce = 500

type Needed = Pick<Ports, 'store' | 'quotas'>

/**
 * Adds to agents, friendships and posts of a store older than feeds the members that feeds are read
 * by: once. New documents are written with them.
 */
export async function fillFeeds(ports: Needed, now: Date): Promise<void> {
  const { store } = ports
  if (await store.meta.get(filled)) return
  await each(store.characters, async ({ id, revision, visibility }) => {
    const feed_for = audienceOf(visibility, 'feed')
    if (feed_for === 'none') return
    const update = { id, revision, feed_for: null }
    await store
      .commit([{ in: 'characters', update, change: { $set: { feed_for } } }])
      .catch((cause: unknown) => {
        // A change of the agent meanwhile writes it in any case.
        if (!(cause instanceof Unmet)) throw cause
      })
  })
  await each(store.edges, async ({ id, char_id, friend_id, owner_id, outside }) => {
    if (outside != null) return
    const back = await store.edges.get(edgeId(friend_id, char_id))
    if (!back || back.owner_id === owner_id) return
    await store.edges.update({ id }, { $set: { outside: owner_id } })
  })
  await fillPosts(ports)
  await store.meta.insert({ id: filled, value: timestamp(now) }).catch((cause: unknown) => {
    // Another process has done the same.
    if (!(cause instanceof DuplicateKey)) throw cause
  })
}

async function fillPosts({ store, quotas }: Needed): Promise<void> {
  for (let after = ''; ;) {
    const page = { sort: { id: 1 }, limit: placesAtOnce } as const
    const places = await store.posts.pick(['id', 'born'], { id: { $gt: after } }, page)
    for (const [id, born] of places) if (born === null) await fillPost(String(id))
    const [last] = places.at(-1) ?? []
    if (last === undefined) return
    after = String(last)
  }

  async function fillPost(id: string): Promise<void> {
    const post = await store.posts.get(id)
    const agent = post && (await store.characters.get(post.char_id))
    const isItsOwn =
      agent?.owner_id === post?.owner_id && agent && agent.created_at <= post.created_at
    if (!isItsOwn) {
      await store.posts.delete({ id, born: null })
      return
    }
    const change = { $set: { born: agent.created_at } }
    const done = await store.posts.update({ id, born: null }, change)
    if (done) quotas.addBytes(done.owner_id, postBytes(done))
  }
}

async function each<T extends { id: string }>(
  collection: Collection<T>,
  work: (one: T) => Promise<void>,
): Promise<void> {
  for (let after = ''; ;) {
    // Every document has an id, but the type of the filter does not know that of all of them.
    const beyond = { id: { $gt: after } } as Parameters<typeof collection.find>[0]
    const sort = { id: 1 } as NonNullable<Parameters<typeof collection.find>[1]>['sort']
    const found = await collection.find(beyond, { sort, limit: atOnce })
    for (const one of found) await work(one)
    const last = found.at(-1)
    if (!last) return
    after = last.id
  }
}
