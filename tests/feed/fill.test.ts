import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { stores } from '#tests/support/stores.ts'
import { feedsOn, type Account, type Feeds } from './feeds.ts'

describe.each(stores())('a store of before there were feeds on $name', (kind) => {
  let store: Store
  let feeds: Feeds
  let ours: Account
  let theirs: Account

  beforeEach(async () => {
    store = await kind.open()
    feeds = feedsOn(store)
    ours = await feeds.account()
    theirs = await feeds.account()
    await feeds.agent('ada', ours)
    await feeds.agent('grace', ours)
    await feeds.agent('eve', theirs, 'friends')
    const request = { char_id: 'ada', friend_id: 'eve' }
    await feeds.ask('friends.request', request, ours.key)
    await feeds.ask('friends.accept', { char_id: 'eve', friend_id: 'ada' }, theirs.key)
    await feeds.ask('friends.request', { char_id: 'ada', friend_id: 'grace' }, ours.key)
  })
  afterEach(() => store.close())

  it('gets what feeds are read by, once', async () => {
    const posts = [await feeds.post('eve', theirs), await feeds.post('ada', ours)]
    const lost = await feeds.post('grace', ours)
    for (const { id } of [...posts, lost]) {
      await store.posts.update({ id }, { $unset: { born: true } })
    }
    await store.posts.update({ id: lost.id }, { $set: { owner_id: theirs.id } })
    await store.characters.update({ id: 'eve' }, { $unset: { feed_for: true } })
    for (const id of ['ada/eve', 'eve/ada']) {
      await store.edges.update({ id }, { $unset: { outside: true } })
    }
    expect(await feeds.home(ours.key)).toEqual([])
    await upkeep(feeds.world.ports, new Date())
    const marks = { untrusted: true, origin: { kind: 'post', char_id: 'eve' } }
    const [foreign, own] = posts
    expect(await feeds.home(ours.key)).toEqual([own, { ...foreign, ...marks }])
    expect(await store.posts.count({})).toBe(2)
    expect((await store.edges.get('ada/grace'))?.outside ?? null).toBeNull()
    // What is missing later has another reason.
    await store.edges.update({ id: 'ada/eve' }, { $unset: { outside: true } })
    await upkeep(feeds.world.ports, new Date())
    expect(await feeds.home(ours.key)).toEqual(posts.slice(1))
  })
})
