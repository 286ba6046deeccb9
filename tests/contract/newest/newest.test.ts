import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StoredPost } from '#src/feed/post.ts'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'

const authors = ['ada', 'alan', 'eve', 'grace', 'joan', 'kay', 'Ämil', 'x"y']
const postId = (n: number): string => `post_${String(n).padStart(4, '0')}`

function post(n: number, author: string): StoredPost {
  return {
    id: postId(n),
    char_id: author,
    content: `the post ${n}`,
    image_url: null,
    source: 'manual',
    run_id: null,
    like_count: n,
    comment_count: 0,
    created_at: '2026-03-01T12:00:00.000Z',
    owner_id: 'acc_1',
    born: '2026-03-01T12:00:00.000Z',
  }
}

const anyPosts = fc.array(fc.constantFrom(...authors), { maxLength: 80 })
const anyRead = fc.record({
  among: fc.array(fc.constantFrom(...authors, 'missing'), { maxLength: 10 }),
  limit: fc.integer({ min: 1, max: 12 }),
  before: fc.option(fc.integer({ min: -1, max: 81 }), { nil: undefined }),
})

describe.each(stores())('the newest of many ($name)', (kind) => {
  let store: Store
  beforeAll(async () => {
    store = await kind.open()
  })
  beforeEach(() => store.posts.delete({}))
  afterAll(() => store.close())

  const keep = (posts: readonly StoredPost[]): Promise<void> =>
    store.commit(posts.map((insert) => ({ in: 'posts', insert }) as const))
  const read = (among: readonly string[], limit: number, before?: string) =>
    store.posts.pick(
      ['id', 'char_id'],
      { char_id: { $in: among }, ...(before !== undefined && { id: { $lt: before } }) },
      { sort: { id: -1 }, limit },
    )

  it('are those that a sort of all of them gives first', async () => {
    const property = fc.asyncProperty(
      anyPosts,
      fc.array(anyRead, { minLength: 1, maxLength: 8 }),
      async (sent, reads) => {
        await store.posts.delete({})
        const posts = sent.map((author, n) => post(n, author))
        await keep(posts)
        for (const { among, limit, before } of reads) {
          const older = before === undefined ? undefined : postId(Math.max(0, before))
          const wanted = posts
            .filter(({ id, char_id }) => among.includes(char_id) && (!older || id < older))
            .toReversed()
            .slice(0, limit)
          const found = await read(among, limit, older)
          expect(found).toEqual(wanted.map(({ id, char_id }) => [id, char_id]))
        }
      },
    )
    await fc.assert(property, { numRuns: kind.name === 'sqlite' ? 200 : 20 })
  })

  it('are found behind any number of others', async () => {
    const rare = [post(0, 'ada'), post(1, 'eve'), post(2, 'ada'), post(900, 'eve')]
    await keep([...rare, ...Array.from({ length: 800 }, (_, i) => post(i + 10, 'grace'))])
    const ids = async (among: string[], limit: number, before?: string) =>
      (await read(among, limit, before)).map(([id]) => id)
    expect(await ids(['ada', 'eve', 'missing'], 3)).toEqual([postId(900), postId(2), postId(1)])
    expect(await ids(['ada', 'eve'], 9, postId(2))).toEqual([postId(1), postId(0)])
    expect(await ids(['ada'], 1)).toEqual([postId(2)])
    expect(await ids(['missing', 'kay'], 5)).toEqual([])
    expect(await ids(['grace', 'ada'], 2, postId(12))).toEqual([postId(11), postId(10)])
    expect(await ids(['\ud800', 'ada'], 1)).toEqual([postId(2)])
  })

  it('come as whole documents and as texts too', async () => {
    const posts = [post(1, 'ada'), post(2, 'eve'), post(3, 'kay')]
    await keep(posts)
    const among = { char_id: { $in: ['ada', 'eve'] } }
    const page = { sort: { id: -1 }, limit: 5 } as const
    expect(await store.posts.find(among, page)).toEqual([posts[1], posts[0]])
    const rows = await store.posts.text(among, page)
    expect(rows.map(({ id }) => id)).toEqual([postId(2), postId(1)])
    expect(JSON.parse(rows[0]?.text ?? '')).toEqual({
      ...posts[1],
      owner_id: undefined,
      born: undefined,
    })
  })

  it('are sorted like other lists where something else is asked for too', async () => {
    await keep([post(1, 'ada'), post(2, 'eve'), post(3, 'ada')])
    const among = { char_id: { $in: ['ada', 'eve'] }, like_count: { $lt: 3 } }
    const found = await store.posts.find(among, { sort: { id: -1 }, limit: 5 })
    expect(found.map(({ id }) => id)).toEqual([postId(2), postId(1)])
    const up = { char_id: { $in: ['ada', 'eve'] } }
    const oldest = await store.posts.find(up, { sort: { id: 1 }, limit: 2 })
    expect(oldest.map(({ id }) => id)).toEqual([postId(1), postId(2)])
  })
})

describe.each(stores())('what is picked ($name)', (kind) => {
  let store: Store
  beforeAll(async () => {
    store = await kind.open()
  })
  afterAll(() => store.close())

  it('is what stands at the paths, in their order, hidden or not', async () => {
    await store.posts.insert(post(1, 'ada'))
    await store.posts.insert(post(2, 'eve'))
    const paths = ['like_count', 'id', 'born', 'image_url', 'run_id.x', 'content'] as const
    expect(await store.posts.pick(paths, { char_id: 'eve' })).toEqual([
      [2, postId(2), '2026-03-01T12:00:00.000Z', null, null, 'the post 2'],
    ])
    const last = await store.posts.pick(['char_id'], {}, { sort: { id: -1 }, limit: 1 })
    expect(last).toEqual([['eve']])
    expect(await store.posts.pick(['id'], { char_id: 'missing' })).toEqual([])
  })

  it('is a number of a truth value, and null where nothing stands', async () => {
    const at = '2026-03-01T12:00:00.000Z'
    await store.notices.insert({
      id: 'ntc_1',
      owner_id: 'acc_1',
      type: 'x',
      read: true,
      created_at: at,
      data: { a: 1 },
    } as never)
    const paths = ['read', 'data.a', 'type.b', 'owner_id'] as never[]
    expect(await store.notices.pick(paths, {})).toEqual([[1, 1, null, 'acc_1']])
  })
})
