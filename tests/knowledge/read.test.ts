import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { chunkId, type KnowledgeItem } from '#src/knowledge/item.ts'
import { draftWrite } from '#src/knowledge/purge.ts'
import type { Extractor } from '#src/ports/extractor.ts'
import type { Sender } from '#src/ports/sender.ts'
import { Unavailable } from '#src/ports/store.ts'
import { librarian } from '#src/work/knowledge.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { until } from '#tests/support/until.ts'
import { openLibrary, type Library } from './library.ts'
import { settled } from './settled.ts'

const paragraph = (n: number): string => `Paragraph ${n} is about otters. ${'word '.repeat(180)}`
const long = (count: number): string =>
  Array.from({ length: count }, (_, n) => paragraph(n)).join('\n\n')

describe.each(stores())('the reading of knowledge on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let library: Library
  beforeEach(async () => {
    library = await openLibrary(kind)
  })
  afterEach(() => library.close())

  it('shows nothing of what a crash has left half done, and reads it again', async () => {
    const { store, clock, world, add, search, swept } = library
    const { id } = await add(long(250))
    let commits = 0
    const breaking: OpenedStore = {
      ...store,
      commit: (writes) => {
        const isChunks = writes.some((write) => write.in === 'knowledge_chunks')
        if (isChunks && (commits += 1) > 2) return Promise.reject(new Unavailable('gone'))
        return store.commit(writes)
      },
      knowledge_remains: {
        ...store.knowledge_remains,
        update: () => Promise.reject(new Unavailable('gone')),
      },
    }
    const dying = librarian(library.anotherWorld({}, breaking).ports, () => undefined)
    await dying.tick()
    await until(() => commits > 2)
    await dying.stop()
    expect(await store.knowledge_chunks.count({})).toBeGreaterThan(0)
    expect(await search('otters')).toEqual([])
    await clock.advance(100_000)
    const [read] = await settled(world.ports, [id])
    expect(read).toMatchObject({ status: 'indexed' })
    expect((await search('otters')).length).toBeGreaterThan(0)
    await clock.advance(1_000_000)
    await swept()
    expect(await store.knowledge_chunks.count({})).toBe(read?.chunks)
  })

  it('finds what it knew behind unfinished pieces and those to be forgotten', async () => {
    const { store, clock, addRead, search } = library
    const { id, shelf } = await addRead('Otters sleep hand in hand.')
    for (const [edition, count] of [
      ['edn_y', 700],
      ['edn_z', 700],
    ] as const) {
      const name = `${shelf}/${edition}`
      await store.commit([draftWrite(name, clock.now())])
      const chunks = Array.from({ length: count }, (_, position) => ({
        id: chunkId(name, position),
        shelf,
        edition,
        item_id: 'kno_other',
        position,
        heading: null,
        place: null,
        text: 'Otters sleep.',
      }))
      for (let from = 0; from < count; from += 100) {
        const some = chunks.slice(from, from + 100)
        await store.commit(some.map((insert) => ({ in: 'knowledge_chunks', insert })))
      }
    }
    expect(await search('sleeping otters')).toMatchObject([{ item_id: id }])
    expect(await search('"otters sleep"')).toMatchObject([{ item_id: id }])
  })

  it('forgets an item that is deleted while it is read', async () => {
    const { store, files, world, ask, add, bytes } = library
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { extractor } = world.ports
    const slow: Extractor = {
      ...extractor,
      close: () => Promise.resolve(),
      extract: async (material) => {
        await held
        return extractor.extract(material)
      },
    }
    const before = await bytes()
    const { id } = await add(long(20))
    const reader = librarian(library.anotherWorld({ extractor: slow }).ports, () => undefined)
    await reader.tick()
    await until(async () => (await store.knowledge_items.get(id))?.status === 'fetching')
    await ask('knowledge.delete', { item_id: id })
    release()
    await until(async () => {
      await reader.tick()
      return (await store.knowledge_remains.count({})) === 0
    })
    await reader.stop()
    expect(await store.knowledge_chunks.count({})).toBe(0)
    expect(await bytes()).toBe(before)
    expect(files.ids()).toEqual([])
  })

  itOnEach(
    'reads for many accounts in turns, regardless of what one of them has sent',
    async () => {
      const { store, world, add } = library
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      const { extractor } = world.ports
      const begun: string[] = []
      const slow: Extractor = {
        close: () => Promise.resolve(),
        extract: async (material) => {
          const text = Buffer.from(material.bytes).toString()
          begun.push(text)
          if (text.startsWith('many')) await held
          return extractor.extract(material)
        },
      }
      for (let n = 0; n < 12; n++) await add(`many ${n}`)
      const other = await world.account()
      await world.ask('characters.create', { character: { id: 'eve', name: 'Eve' } }, other.key)
      const few = { char_id: 'eve', title: 'T', content: 'few' }
      const { id } = await world.ask<KnowledgeItem>('knowledge.texts.add', few, other.key)
      const reader = librarian(library.anotherWorld({ extractor: slow }).ports, () => undefined)
      await until(async () => {
        await reader.tick()
        return (await store.knowledge_items.get(id))?.status === 'indexed'
      })
      expect(begun.filter((text) => text.startsWith('many'))).toHaveLength(4)
      release()
      await until(async () => {
        await reader.tick()
        return (await store.knowledge_items.count({ status: 'indexed' })) === 13
      })
      await reader.stop()
    },
  )

  it('reads uploads and items of newcomers while addresses of others never answer', async () => {
    const asked: string[] = []
    const sender: Sender = {
      ...library.world.ports.sender,
      load: ({ url, signal }) => {
        asked.push(url)
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
      },
    }
    const { store, world } = library
    const learner = async (id: string, count: number): Promise<string> => {
      const { key } = await world.account()
      await world.ask('characters.create', { character: { id, name: 'Eve' } }, key)
      const urls = Array.from({ length: count }, (_, n) => `https://example.com/${id}/${n}`)
      if (count > 0) await world.ask('knowledge.learn_bulk', { char_id: id, urls }, key)
      return key
    }
    const reader = librarian(library.anotherWorld({ sender }).ports, () => undefined)
    await learner('slow-a', 10)
    await learner('slow-b', 10)
    await reader.tick()
    await until(() => asked.length === 6)
    await learner('late', 2)
    const { id } = await library.add('Otters sleep hand in hand.')
    await until(async () => {
      await reader.tick()
      return (await store.knowledge_items.get(id))?.status === 'indexed'
    })
    await until(() => asked.length === 7)
    expect(asked.filter((url) => url.includes('late'))).toHaveLength(1)
    expect(await store.knowledge_items.count({ status: 'fetching' })).toBe(7)
    await reader.stop()
  })

  it('hands back what it reads when the process is to stop', async () => {
    const { store, world, add } = library
    const never: Extractor = {
      close: () => Promise.resolve(),
      extract: () => new Promise(() => undefined),
    }
    const { id } = await add('Some text.')
    const reader = librarian(library.anotherWorld({ extractor: never }).ports, () => undefined)
    await reader.tick()
    await until(async () => (await store.knowledge_items.get(id))?.status === 'fetching')
    await reader.stop()
    expect(await store.knowledge_items.get(id)).toMatchObject({
      status: 'queued',
      attempts: 0,
      claim: null,
    })
    const [read] = await settled(world.ports, [id])
    expect(read?.status).toBe('indexed')
  })

  it('gives up an item that ends every worker', async () => {
    const { store, files, world, add } = library
    const { id } = await add('Poison.')
    for (let n = 0; n < 4; n++) {
      await store.knowledge_items.update({ id }, { $inc: { attempts: 1 } })
    }
    const [item] = await settled(world.ports, [id])
    expect(item).toMatchObject({ status: 'failed', error: { code: 'worker_lost' } })
    expect(files.ids()).toEqual([])
  })
})
