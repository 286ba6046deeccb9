import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boards } from '#src/commons/boards.ts'
import { isListed, nowhere, placeOf, tagged } from '#src/commons/places.ts'
import { sorts, type Sort } from '#src/commons/ranks.ts'
import type { Standing, StoredThread, ThreadState } from '#src/commons/thread.ts'
import { newThread } from '#src/commons/threads/write.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { memberOf } from '#tests/support/members.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

type Made = { thread: StoredThread; standing: Standing }

interface Query {
  sort: Sort
  board?: string
  tag?: string
  author?: string
  state?: string
}

/** The same numbers on every run. */
function numbers(): (below: number) => number {
  let state = 12345
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const states: readonly ThreadState[] = ['open', 'open', 'answered', 'closed', 'removed', 'held']

/** Threads of few values, so that many are equal by each of them. */
function generated(count: number, authors: readonly string[]): Made[] {
  const next = numbers()
  const oneOf = <T>(list: readonly T[]): T => list[next(list.length)] as T
  return Array.from({ length: count }, (_, i) => {
    const id = `thr_${`${i}`.padStart(6, '0')}`
    const day = new Date(Date.UTC(2026, 0, 1 + next(20)))
    const written = {
      title: `Thread ${i}`,
      body: `Body ${i}`,
      tags: ['x', 'y', 'z'].filter(() => next(3) === 0),
      board: oneOf(boards).id,
      sketch: '',
    }
    const caller = { kind: 'member', subject: 'x', level: 0, handle: oneOf(authors) } as const
    const noKey = { accountId: undefined, keyId: undefined, personId: undefined }
    const noIds = { charId: undefined, ...noKey, tokenId: undefined }
    const { thread, standing } = newThread(id, written, { ...caller, ...noIds }, day)
    const reply_count = next(3)
    const state = oneOf(states)
    const place = isListed(state) ? placeOf(thread, { state, reply_count }) : nowhere
    const last_activity_at = new Date(Date.UTC(2026, 1, 1 + next(10))).toISOString()
    const ranks = { score: next(5) - 2, hot: 37_000 + next(8) / 3, last_activity_at }
    return { thread, standing: { ...standing, state, reply_count, ...place, ...ranks } }
  })
}

async function keep(store: Store, made: readonly Made[]): Promise<void> {
  for (let i = 0; i < made.length; i += 100) {
    const writes = made
      .slice(i, i + 100)
      .flatMap(({ thread, standing }): Write[] => [
        { in: 'commons_threads', insert: thread },
        { in: 'commons_standings', insert: standing },
        ...(standing.listed === 1 ? tagged(thread) : []),
      ])
    await store.commit(writes)
  }
}

const rankOf: Record<Sort, (made: Made) => string | number> = {
  hot: ({ standing }) => standing.hot,
  new: () => 0,
  top: ({ standing }) => standing.score,
  active: ({ standing }) => standing.last_activity_at,
  unanswered: ({ thread }) => thread.created_at,
}

/** What a list holds, in the fewest words. */
function expected(all: readonly Made[], query: Query, viewer: string | undefined): string[] {
  const { sort, board, tag, author, state } = query
  const rank = rankOf[sort]
  return all
    .filter(({ thread, standing }) => {
      const isOwn = viewer !== undefined && author === viewer && thread.author.handle === viewer
      return isListed(standing.state) || (standing.state === 'held' && isOwn)
    })
    .filter(({ thread }) => board === undefined || thread.board === board)
    .filter(({ thread }) => tag === undefined || thread.tags.includes(tag))
    .filter(({ thread }) => author === undefined || thread.author.handle === author)
    .filter(({ standing }) => state === undefined || standing.state === state)
    .filter(({ standing: { state: is, reply_count } }) =>
      sort === 'unanswered' ? reply_count === 0 && is !== 'held' && is !== 'closed' : true,
    )
    .toSorted((a, b) => {
      const [x, y] = [rank(a), rank(b)]
      if (x !== y) return x < y ? 1 : -1
      return a.thread.id < b.thread.id ? 1 : -1
    })
    .map(({ thread }) => thread.id)
}

/** All pages of a list, by their sizes. */
async function pages(
  world: World,
  query: Query & { limit: number },
  token: string | undefined,
): Promise<{ id: string }[][]> {
  const read: { id: string }[][] = []
  let cursor: string | null | undefined
  do {
    const input = { ...query, ...(cursor && { cursor }) }
    const page = await world.ask<{ items: { id: string }[]; next_cursor: string | null }>(
      'commons.threads.list',
      input,
      token,
    )
    read.push(page.items)
    cursor = page.next_cursor
  } while (cursor)
  return read
}

const some = <T>(...values: T[]): (T | undefined)[] => [undefined, ...values]

describe.each(stores())('lists of threads on $name', (kind) => {
  let store: Store
  let world: World
  let me: { handle: string; token: string }
  let all: Made[]

  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
    me = await memberOf(world)
    all = generated(200, [me.handle, 'bob', 'eve'])
    await keep(store, all)
  })
  afterAll(() => store.close())

  it.each(sorts)(
    'by %s hold what they should, once each, under every filter',
    async (sort) => {
      for (const board of some('ask')) {
        for (const tag of some('x')) {
          for (const author of some(me.handle, 'bob')) {
            for (const state of some('open', 'answered', 'closed', 'held')) {
              for (const viewer of some(me)) {
                const query = {
                  sort,
                  ...(board && { board }),
                  ...(tag && { tag }),
                  ...(author && { author }),
                  ...(state && { state }),
                }
                const read = await pages(world, { ...query, limit: 23 }, viewer?.token)
                const ids = read.flat().map(({ id }) => id)
                expect(ids, JSON.stringify(query)).toEqual(expected(all, query, viewer?.handle))
              }
            }
          }
        }
      }
    },
    120_000,
  )

  it('are the same in pages of one', async () => {
    for (const query of [
      { sort: 'hot' },
      { sort: 'top', tag: 'y' },
      { sort: 'new', tag: 'y' },
    ] as const) {
      const read = await pages(world, { ...query, limit: 1 }, undefined)
      const wanted = expected(all, query, undefined)
      expect(read.map((page) => page.map(({ id }) => id))).toEqual(wanted.map((id) => [id]))
    }
  })

  it('show every thread as it is read alone', async () => {
    const { items } = await world.ask<{ items: { id: string }[] }>('commons.threads.list', {})
    expect(items).toHaveLength(20)
    for (const item of items) {
      expect(await world.ask('commons.threads.get', { thread_id: item.id })).toEqual(item)
    }
  })

  it('take no cursor of another list', async () => {
    const base = { sort: 'new', limit: 1 }
    const lists = [
      base,
      { ...base, sort: 'hot' },
      { ...base, board: 'ask' },
      { ...base, tag: 'x' },
      { ...base, author: 'bob' },
      { ...base, state: 'open' },
    ]
    for (const from of lists) {
      const { next_cursor: cursor } = await world.ask('commons.threads.list', from)
      for (const to of lists.filter((list) => list !== from)) {
        const refused = await world.refusal('commons.threads.list', { ...to, cursor })
        expect(refused.code, JSON.stringify([from, to])).toBe('cursor_invalid')
      }
    }
  })
})

describe.each(stores())('long lists of threads on $name', (kind) => {
  it('are looked through a thousand at a time, and come to their end', async () => {
    const store = await kind.open()
    try {
      const world = openWorld(store)
      const made = generated(1100, ['busy']).map(({ thread, standing }, i) => {
        const state = i < 3 ? 'closed' : 'open'
        const place = placeOf(thread, standing)
        return {
          thread: { ...thread, tags: [] },
          standing: { ...standing, ...place, state, score: 1100 - i } as const,
        }
      })
      await keep(store, made)
      const closed = { author: 'busy', state: 'closed' }
      const read = await pages(world, { ...closed, sort: 'new', limit: 10 }, undefined)
      expect(read.map((page) => page.length)).toEqual([0, 3])
      const top = await pages(world, { author: 'busy', sort: 'top', limit: 100 }, undefined)
      expect(top.flat()).toHaveLength(1000)
      expect(top[0]?.[0]?.id).toBe('thr_000100')
    } finally {
      await store.close()
    }
  })
})
