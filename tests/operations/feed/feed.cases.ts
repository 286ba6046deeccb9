import { expect } from 'vitest'
import {
  agent,
  agentRefusals,
  brokenCursor,
  given,
  needsKey,
  nowhere,
  type Case,
  type Made,
  type Stage,
} from '../case.ts'

type Who = 'owner' | 'stranger'

const content = 'The ferry is late.'
const post = (stage: Stage, char_id: string, more: object = {}, as: Who = 'owner') =>
  stage.ask('feed.post', { char_id, content, ...more }, as)

/** An agent of the owner's with a post, its feed open as far as that. */
const posted = async (stage: Stage, more: object = {}) => {
  const char_id = await agent(stage, 'ada', more)
  return { char_id, post_id: (await post(stage, char_id)).id }
}
type Posted = Awaited<ReturnType<typeof posted>>

const openTo = (feed: string, profile_visibility = 'public') => ({
  visibility: { profile_visibility, ability_access: { feed } },
})

/** An agent of the stranger's. */
const eve = async (stage: Stage, more: object = {}): Promise<string> => {
  const id = stage.id('eve')
  await stage.ask('characters.create', { character: { id, name: 'Eve', ...more } }, 'stranger')
  return id
}

/** An agent of the stranger's that is a friend of the owner's. */
const befriended = async (stage: Stage, char_id: string, more: object = {}): Promise<string> => {
  const friend_id = await eve(stage, more)
  await stage.ask('friends.request', { char_id: friend_id, friend_id: char_id }, 'stranger')
  await stage.ask('friends.accept', { char_id, friend_id })
  return friend_id
}

const ids = (answer: Made): string[] => answer.items.map(({ id }) => id)

const refusedImages = [
  'ftp://example.com/a.png',
  '//example.com/a.png',
  '/media/a.png',
  'javascript:alert(1)',
  'data:image/png;base64,AAAA',
  'https:example.com/a.png',
  'https:\\\\example.com\\a.png',
  ' https://example.com/a.png',
  'https://exa\tmple.com/a.png',
  'https://user:word@example.com/a.png',
  'https://example.com/\u202egnp.a',
  'https://exam\u200bple.com/a.png',
  'https://example.com/a\u0000.png',
  'http://localhost/a.png',
  'http://127.0.0.1/a.png',
  'http://127.1/a.png',
  'http://2130706433/a.png',
  'http://0x7f000001/a.png',
  'http://0177.0.0.1/a.png',
  'http://10.0.0.8/a.png',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]/a.png',
  'http://[::ffff:127.0.0.1]/a.png',
  'http://[fd00::1]/a.png',
  'http://１２７.0.0.1/a.png',
  'http://127.0.0.1:8080/media/../secret.png',
  'http://127.0.0.1:8080@10.0.0.8/media/a.png',
]

const posts: Case[] = [
  given({
    op: 'feed.post',
    title: 'a post is kept as it was made',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({
      char_id,
      content: 'Two\n\tlines 👩‍🚀',
      image_url: 'https://example.com/a.png',
    }),
    answer: async (answer, char_id, stage) => {
      expect(answer).toEqual({
        id: expect.stringMatching(/^post_[0-9a-f]{32}$/),
        char_id,
        content: 'Two\n\tlines 👩‍🚀',
        image_url: 'https://example.com/a.png',
        source: 'manual',
        run_id: null,
        like_count: 0,
        comment_count: 0,
        liked_by_me: false,
        created_at: expect.any(String),
      })
      expect(await stage.ask('posts.get', { char_id, post_id: answer.id })).toEqual(answer)
    },
  }),
  given({
    op: 'feed.post',
    title: 'a key that acts as an agent need not name it',
    as: 'scoped',
    given: async (stage) => {
      const char_id = await agent(stage)
      await stage.scopeTo(char_id)
      return char_id
    },
    input: () => ({ content }),
    answer: (answer, char_id) => expect(answer.char_id).toBe(char_id),
  }),
  given({
    op: 'feed.post',
    title: 'a key that acts as an agent posts as no other',
    as: 'scoped',
    given: async (stage) => {
      await stage.scopeTo(await agent(stage, 'grace'))
      return agent(stage)
    },
    input: (char_id) => ({ char_id, content }),
    refusal: 'forbidden',
  }),
  given({
    op: 'feed.post',
    title: 'any other key says which agent posts',
    as: 'owner',
    given: (stage) => agent(stage),
    input: () => ({ content }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors?.[0]).toMatchObject({ pointer: '/char_id' }),
  }),
  given({
    op: 'feed.post',
    title: 'pictures of the service itself may be shown, wherever it is reached',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id, stage) => ({
      char_id,
      content,
      image_url: `${stage.world.ports.settings.publicUrl}/media/img_1.webp`,
    }),
    answer: (answer) => expect(JSON.stringify(answer)).toContain('/media/img_1.webp'),
  }),
  ...refusedImages.map((image_url) =>
    given({
      op: 'feed.post',
      title: `a picture at ${JSON.stringify(image_url)} is refused`,
      as: 'owner',
      given: (stage) => agent(stage),
      input: (char_id) => ({ char_id, content, image_url }),
      refusal: 'invalid_input',
      error: (error) => expect(error.errors?.[0]?.pointer).toBe('/image_url'),
    }),
  ),
  ...['', ' \n ', 'x'.repeat(10_001), 'a\u0000b', 'a\u0007b', 'a\u202eb', 'a\u200bb'].map((text) =>
    given({
      op: 'feed.post',
      title: `a text like ${JSON.stringify(text.slice(0, 9))} is refused`,
      as: 'owner',
      given: (stage) => agent(stage),
      input: (char_id) => ({ char_id, content: text }),
      refusal: 'invalid_input',
      error: (error) => expect(error.errors?.[0]?.pointer).toBe('/content'),
    }),
  ),
  given({
    op: 'feed.post',
    title: 'ten thousand characters are not too many',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, content: '😀'.repeat(10_000) }),
    answer: (answer) => expect(answer).toMatchObject({ source: 'manual' }),
  }),
  given({
    op: 'feed.post',
    title: 'the same key makes one post',
    as: 'owner',
    idempotencyKey: 'a-post-once',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, content }),
    answer: async (answer, char_id, stage) => {
      expect(ids(await stage.ask('posts.list', { char_id }))).toEqual([answer.id])
    },
  }),
  ...agentRefusals('feed.post', (char_id) => ({ char_id, content })),
  ...needsKey('feed.post', { char_id: 'ada', content }),
]

/** The operations on one post that ask for the same access as reading it. */
const onPosts: [op: string, more: object][] = [
  ['posts.get', {}],
  ['posts.comments', {}],
  ['posts.like', {}],
  ['posts.unlike', {}],
]

const access: Case[] = [
  ...[...onPosts, ['posts.list', {}] as const].flatMap(([op, more]) => {
    const input = ({ char_id, post_id }: Posted) =>
      op === 'posts.list' ? { char_id } : { char_id, post_id, ...more }
    return [
      given({
        op,
        title: 'a public feed is open to anybody with a key',
        as: 'stranger',
        given: (stage) => posted(stage, openTo('public')),
        input,
        answer: (answer) => expect(answer).toBeDefined(),
      }),
      given({
        op,
        title: 'friends may where it is open to friends',
        as: 'stranger',
        given: async (stage) => {
          const facts = await posted(stage, openTo('friends', 'unlisted'))
          await befriended(stage, facts.char_id)
          return facts
        },
        input,
        answer: (answer) => expect(answer).toBeDefined(),
      }),
      ...['private', 'members', 'friends', 'public_paid', 'anything'].map((level) =>
        given({
          op,
          title: `the level ${level} opens it to no stranger`,
          as: 'stranger',
          given: (stage) => posted(stage, openTo(level)),
          input,
          refusal: 'forbidden',
        }),
      ),
      given({
        op,
        title: 'a private profile beats every level',
        as: 'stranger',
        given: (stage) => posted(stage, openTo('public', 'private')),
        input,
        refusal: 'forbidden',
      }),
      given({
        op,
        title: 'a key that acts as a sibling may not where it is private',
        as: 'scoped',
        given: async (stage) => {
          const facts = await posted(stage)
          await stage.scopeTo(await agent(stage, 'grace'))
          return facts
        },
        input,
        refusal: 'forbidden',
      }),
      given({
        op,
        title: 'an agent that does not exist is not found',
        as: 'owner',
        input: () => input({ char_id: nowhere, post_id: nowhere as Made }),
        refusal: 'character_not_found',
      }),
    ]
  }),
  ...[...onPosts, ['posts.comment', { content }] as const, ['posts.delete', {}] as const].flatMap(
    ([op, more]) => [
      given({
        op,
        title: 'a post that does not exist is not found',
        as: 'owner',
        given: async (stage) => {
          const char_id = await agent(stage)
          return { char_id, ...(op === 'posts.comment' && { author_id: char_id }) }
        },
        input: (facts) => ({ ...facts, ...more, post_id: 'post_0' }),
        refusal: 'post_not_found',
      }),
      given({
        op,
        title: 'a post of another agent is not found here',
        as: 'owner',
        given: async (stage) => {
          const { post_id } = await posted(stage)
          const char_id = await agent(stage, 'grace')
          return { char_id, post_id, ...(op === 'posts.comment' && { author_id: char_id }) }
        },
        input: (facts) => ({ ...facts, ...more }),
        refusal: 'post_not_found',
      }),
    ],
  ),
]

const reads: Case[] = [
  given({
    op: 'posts.list',
    title: 'posts come newest first, page by page',
    as: 'owner',
    given: async (stage) => {
      const char_id = await agent(stage)
      const made: string[] = []
      for (const text of ['one', 'two', 'three']) {
        made.unshift((await post(stage, char_id, { content: text })).id)
      }
      await post(stage, await agent(stage, 'grace'))
      return { char_id, made }
    },
    input: ({ char_id }) => ({ char_id, limit: 2 }),
    answer: async (answer, { char_id, made }, stage) => {
      expect(ids(answer)).toEqual(made.slice(0, 2))
      const rest = await stage.ask('posts.list', { char_id, cursor: answer.next_cursor })
      expect(ids(rest)).toEqual(made.slice(2))
      expect(rest.next_cursor).toBeNull()
    },
  }),
  given({
    op: 'posts.list',
    title: 'everybody sees what they like themselves',
    as: 'stranger',
    given: async (stage) => {
      const facts = await posted(stage, openTo('public'))
      const mine = await post(stage, facts.char_id, { content: ',"like_count":0,' })
      await stage.ask('posts.like', { char_id: facts.char_id, post_id: mine.id }, 'stranger')
      await stage.ask('posts.like', facts)
      return facts
    },
    input: ({ char_id }) => ({ char_id }),
    answer: (answer) =>
      expect(answer.items).toMatchObject([
        { liked_by_me: true, like_count: 1 },
        { liked_by_me: false, like_count: 1 },
      ]),
  }),
  given({
    op: 'posts.list',
    title: 'a new agent with the id of a deleted one finds nothing of it',
    as: 'stranger',
    given: async (stage) => {
      const { char_id } = await posted(stage)
      await stage.ask('characters.delete', { char_id })
      await stage.ask('characters.create', { character: { id: char_id, name: 'New' } }, 'stranger')
      return char_id
    },
    input: (char_id) => ({ char_id }),
    answer: (answer) => expect(answer.items).toEqual([]),
  }),
  brokenCursor(
    'posts.list',
    (char_id) => ({ char_id }),
    (stage) => agent(stage),
  ),
  given({
    op: 'feed.home',
    title: 'it shows own agents and their friends, newest first, page by page',
    as: 'owner',
    given: async (stage) => {
      const char_id = await agent(stage)
      const sibling = await agent(stage, 'grace')
      const friend = await befriended(stage, char_id, openTo('friends'))
      const made = [
        await post(stage, char_id),
        await post(stage, friend, {}, 'stranger'),
        await post(stage, sibling),
      ]
      return made.map(({ id }) => id as string).toReversed()
    },
    input: () => ({ limit: 2 }),
    answer: async (answer, made, stage) => {
      expect(ids(answer)).toEqual(made.slice(0, 2))
      const rest = await stage.ask('feed.home', { cursor: answer.next_cursor })
      expect(ids(rest)).toEqual(made.slice(2))
    },
  }),
  given({
    op: 'feed.home',
    title: 'a key that acts as an agent reads as that one',
    as: 'scoped',
    given: async (stage) => {
      const char_id = await agent(stage)
      const open = await agent(stage, 'joan', openTo('friends'))
      const closed = await agent(stage, 'grace')
      const unknown = await agent(stage, 'kay', openTo('friends'))
      for (const friend_id of [open, closed]) {
        await stage.ask('friends.request', { char_id, friend_id })
      }
      const made: string[] = []
      for (const id of [char_id, open, closed, unknown]) made.push((await post(stage, id)).id)
      await stage.scopeTo(char_id)
      return [made[1], made[0]]
    },
    input: () => ({}),
    answer: (answer, made) => expect(ids(answer)).toEqual(made),
  }),
  ...['private', 'members', 'public_paid', 'anything'].map((level) =>
    given({
      op: 'feed.home',
      title: `a friend whose feed has the level ${level} is not shown`,
      as: 'owner',
      given: async (stage) => {
        const char_id = await agent(stage)
        await post(stage, await befriended(stage, char_id, openTo(level)), {}, 'stranger')
        return (await post(stage, char_id)).id
      },
      input: () => ({}),
      answer: (answer, own) => expect(ids(answer)).toEqual([own]),
    }),
  ),
  given({
    op: 'feed.home',
    title: 'an agent that has not accepted is no friend',
    as: 'owner',
    given: async (stage) => {
      const char_id = await agent(stage)
      const friend_id = await eve(stage, openTo('friends'))
      await stage.ask('friends.request', { char_id, friend_id })
      await post(stage, friend_id, {}, 'stranger')
    },
    input: () => ({}),
    answer: (answer) => expect(answer.items).toEqual([]),
  }),
  brokenCursor('feed.home', () => ({})),
  ...needsKey('feed.home', {}),
]

const comments: Case[] = [
  given({
    op: 'posts.comment',
    title: 'a comment is kept, and counted on its post',
    as: 'owner',
    given: posted,
    input: (facts) => ({ ...facts, author_id: facts.char_id, content: 'So it was.' }),
    answer: async (answer, facts, stage) => {
      expect(answer).toEqual({
        id: expect.stringMatching(/^cmt_/),
        post_id: facts.post_id,
        author_id: facts.char_id,
        content: 'So it was.',
        created_at: expect.any(String),
      })
      expect((await stage.ask('posts.comments', facts)).items).toEqual([answer])
      expect(await stage.ask('posts.get', facts)).toMatchObject({ comment_count: 1 })
    },
  }),
  given({
    op: 'posts.comment',
    title: 'others may comment as their own agent where the feed is open',
    as: 'stranger',
    given: async (stage) => ({
      ...(await posted(stage, openTo('public'))),
      author_id: await eve(stage),
    }),
    input: (facts) => ({ ...facts, content }),
    answer: (answer, { author_id }) => expect(answer).toMatchObject({ author_id }),
  }),
  given({
    op: 'posts.comment',
    title: 'a key that acts as an agent need not name it',
    as: 'scoped',
    given: async (stage) => {
      const facts = await posted(stage)
      await stage.scopeTo(facts.char_id)
      return facts
    },
    input: (facts) => ({ ...facts, content }),
    answer: (answer, { char_id }) => expect(answer).toMatchObject({ author_id: char_id }),
  }),
  given({
    op: 'posts.comment',
    title: 'a comment as an agent of another account is forbidden',
    as: 'stranger',
    given: (stage) => posted(stage, openTo('public')),
    input: (facts) => ({ ...facts, author_id: facts.char_id, content }),
    refusal: 'forbidden',
  }),
  given({
    op: 'posts.comment',
    title: 'a key that acts as an agent comments as no other',
    as: 'scoped',
    given: async (stage) => {
      const facts = await posted(stage)
      await stage.scopeTo(facts.char_id)
      return { ...facts, author_id: await agent(stage, 'grace') }
    },
    input: (facts) => ({ ...facts, content }),
    refusal: 'forbidden',
  }),
  given({
    op: 'posts.comment',
    title: 'any other key says which agent comments',
    as: 'owner',
    given: posted,
    input: (facts) => ({ ...facts, content }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors?.[0]).toMatchObject({ pointer: '/author_id' }),
  }),
  given({
    op: 'posts.comment',
    title: 'an author that does not exist is not found',
    as: 'owner',
    given: posted,
    input: (facts) => ({ ...facts, author_id: nowhere, content }),
    refusal: 'character_not_found',
  }),
  given({
    op: 'posts.comment',
    title: 'a comment where the caller may not read is forbidden',
    as: 'stranger',
    given: async (stage) => ({ ...(await posted(stage)), author_id: await eve(stage) }),
    input: (facts) => ({ ...facts, content }),
    refusal: 'forbidden',
  }),
  ...['', 'x'.repeat(4001), 'a\u0000b'].map((text) =>
    given({
      op: 'posts.comment',
      title: `a text like ${JSON.stringify(text.slice(0, 9))} is refused`,
      as: 'owner',
      given: posted,
      input: (facts) => ({ ...facts, author_id: facts.char_id, content: text }),
      refusal: 'invalid_input',
    }),
  ),
  given({
    op: 'posts.comments',
    title: 'comments come oldest first, page by page',
    as: 'owner',
    given: async (stage) => {
      const facts = await posted(stage)
      const made: string[] = []
      for (const text of ['one', 'two', 'three']) {
        const sent = { ...facts, author_id: facts.char_id, content: text }
        made.push((await stage.ask('posts.comment', sent)).id)
      }
      return { ...facts, made }
    },
    input: ({ char_id, post_id }) => ({ char_id, post_id, limit: 2 }),
    answer: async (answer, { made, ...facts }, stage) => {
      expect(ids(answer)).toEqual(made.slice(0, 2))
      const rest = { ...facts, cursor: answer.next_cursor }
      expect(ids(await stage.ask('posts.comments', rest))).toEqual(made.slice(2))
    },
  }),
  given({
    op: 'posts.comments',
    title: 'a broken cursor is refused',
    as: 'owner',
    given: posted,
    input: (facts) => ({ ...facts, cursor: 'bm90LWEtY3Vyc29y' }),
    refusal: 'cursor_invalid',
  }),
]

const likes: Case[] = [
  given({
    op: 'posts.like',
    title: 'an account likes a post once, however often it says so',
    as: 'owner',
    given: async (stage) => {
      const facts = await posted(stage)
      await stage.ask('posts.like', facts)
      return facts
    },
    input: (facts) => facts,
    answer: async (answer, facts, stage) => {
      expect(answer).toEqual({ liked: true, like_count: 1 })
      const seen = { liked_by_me: true, like_count: 1 }
      expect(await stage.ask('posts.get', facts)).toMatchObject(seen)
    },
  }),
  given({
    op: 'posts.like',
    title: 'each account counts',
    as: 'stranger',
    given: async (stage) => {
      const facts = await posted(stage, openTo('public'))
      await stage.ask('posts.like', facts)
      return facts
    },
    input: (facts) => facts,
    answer: (answer) => expect(answer).toEqual({ liked: true, like_count: 2 }),
  }),
  given({
    op: 'posts.unlike',
    title: 'a like is taken back',
    as: 'owner',
    given: async (stage) => {
      const facts = await posted(stage, openTo('public'))
      await stage.ask('posts.like', facts)
      await stage.ask('posts.like', facts, 'stranger')
      return facts
    },
    input: (facts) => facts,
    answer: async (answer, facts, stage) => {
      expect(answer).toEqual({ liked: false, like_count: 1 })
      expect(await stage.ask('posts.unlike', facts)).toEqual(answer)
    },
  }),
  given({
    op: 'posts.unlike',
    title: 'where there is no like nothing changes',
    as: 'owner',
    given: posted,
    input: (facts) => facts,
    answer: (answer) => expect(answer).toEqual({ liked: false, like_count: 0 }),
  }),
]

const deletions: Case[] = [
  given({
    op: 'posts.delete',
    title: 'a post goes with its comments and likes, and no other does',
    as: 'owner',
    given: async (stage) => {
      const facts = await posted(stage)
      await stage.ask('posts.like', facts)
      await stage.ask('posts.comment', { ...facts, author_id: facts.char_id, content })
      return { ...facts, other: (await post(stage, facts.char_id)).id }
    },
    input: ({ char_id, post_id }) => ({ char_id, post_id }),
    answer: async (answer, { char_id, post_id, other }, stage) => {
      expect(answer).toEqual({ id: post_id, deleted: true })
      expect(ids(await stage.ask('posts.list', { char_id }))).toEqual([other])
      const { store } = stage.world.ports
      expect(await store.post_comments.count({ post_id })).toBe(0)
      expect(await store.post_likes.count({ post_id })).toBe(0)
    },
  }),
  given({
    op: 'posts.delete',
    title: 'a key that acts as the agent may',
    as: 'scoped',
    given: async (stage) => {
      const facts = await posted(stage)
      await stage.scopeTo(facts.char_id)
      return facts
    },
    input: (facts) => facts,
    answer: (answer, { post_id }) => expect(answer.id).toBe(post_id),
  }),
  given({
    op: 'posts.delete',
    title: 'an open feed is still only its own account’s to change',
    as: 'stranger',
    given: (stage) => posted(stage, openTo('public')),
    input: (facts) => facts,
    refusal: 'forbidden',
  }),
  given({
    op: 'posts.delete',
    title: 'an agent that does not exist is not found',
    as: 'owner',
    input: () => ({ char_id: nowhere, post_id: nowhere }),
    refusal: 'character_not_found',
  }),
]

export const feed: readonly Case[] = [
  ...posts,
  ...access,
  ...reads,
  ...comments,
  ...likes,
  ...deletions,
]
