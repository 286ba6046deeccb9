import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { subscription } from '#tests/support/subscriptions.ts'
import { stores } from '#tests/support/stores.ts'
import { feedsOn, type Account, type Feeds } from './feeds.ts'

const who = ['a1', 'a2', 'b1', 'b2', 'c1'] as const
type Who = (typeof who)[number]
const accountOf = (one: Who): 0 | 1 | 2 => (one[0] === 'a' ? 0 : one[0] === 'b' ? 1 : 2)

const anyone = fc.constantFrom(...who)
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('post' as const), one: anyone }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('befriend' as const), one: anyone, other: anyone }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('ask' as const), one: anyone, other: anyone }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('part' as const), one: anyone, other: anyone }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('show' as const),
      one: anyone,
      profile: fc.constantFrom('public', 'unlisted', 'private'),
      level: fc.constantFrom('public', 'friends', 'public_paid', 'private', 'members', 'x'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remake' as const), one: anyone }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('subscribe' as const), one: anyone }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface Shown {
  profile: string
  level: string
}

/** What has been done, and from it, by the definition, what the first account is to see. */
class Model {
  readonly shown = new Map<Who, Shown>()
  readonly friends = new Set<string>()
  readonly subscribed = new Set<Who>()
  posts: { id: string; by: Who }[] = []

  areFriends(one: Who, other: Who): boolean {
    return this.friends.has([one, other].toSorted().join())
  }

  /** @param as the agents that the caller acts as, and whether those are all that it owns */
  home(as: readonly Who[]): string[] {
    const seen = this.posts.filter(
      ({ by }) =>
        as.includes(by) || (as.some((one) => this.areFriends(one, by)) && this.#isOpen(by)),
    )
    return seen.map(({ id }) => id).toReversed()
  }

  #isOpen(one: Who): boolean {
    const { profile, level } = this.shown.get(one) ?? { profile: 'private', level: 'private' }
    if (profile === 'private') return false
    if (level === 'public_paid') return this.subscribed.has(one)
    return level === 'public' || level === 'friends'
  }
}

let runs = 0

describe.each(stores())('a home on $name', (kind) => {
  let store: Store
  let feeds: Feeds

  beforeEach(async () => {
    store = await kind.open()
    feeds = feedsOn(store)
  })
  afterEach(() => store.close())

  class Played {
    readonly model = new Model()
    readonly accounts: readonly Account[]
    readonly #prefix = `r${(runs += 1)}-`

    constructor(accounts: readonly Account[]) {
      this.accounts = accounts
    }

    id(one: Who): string {
      return this.#prefix + one
    }

    async ask<T>(one: Who, name: string, input: object): Promise<T> {
      const key = this.accounts[accountOf(one)]?.key ?? ''
      return feeds.ask<T>(name, input, key)
    }

    make(one: Who): Promise<object> {
      return this.ask(one, 'characters.create', { character: { id: this.id(one), name: one } })
    }

    async play(next: Step): Promise<void> {
      const { model } = this
      const char_id = this.id(next.one)
      if (next.do === 'post') {
        const made = { char_id, content: next.one }
        const { id } = await this.ask<{ id: string }>(next.one, 'feed.post', made)
        model.posts.push({ id, by: next.one })
      } else if (next.do === 'show') {
        const { profile: profile_visibility, level: feed } = next
        const visibility = { profile_visibility, ability_access: { feed } }
        await this.ask(next.one, 'characters.update', { char_id, character: { visibility } })
        model.shown.set(next.one, next)
      } else if (next.do === 'remake') {
        await this.ask(next.one, 'characters.delete', { char_id })
        await this.make(next.one)
        model.posts = model.posts.filter(({ by }) => by !== next.one)
        model.shown.delete(next.one)
        for (const pair of model.friends) {
          if (pair.split(',').includes(next.one)) model.friends.delete(pair)
        }
      } else if (next.do === 'subscribe') {
        const account_id = this.accounts[0]?.id ?? ''
        const insert = subscription(`sub_${char_id}`, account_id, char_id)
        if (!model.subscribed.has(next.one)) await store.subscriptions.insert(insert)
        model.subscribed.add(next.one)
      } else await this.#meet(next.do, next.one, next.other)
    }

    async #meet(what: 'befriend' | 'ask' | 'part', one: Who, other: Who): Promise<void> {
      if (one === other) return
      const { model } = this
      const [char_id, friend_id] = [this.id(one), this.id(other)]
      const pair = [one, other].toSorted().join()
      if (what === 'part') {
        await this.ask(one, 'friends.remove', { char_id, friend_id }).catch(() => undefined)
        model.friends.delete(pair)
        return
      }
      await this.ask(one, 'friends.request', { char_id, friend_id }).catch(() => undefined)
      // Within one account they are friends at once.
      if (accountOf(one) === accountOf(other)) model.friends.add(pair)
      if (what === 'ask') return
      const accepted = (from: Who, to: Who) =>
        this.ask(to, 'friends.accept', { char_id: this.id(to), friend_id: this.id(from) })
      // Whichever of them has asked first.
      await accepted(one, other).catch(() => accepted(other, one).catch(() => undefined))
      model.friends.add(pair)
    }
  }

  it('matches its definition after any sequence of steps', { timeout: 240_000 }, async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, limit) => {
        const accounts = [await feeds.account(), await feeds.account(), await feeds.account()]
        const played = new Played(accounts)
        for (const one of who) await played.make(one)
        for (const next of steps) await played.play(next)
        const key = accounts[0]?.key ?? ''
        const ids = async (as: string) => (await feeds.home(as, limit)).map(({ id }) => id)
        expect(await ids(key)).toEqual(played.model.home(['a1', 'a2']))
        const scoped = { name: 'as a1', scope_char_id: played.id('a1') }
        const made = await feeds.ask<{ key: string }>('api_keys.create', scoped, key)
        expect(await ids(made.key)).toEqual(played.model.home(['a1']))
      },
    )
    await fc.assert(property, { numRuns: kind.name === 'sqlite' ? 60 : 5 })
  })

  it('does not end at friends who show nothing, however much they post', async () => {
    const [ours, theirs] = [await feeds.account(), await feeds.account()]
    await feeds.agent('ada', ours)
    for (const [id, feed] of [
      ['open', 'friends'],
      ['closed', 'private'],
    ] as const) {
      await feeds.agent(id, theirs, feed)
      await feeds.ask('friends.request', { char_id: 'ada', friend_id: id }, ours.key)
      await feeds.ask('friends.accept', { char_id: id, friend_id: 'ada' }, theirs.key)
    }
    const first = await feeds.post('open', theirs)
    for (let i = 0; i < 30; i++) await feeds.post('closed', theirs)
    const page = await feeds.ask('feed.home', { limit: 5 }, ours.key)
    const marks = { untrusted: true, origin: { kind: 'post', char_id: 'open' } }
    expect(page).toEqual({ items: [{ ...first, ...marks }], next_cursor: null })
  })
})
