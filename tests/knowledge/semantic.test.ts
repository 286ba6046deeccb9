import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '#src/ports/log.ts'
import { librarian, type Librarian } from '#src/work/knowledge.ts'
import { startEmbeddingServer, type EmbeddingServer } from '#tests/support/embedding-server.ts'
import { modelsOf } from '#tests/support/models.ts'
import { oneStore } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { silent } from '#tests/support/world.ts'
import { openLibrary, type Library } from './library.ts'
import { settled } from './settled.ts'

const model = 'openai/meanings-1'

describe.each(oneStore())('knowledge by its meaning on $name', (kind) => {
  let provider: EmbeddingServer
  let library: Library
  let reader: Librarian
  let warned: string[]

  const opened = (name: string, baseUrl: string) =>
    modelsOf({
      embeddingModel: { provider: 'openai', model: name },
      openai: { apiKey: 'sk-marker', baseUrl },
    })

  beforeEach(async () => {
    provider = await startEmbeddingServer()
    warned = []
    const log: Log = {
      ...silent,
      warn: (message, fields) => void warned.push(inspect({ message, fields }, { depth: 8 })),
    }
    library = await openLibrary(kind, { log, models: opened('meanings-1', provider.baseUrl) })
    reader = librarian(library.world.ports, () => undefined)
  })
  afterEach(async () => {
    await reader.stop()
    await library.close()
    provider.close()
  })

  const embedded = (by = model): Promise<void> =>
    until(async () => {
      await reader.tick()
      const items = await library.store.knowledge_items.find({})
      return items.length > 0 && items.every((item) => item.embedded === by)
    })
  const titles = async (q: string): Promise<string[]> =>
    (await library.search(q)).map(({ title }) => title)

  it('finds what means the same in other words', async () => {
    const { add } = library
    await add('The ship left in the morning.', 'Ships')
    await add('A kitten sleeps on the stove.', 'Cats')
    await embedded()
    expect((await titles('vessel'))[0]).toBe('Ships')
    expect((await titles('feline'))[0]).toBe('Cats')
  })

  it('puts first what both the words and the meaning find', async () => {
    const { add } = library
    await add('The vessel is a boat.', 'Meaning alone')
    await add('The harbour master wrote of a ship.', 'Both')
    await add('A harbour without anything.', 'Words alone')
    await embedded()
    expect((await titles('harbour ship'))[0]).toBe('Both')
  })

  it('is made of what each account has given in turn', async () => {
    provider.status = 503
    const { addRead, world, clock } = library
    for (let i = 0; i < 3; i += 1) await addRead(`Of the crowd ${i}.`)
    const { key } = await world.account()
    await world.ask('characters.create', { character: { id: 'calm', name: 'Calm' } }, key)
    const text = { char_id: 'calm', title: 'T', content: 'Of the calm.' }
    const { id } = await world.ask<{ id: string }>('knowledge.texts.add', text, key)
    await settled(world.ports, [id])
    await until(async () => {
      await reader.tick()
      return warned.length > 0
    })
    const asked = provider.asked.length
    provider.status = 200
    await clock.advance(60_000)
    await embedded()
    const order = provider.asked.slice(asked).map((one) => JSON.stringify(one))
    expect(order).toHaveLength(4)
    // The first of them was asked for before, in vain.
    expect(order.findIndex((one) => one.includes('calm'))).toBeLessThan(2)
  })

  it('is found by its words before it has vectors, and while the provider is away', async () => {
    provider.status = 503
    const { addRead, search, store, clock } = library
    const item = await addRead('The ship left in the morning.', 'Ships')
    expect(item).toMatchObject({ status: 'indexed', error: null, embedded: '' })
    await until(async () => {
      await reader.tick()
      return warned.length > 0
    })
    expect(await search('morning')).toHaveLength(1)
    const asked = provider.asked.length
    provider.status = 200
    await reader.tick()
    expect(provider.asked).toHaveLength(asked)
    await clock.advance(61_000)
    await embedded()
    expect(await store.knowledge_vectors.count({})).toBe(1)
    expect(await titles('vessel')).toEqual(['Ships'])
  })

  it('ranks by words alone where the query cannot be embedded, and does not ask again at once', async () => {
    const { add, clock } = library
    await add('The ship left in the morning.', 'Ships')
    await embedded()
    provider.status = 500
    expect(await titles('morning')).toEqual(['Ships'])
    expect(await titles('vessel')).toEqual([])
    const asked = provider.asked.length
    await titles('vessel')
    expect(provider.asked).toHaveLength(asked)
    provider.status = 200
    await clock.advance(31_000)
    expect(await titles('vessel')).toEqual(['Ships'])
  })

  it('does without vectors of texts that the provider refuses', async () => {
    provider.status = 400
    const { add, store } = library
    await add('The ship left in the morning.', 'Ships')
    await embedded()
    expect(await store.knowledge_vectors.count({})).toBe(0)
    expect(await titles('morning')).toEqual(['Ships'])
  })

  it.each([400, 401, 500])('logs no word of a provider that answers with %i', async (status) => {
    const { add } = library
    await add('The ship left in the morning.', 'Ships')
    await embedded()
    provider.status = status
    provider.words = 'Incorrect API key provided: sk-marker, for: the text that was sent.'
    await titles('vessel')
    await add('A kitten sleeps on the stove.', 'Cats')
    await until(async () => {
      await reader.tick()
      return warned.length === 2
    })
    expect(warned.join()).toContain('could not be embedded')
    expect(warned.join()).not.toContain('sk-marker')
    expect(warned.join()).not.toContain('the text that was sent')
  })

  it('shows nothing of what was deleted or replaced, and keeps no vectors of it', async () => {
    const { add, ask, store, swept } = library
    const { id } = await add('The ship left in the morning.', 'Ships')
    await embedded()
    expect(await titles('vessel')).toEqual(['Ships'])
    await ask('knowledge.delete', { item_id: id })
    expect(await titles('vessel')).toEqual([])
    await swept()
    expect(await store.knowledge_vectors.count({})).toBe(0)
  })

  it('makes new vectors for another model, and compares only those of the same model', async () => {
    const { add, store, anotherWorld, key } = library
    await add('The ship left in the morning.', 'Ships')
    await embedded()
    await reader.stop()
    const other = anotherWorld({ models: opened('meanings-2', provider.baseUrl) })
    const search = async (): Promise<unknown[]> =>
      (
        await other.ask<{ items: unknown[] }>(
          'knowledge.search',
          { char_id: 'ada', q: 'vessel' },
          key,
        )
      ).items
    expect(await search()).toEqual([])
    reader = librarian(other.ports, () => undefined)
    await embedded('openai/meanings-2')
    expect(await store.knowledge_vectors.count({})).toBe(1)
    await library.clock.advance(11_000)
    expect(await search()).toHaveLength(1)
    await other.ports.extractor.close()
  })

  it('keeps vectors of many pieces together', async () => {
    const { add, store } = library
    const pieces = Array.from({ length: 150 }, (_, n) => `Piece ${n}. ${'word '.repeat(180)}`)
    pieces[140] = `A lone boat. ${'word '.repeat(20)}`
    const { id } = await add(pieces.join('\n\n'), 'Many')
    await embedded()
    const { chunks } = await library.item(id)
    expect(chunks).toBeGreaterThan(100)
    expect(await store.knowledge_vectors.count({})).toBe(Math.ceil(chunks / 64))
    const [first] = await library.search('vessel', 1)
    expect(first?.text).toContain('lone boat')
  })
})
