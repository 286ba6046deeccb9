import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { act } from '#src/commons/moderation/act.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { librarian, type Librarian } from '#src/work/knowledge.ts'
import { startEmbeddingServer, type EmbeddingServer } from '#tests/support/embedding-server.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { modelsOf } from '#tests/support/models.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { crowd, threadOf, type Member } from './crowd.ts'

interface Hit {
  thread_id: string
  title: string
  why: string[]
  relevance: number
}

describe.each(stores())('the Commons by its meaning on $name', (kind) => {
  let provider: EmbeddingServer
  let store: OpenedStore
  let clock: FakeClock
  let world: World
  let reader: Librarian
  let asker: Member
  let other: Member

  beforeEach(async () => {
    provider = await startEmbeddingServer()
    const opened = await kind.open()
    clock = fakeClock()
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    const models = modelsOf({
      embeddingModel: { provider: 'openai', model: 'meanings-1' },
      openai: { apiKey: 'sk-marker', baseUrl: provider.baseUrl },
    })
    world = openWorld(store, { clock, models })
    ;[asker, other] = (await crowd(world, store, 2)) as [Member, Member]
    reader = librarian(world.ports, () => undefined)
  })
  afterEach(async () => {
    await reader.stop()
    await store.close()
    provider.close()
  })

  const ships = { title: 'Ships', body: 'The ship left in the morning with all who had come.' }
  const cats = { title: 'Cats', body: 'A kitten sleeps on the stove, and no one wakes it up.' }
  /** Waits until so many texts have been embedded, and time has passed for what is known of them. */
  const embedded = async (count: number): Promise<void> => {
    await until(async () => {
      await reader.tick()
      return (await store.commons_vectors.count({})) === count
    })
    await clock.advance(6_000)
  }
  const search = async (q: string, more: object = {}, world_ = world): Promise<Hit[]> =>
    (await world_.ask<{ items: Hit[] }>('commons.search.query', { q, ...more })).items
  const titles = async (q: string, more: object = {}): Promise<string[]> =>
    (await search(q, more)).map(({ title }) => title)

  it('finds threads that mean the same in other words, and says why', async () => {
    await threadOf(world, asker, ships)
    await threadOf(world, other, { ...cats, board: 'howto' })
    await embedded(2)
    expect(await search('vessel')).toMatchObject([
      { title: 'Ships', relevance: 1, why: ['close in meaning', 'has no reply yet'] },
    ])
    expect(await titles('feline')).toEqual(['Cats'])
    expect(await titles('feline', { board: 'ask' })).toEqual([])
    expect(await titles('feline', { author: other.handle })).toEqual(['Cats'])
    const { items } = await world.ask<{ items: { thread: { title: string } }[] }>(
      'commons.consult.ask',
      { question: 'Where can I see a boat?' },
    )
    expect(items.map(({ thread }) => thread.title)).toEqual(['Ships'])
  })

  it('puts first what both the words and the meaning find, page by page', async () => {
    const harbour = (rest: string) => `Of the harbour it is told ${rest}.`
    await threadOf(world, asker, { title: 'Meaning', body: 'A vessel is a boat, they say here.' })
    await threadOf(world, other, { title: 'Both', body: harbour('that a ship lay there') })
    await threadOf(world, asker, { title: 'Words', body: harbour('that nothing lay there') })
    await embedded(3)
    const all = await titles('harbour ship')
    expect(all[0]).toBe('Both')
    expect(all.toSorted()).toEqual(['Both', 'Meaning'])
    const page = await world.ask<{ items: Hit[]; next_cursor: string }>('commons.search.query', {
      q: 'harbour ship',
      limit: 1,
    })
    expect(await titles('harbour ship', { limit: 1, cursor: page.next_cursor })).toEqual([
      'Meaning',
    ])
  })

  it('forgets what was edited, held or removed', async () => {
    const { id } = await threadOf(world, asker, ships)
    const { id: gone } = await threadOf(world, other, cats)
    await embedded(2)
    const body = 'The rain fell on the roof all day, and on the road as well.'
    await world.ask('commons.threads.edit', { thread_id: id, title: 'Rain', body }, asker.token)
    expect(await titles('vessel')).toEqual([])
    await act(store, { action: 'hold', target: gone, reason: 'No.', by: 'operator' }, new Date())
    expect(await titles('feline')).toEqual([])
    await until(async () => {
      await reader.tick()
      return (await store.commons_vectors.get(id))?.edits === 1
    })
    await embedded(1)
    expect(await titles('drizzle')).toEqual(['Rain'])
    await world.ask('commons.threads.delete', { thread_id: id }, asker.token)
    expect(await store.commons_vectors.count({})).toBe(0)
  })

  it('is embedded for each handle in turn, a step at a time', async () => {
    for (const name of ['One', 'Two', 'Three']) await threadOf(world, asker, { title: name })
    await threadOf(world, other, cats)
    await reader.tick()
    await until(() => provider.asked.length === 1)
    expect(provider.asked[0]).toHaveLength(2)
    expect(provider.asked[0]?.some((text) => text.startsWith('Cats'))).toBe(true)
    await embedded(4)
    expect(Math.max(...provider.asked.map((texts) => texts.length))).toBeLessThanOrEqual(2)
  })

  it('is left to words while the provider is away, or too much is asked', async () => {
    await threadOf(world, asker, ships)
    await embedded(1)
    provider.status = 503
    expect(await titles('vessel')).toEqual([])
    expect(await titles('ship')).toEqual(['Ships'])
    await clock.advance(31_000)
    provider.status = 200
    expect(await titles('vessel')).toEqual(['Ships'])
    const before = provider.asked.length
    for (let i = 0; i < 40; i += 1) await titles('vessel')
    expect(provider.asked.length - before).toBeLessThanOrEqual(30)
    expect(await titles('ship')).toEqual(['Ships'])
  })

  it('is not asked for without a model', async () => {
    await threadOf(world, asker, ships)
    await embedded(1)
    const plain = openWorld(store, { clock })
    const before = provider.asked.length
    expect(await search('vessel', {}, plain)).toEqual([])
    expect(await search('ship', {}, plain)).toMatchObject([
      { title: 'Ships', why: ['the word matches', 'has no reply yet'] },
    ])
    expect(provider.asked).toHaveLength(before)
  })
})
