import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { itemsAtMost, type StoredItem } from '#src/knowledge/item.ts'
import { listedAtMost, listPages } from '#src/knowledge/listed.ts'
import { stores } from '#tests/support/stores.ts'
import { openLibrary, type Library } from './library.ts'

const host = 'https://harbour.invalid'
const links = (count: number, prefix = 'page'): string[] =>
  Array.from({ length: count }, (_, n) => `${host}/${prefix}/${n}`)

describe.each(stores())('the pages of a sitemap on $name', (kind) => {
  let library: Library
  let source: StoredItem
  beforeEach(async () => {
    library = await openLibrary(kind)
    const sent = { url: `${host}/sitemap.xml`, type: 'sitemap' }
    const { id } = await library.ask('knowledge.sources.add', sent)
    // Claimed, as by a worker that reads it.
    await library.store.knowledge_items.update({ id }, { $set: { claim: 'wrk_1' } })
    source = await library.item(id)
  })
  afterEach(() => library.close())

  const list = (some: string[], item = source): Promise<boolean> =>
    listPages(library.world.ports, item, some, null)
  const listed = (): Promise<number> =>
    library.store.knowledge_items.count({ source_id: source.id })

  it('are so many and no more, at any time', async () => {
    expect(await list(links(listedAtMost + 50))).toBe(true)
    expect(await listed()).toBe(listedAtMost)
    expect(await list(links(10, 'new'))).toBe(true)
    expect(await listed()).toBe(listedAtMost)
    const shelf = await library.store.knowledge_shelves.get('ada')
    expect(shelf).toMatchObject({ items: listedAtMost + 1, bytes: (listedAtMost + 1) * 1000 })
  })

  it('are as many as the agent has room for', async () => {
    await library.store.knowledge_shelves.update(
      { id: 'ada' },
      { $set: { items: itemsAtMost - 3 } },
    )
    expect(await list(links(10))).toBe(true)
    expect(await listed()).toBe(3)
  })

  it('are none of other hosts, and none that may not be called', async () => {
    const others = [
      'https://elsewhere.invalid/a',
      'http://harbour.invalid:81/',
      'ftp://harbour.invalid/',
    ]
    expect(await list([...others, 'no address', `${host}/one#a`, `${host}/one#b`])).toBe(true)
    const items = await library.store.knowledge_items.find({ source_id: source.id })
    expect(items.map(({ url }) => url)).toEqual([`${host}/one`])
  })

  it('do not go with it once they are followed for themselves', async () => {
    await list(links(2))
    const [url = ''] = links(1)
    const own = await library.ask('knowledge.sources.add', { url })
    expect(own).toMatchObject({ kind: 'source', source_id: null })
    expect(await listed()).toBe(1)
    await library.ask('knowledge.delete', { item_id: source.id })
    expect((await library.store.knowledge_items.find({})).map(({ id }) => id)).toEqual([own.id])
    const shelf = await library.store.knowledge_shelves.get('ada')
    expect(shelf).toMatchObject({ items: 1, bytes: 1000 })
  })

  it('are not made for a reader that has lost the sitemap', async () => {
    expect(await list(links(3), { ...source, claim: 'wrk_2' })).toBe(false)
    expect(await listed()).toBe(0)
  })
})
