import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Post } from '#src/feed/post.ts'
import { inTurn } from '#src/core/turns/in-turn.ts'
import type { Store } from '#src/ports/store.ts'
import { inForm } from '#tests/support/long-tests.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { feedsOn, type Account, type Feeds } from './feeds.ts'

const amounts = inForm({ short: { sqlite: 100, mongodb: 30 }, long: { sqlite: 100, mongodb: 100 } })

describe.each(stores())('likes of a post on $name', (kind) => {
  const { it } = onFirstStore(kind)
  const accounts = amounts[kind.name]
  let store: Store
  let feeds: Feeds
  let owner: Account
  let others: Account[]
  let place: { char_id: string; post_id: string }

  beforeEach(async () => {
    store = await kind.open()
    feeds = feedsOn(store)
    owner = await feeds.account()
    others = await Promise.all(Array.from({ length: accounts }, () => feeds.account()))
    await feeds.agent('ada', owner, 'public')
    place = { char_id: 'ada', post_id: (await feeds.post('ada', owner)).id }
  })
  afterEach(() => store.close())

  const like = (name: 'like' | 'unlike', { key }: Account) => feeds.ask(`posts.${name}`, place, key)
  const seen = () => feeds.ask<Post>('posts.get', place, owner.key)

  itOnEach('are counted right, however many come and go at once', async () => {
    await Promise.all(others.map((account) => like('like', account)))
    expect((await seen()).like_count).toBe(accounts)
    const [some, rest] = [others.slice(0, accounts * 0.6), others.slice(accounts * 0.6)]
    await Promise.all([
      // Twice, for each but the first of them finds nothing to take back.
      ...some.flatMap((account) => [like('unlike', account), like('unlike', account)]),
      ...rest.flatMap((account) => [like('like', account), like('like', account)]),
    ])
    expect((await seen()).like_count).toBe(rest.length)
    expect(await store.post_likes.count({ post_id: place.post_id })).toBe(rest.length)
    const mixed = others.flatMap((account) => [like('like', account), like('unlike', account)])
    await Promise.all(mixed)
    const kept = await store.post_likes.count({ post_id: place.post_id })
    expect((await seen()).like_count).toBe(kept)
  })

  it('of one account are one, and a gone post has none', async () => {
    const twenty = Array.from({ length: 20 }, () => like('like', owner))
    expect(await Promise.all(twenty)).toEqual(twenty.map(() => ({ liked: true, like_count: 1 })))
    const [gone] = await Promise.all([
      feeds.ask('posts.delete', place, owner.key),
      ...others.slice(0, 20).map((account) => like('like', account).catch(() => undefined)),
    ])
    expect(gone).toEqual({ id: place.post_id, deleted: true })
    expect(await store.post_likes.count({})).toBe(0)
    expect(await store.feed_leftovers.count({})).toBe(0)
  })

  it('do not overtake for ever who deletes it: that has its turn too', async () => {
    const order: string[] = []
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
    const before = inTurn(place.post_id, async () => {
      await held
      order.push('what came before')
    })
    const deleting = feeds.ask('posts.delete', place, owner.key).then(() => order.push('deleted'))
    // By the time another is deleted, this one would be too if it did not wait.
    const another = await feeds.post('ada', owner)
    await feeds.ask('posts.delete', { ...place, post_id: another.id }, owner.key)
    goOn()
    await Promise.all([before, deleting])
    expect(order).toEqual(['what came before', 'deleted'])
    expect(await store.posts.count({})).toBe(0)
  })
})
