import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removalOf } from '#src/departures/agent.ts'
import { leftBehind, leftOfPost } from '#src/feed/purge.ts'
import type { StoredPost } from '#src/feed/post.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { gravesOf } from '#tests/bounds/graves.ts'
import { stores } from '#tests/support/stores.ts'
import { feedsOn, type Account, type Feeds } from './feeds.ts'

const timed = { timeout: 60_000 }

describe.each(stores())('what is left of a feed on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let feeds: Feeds
  let owner: Account
  let other: Account

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    // The store's clock is the test's.
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    feeds = feedsOn(store, { clock })
    owner = await feeds.account()
    other = await feeds.account()
    await feeds.agent('ada', owner, 'public')
    await feeds.agent('eve', other)
  })
  afterEach(() => store.close())

  const comment = (post_id: string, content = 'So it was.', author = 'eve', account = other) =>
    feeds.ask('posts.comment', { char_id: 'ada', post_id, author_id: author, content }, account.key)
  /** As many more as no single piece of a sweep takes. */
  const crowd = async (post_id: string, count: number): Promise<void> => {
    const at = clock.now().toISOString()
    const writes = Array.from({ length: count }, (_, i): Write[] => [
      { in: 'post_likes', insert: { id: `${post_id}/acc_${i}`, post_id, created_at: at } },
      {
        in: 'post_comments',
        insert: {
          id: `cmt_${post_id}_${i}`,
          post_id,
          author_id: 'eve',
          content: 'x',
          created_at: at,
          author_owner: other.id,
        },
      },
    ])
    const counts = { like_count: count, comment_count: count }
    await store.commit([
      ...writes.flat(),
      { in: 'posts', update: { id: post_id }, change: { $inc: counts } },
    ])
  }
  const counts = async () => ({
    posts: await store.posts.count({}),
    comments: await store.post_comments.count({}),
    likes: await store.post_likes.count({}),
    leftovers: await store.feed_leftovers.count({}),
  })
  const nothing = { posts: 0, comments: 0, likes: 0, leftovers: 0 }
  /** Posts of the agent, or of one before it. */
  const many = async (count: number, isOlder?: (i: number) => boolean): Promise<void> => {
    const born = (await store.characters.get('ada'))?.created_at ?? ''
    const insert = (i: number): StoredPost => ({
      id: `post_${String(i).padStart(6, '0')}`,
      char_id: 'ada',
      content: 'x',
      image_url: null,
      source: 'manual',
      run_id: null,
      like_count: 0,
      comment_count: 0,
      created_at: born,
      owner_id: owner.id,
      born: isOlder?.(i) ? '2020-01-01T00:00:00.000Z' : born,
    })
    const writes = Array.from(
      { length: count },
      (_, i) => ({ in: 'posts', insert: insert(i) }) as const,
    )
    for (let from = 0; from < count; from += 500) await store.commit(writes.slice(from, from + 500))
  }

  it('is nothing of a post with many comments and likes, and its bytes come back', async () => {
    const before = [await feeds.bytes(owner), await feeds.bytes(other)]
    const { id } = await feeds.post('ada', owner)
    await comment(id, 'y'.repeat(1000))
    expect(await feeds.bytes(owner)).toBeGreaterThan(before[0] ?? 0)
    expect(await feeds.bytes(other)).toBeGreaterThan((before[1] ?? 0) + 1000)
    await feeds.ask('posts.like', { char_id: 'ada', post_id: id }, other.key)
    await feeds.ask('posts.delete', { char_id: 'ada', post_id: id }, owner.key)
    expect(await counts()).toEqual(nothing)
    expect([await feeds.bytes(owner), await feeds.bytes(other)]).toEqual(before)
  })

  it('gives its bytes back once, where two are at it', async () => {
    const { id } = await feeds.post('ada', owner)
    await comment(id, 'y'.repeat(1000))
    await feeds.world.ports.quotas.settle()
    const before = await feeds.bytes(other)
    const { post_comments } = store
    const late: Store = {
      ...store,
      post_comments: {
        ...post_comments,
        // The one who was taken for dead comes to delete what it has read.
        async find(...asked) {
          const found = await post_comments.find(...asked)
          for (const { id: read } of found) await post_comments.delete({ id: read })
          return found
        },
      },
    }
    const sweeping = feedsOn(late, { clock })
    await sweeping.ask('posts.delete', { char_id: 'ada', post_id: id }, owner.key)
    expect(await counts()).toEqual(nothing)
    // The other one has given it back.
    expect(await sweeping.bytes(other)).toBe(before)
  })

  it('is swept up in pieces', async () => {
    const { id } = await feeds.post('ada', owner)
    const kept = await feeds.post('ada', owner)
    await comment(kept.id)
    await crowd(id, 250)
    await feeds.ask('posts.delete', { char_id: 'ada', post_id: id }, owner.key)
    expect(await counts()).toEqual({ ...nothing, posts: 1, comments: 1 })
  })

  it('is not read, and swept up by the upkeep, where the deleting process died', async () => {
    const { id } = await feeds.post('ada', owner)
    await crowd(id, 250)
    const post = await store.posts.get(id)
    if (!post) throw new Error('the post is there')
    const left = leftOfPost(post, clock.now())
    await store.commit([{ in: 'posts', delete: { id } }, leftBehind(left)])
    const place = { char_id: 'ada', post_id: id }
    for (const op of ['get', 'comments', 'like', 'unlike']) {
      const refused = await feeds.world.refusal(`posts.${op}`, place, owner.key)
      expect(refused.code).toBe('post_not_found')
    }
    await upkeep(feeds.world.ports, clock.now())
    expect((await counts()).comments).toBe(250)
    await clock.advance(31_000)
    await upkeep(feeds.world.ports, clock.now())
    expect(await counts()).toEqual(nothing)
  })

  /** More than a caller waits for, which takes MongoDB a while: there in the long form alone. */
  const { it: itOfMany } = onFirstStore(kind)

  itOfMany('is left to the upkeep where it is too much to wait for', timed, async () => {
    await many(5300)
    await feeds.ask('characters.delete', { char_id: 'ada' }, owner.key)
    const { posts, leftovers } = await counts()
    expect(posts).toBeGreaterThan(0)
    expect(posts).toBeLessThan(5300)
    expect(leftovers).toBe(1)
    while ((await upkeep(feeds.world.ports, clock.now())) > 0) {
      // It goes on at once.
    }
    expect(await counts()).toEqual(nothing)
  })

  it('is never shown by an agent that was made again under the same id', async () => {
    const { id } = await feeds.post('ada', owner)
    await many(5)
    await comment(id)
    const agent = await store.characters.get('ada')
    if (!agent) throw new Error('the agent is there')
    const removal = await removalOf(feeds.world.ports, [agent])
    await store.commit(removal.writes)
    await clock.advance(1)
    await feeds.agent('ada', owner, 'public')
    expect((await feeds.list('ada', owner)).items).toEqual([])
    expect(await feeds.home(owner.key)).toEqual([])
    const refused = await feeds.world.refusal(
      'posts.get',
      { char_id: 'ada', post_id: id },
      owner.key,
    )
    expect(refused.code).toBe('post_not_found')
    const made = await feeds.post('ada', owner)
    await clock.advance(31_000)
    await upkeep(feeds.world.ports, clock.now())
    expect(await counts()).toEqual({ ...nothing, posts: 1 })
    expect((await feeds.list('ada', owner)).items).toEqual([made])
  })

  itOfMany('is all swept up where an id was taken again and again', timed, async () => {
    const before = await feeds.bytes(other)
    // What the first has left is more than a look takes, and older than what the second leaves.
    await many(5300)
    for (let generation = 0; generation < 3; generation++) {
      await feeds.ask('characters.delete', { char_id: 'ada' }, owner.key)
      await clock.advance(1)
      await feeds.agent('ada', owner, 'public')
      await comment((await feeds.post('ada', owner)).id)
    }
    while ((await upkeep(feeds.world.ports, clock.now())) > 0) {
      // It goes on at once.
    }
    expect(await counts()).toEqual({ ...nothing, posts: 1, comments: 1 })
    await feeds.ask('characters.delete', { char_id: 'ada' }, owner.key)
    expect(await counts()).toEqual(nothing)
    expect(await feeds.bytes(other)).toBe(before)
  })

  it('is nothing of an agent, and its bytes come back', async () => {
    const stored = async () => (await feeds.bytes(other)) - (await gravesOf(store, other.id))
    const spent = async (posts: number): Promise<number> => {
      const before = await stored()
      await feeds.agent('joan', other)
      for (let i = 0; i < posts; i++) await feeds.post('joan', other)
      await feeds.ask('characters.delete', { char_id: 'joan' }, other.key)
      return (await stored()) - before
    }
    expect(await spent(3)).toBe(await spent(0))
    expect(await counts()).toEqual(nothing)
  })

  it('ends a page early rather than look for its next post without end', async () => {
    await many(2300, (i) => i >= 10)
    const first = await feeds.list('ada', owner)
    expect(first.items).toEqual([])
    const cursors = [first.next_cursor]
    let found = 0
    while (cursors.at(-1)) {
      const input = { char_id: 'ada', cursor: cursors.at(-1) }
      const page = await feeds.ask<typeof first>('posts.list', input, owner.key)
      found += page.items.length
      cursors.push(page.next_cursor)
    }
    expect(found).toBe(10)
    expect(cursors.length).toBeLessThan(10)
  })
})
