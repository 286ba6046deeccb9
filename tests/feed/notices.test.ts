import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { eventPasser } from '#src/work/events.ts'
import { stores } from '#tests/support/stores.ts'
import { feedsOn, type Account, type Feeds, type PostPage } from './feeds.ts'

describe.each(stores())('what a feed tells on $name', (kind) => {
  let store: Store
  let feeds: Feeds
  let owner: Account
  let other: Account

  beforeEach(async () => {
    store = await kind.open()
    feeds = feedsOn(store)
    owner = await feeds.account()
    other = await feeds.account()
    await feeds.agent('ada', owner, 'public')
    await feeds.agent('eve', other)
  })
  afterEach(() => store.close())

  const task = (char_id: string, more: object, { key } = owner) => {
    const whole = { task_id: 't', name: 'T', runtime: 'template', prompt: '{{input}}', ...more }
    return feeds.ask('tasks.create', { char_id, task: whole }, key)
  }
  const listen = (event: string) =>
    task('ada', { post_to_feed: false, triggers: [{ type: 'event', config: { event } }] })
  const comment = (post_id: string, content = 'So it was.') =>
    feeds.ask<{ id: string }>(
      'posts.comment',
      { char_id: 'ada', post_id, author_id: 'eve', content },
      other.key,
    )

  it('is not recorded where no one listens', async () => {
    await comment((await feeds.post('ada', owner)).id)
    expect(await store.events.count({})).toBe(0)
  })

  it('is each post, to tasks of its account', async () => {
    await listen('feed.post_created')
    const { id } = await feeds.post('ada', owner, 'news')
    await feeds.post('eve', other)
    expect(await store.events.find({})).toMatchObject([
      {
        type: 'feed.post_created',
        char_id: 'ada',
        cause: null,
        data: { char_id: 'ada', post_id: id, source: 'manual', content: 'news', image_url: null },
      },
    ])
    await eventPasser(feeds.world.ports)()
    const runs = await store.runs.find({ char_id: 'ada' })
    expect(runs).toMatchObject([{ trigger: { type: 'event' }, input: { post_id: id } }])
  })

  it('is each comment, to the agent under whose post it stands', async () => {
    await listen('feed.comment_created')
    const { id } = await feeds.post('ada', owner)
    const made = await comment(id, '€'.repeat(4000))
    expect(await store.events.find({})).toMatchObject([
      {
        type: 'feed.comment_created',
        char_id: 'ada',
        owner_id: owner.id,
        data: { char_id: 'ada', post_id: id, comment_id: made.id, author_id: 'eve' },
      },
    ])
    await eventPasser(feeds.world.ports)()
    expect(await store.runs.count({ char_id: 'ada' })).toBe(1)
  })

  it('is nothing of what is refused', async () => {
    await listen('feed.comment_created')
    await feeds.world.refusal(
      'posts.comment',
      { char_id: 'ada', post_id: 'post_0', author_id: 'eve', content: 'x' },
      other.key,
    )
    expect(await store.events.count({})).toBe(0)
  })

  it('shows what runs brought like what was posted by hand, and counts it', async () => {
    await task('ada', {})
    const before = await feeds.bytes(owner)
    const run = { char_id: 'ada', task_id: 't', input: 'z'.repeat(5000) }
    const { id: run_id } = await feeds.ask<Run>('tasks.run', run, owner.key)
    const { items } = await feeds.ask<PostPage>('posts.list', { char_id: 'ada' }, other.key)
    const marks = { untrusted: true, origin: { kind: 'post', char_id: 'ada' } }
    expect(items).toMatchObject([{ source: 'task', run_id, liked_by_me: false, ...marks }])
    const post_id = items[0]?.id ?? ''
    const [{ untrusted: _untrusted, origin: _origin, ...own } = {}] = items
    expect(await feeds.home(owner.key)).toEqual([own])
    await comment(post_id)
    await feeds.ask('posts.like', { char_id: 'ada', post_id }, other.key)
    const held = await feeds.bytes(owner)
    await feeds.ask('posts.delete', { char_id: 'ada', post_id }, owner.key)
    expect((await feeds.list('ada', owner)).items).toEqual([])
    // The run itself keeps its input and output.
    expect(held - (await feeds.bytes(owner))).toBeGreaterThan(5000)
    expect(await feeds.bytes(owner)).toBeGreaterThan(before + 5000)
  })
})
