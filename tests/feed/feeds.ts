import type { Store } from '#src/ports/store.ts'
import type { Post } from '#src/feed/post.ts'
import { openWorld, type World, type WorldOptions } from '#tests/support/world.ts'

export interface Account {
  key: string
  id: string
}

export interface PostPage {
  items: Post[]
  next_cursor: string | null
}

/** The operations on feeds, for tests that know what they ask for. */
export function feedsOn(store: Store, options: WorldOptions = {}) {
  const world: World = openWorld(store, options)
  const ask = <T = Record<string, never>>(name: string, input: unknown, key: string) =>
    world.ask<T>(name, input, key)
  return {
    world,
    account: () => world.account(),
    agent: (id: string, { key }: Account, feed: string | null = null) =>
      ask(
        'characters.create',
        {
          character: {
            id,
            name: id,
            ...(feed !== null && {
              visibility: { profile_visibility: 'unlisted', ability_access: { feed } },
            }),
          },
        },
        key,
      ),
    post: (char_id: string, { key }: Account, content = `of ${char_id}`) =>
      ask<Post>('feed.post', { char_id, content }, key),
    list: (char_id: string, { key }: Account) => ask<PostPage>('posts.list', { char_id }, key),
    bytes: async ({ id }: Account): Promise<number> =>
      (await world.ports.quotas.usage({ accountId: id, claimed: false })).stored_bytes,
    ask,
    /** All of a home, page by page. */
    async home(key: string, limit = 20): Promise<Post[]> {
      const items: Post[] = []
      for (let cursor: string | null | undefined; ;) {
        const page: PostPage = await ask('feed.home', { limit, ...(cursor && { cursor }) }, key)
        items.push(...page.items)
        cursor = page.next_cursor
        if (cursor === null) return items
      }
    },
  }
}

export type Feeds = ReturnType<typeof feedsOn>
