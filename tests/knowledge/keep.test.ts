import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { purgeFiles } from '#src/agents/media/purge-orphans.ts'
import { chunksAtMost, itemsAtMost, type KnowledgeItem } from '#src/knowledge/item.ts'
import { stores } from '#tests/support/stores.ts'
import { openLibrary, type Library } from './library.ts'
import { settled } from './settled.ts'
import { auditBytes } from '#tests/support/suite/audit-bytes.ts'

const paragraph = (n: number): string => `Paragraph ${n} is about otters. ${'word '.repeat(180)}`
const long = (count: number): string =>
  Array.from({ length: count }, (_, n) => paragraph(n)).join('\n\n')

describe.each(stores())('the keeping of knowledge on $name', (kind) => {
  let library: Library
  beforeEach(async () => {
    library = await openLibrary(kind)
  })
  afterEach(() => library.close())

  it('counts what is stored, and gives it back', async () => {
    const { store, world, ask, add, bytes } = library
    const before = await bytes()
    const content = long(5)
    const { id, ...item } = await add(content)
    expect(item.bytes).toBe(content.length)
    expect(await bytes()).toBe(before + content.length + 1000)
    const [read] = await settled(world.ports, [id])
    const chunks = await store.knowledge_chunks.find({})
    const kept = chunks.reduce((sum, { text }) => sum + text.length, 0)
    expect(read).toMatchObject({ status: 'indexed', chunks: chunks.length, weight: kept + 1000 })
    expect(await bytes()).toBe(before + kept + 1000)
    expect(await store.knowledge_shelves.get('ada')).toMatchObject({
      items: 1,
      chunks: chunks.length,
      bytes: kept + 1000,
    })
    await ask('knowledge.delete', { item_id: id })
    expect(await bytes()).toBe(before)
    expect(await store.knowledge_shelves.get('ada')).toMatchObject({
      items: 0,
      chunks: 0,
      bytes: 0,
    })
  })

  it('leaves nothing of a deleted agent', async () => {
    const { store, files, world, key, ask, add, addRead, search, bytes, swept } = library
    const kept = async (): Promise<number> => (await bytes()) - (await auditBytes(store))
    const empty = await kept()
    await world.ask('characters.create', { character: { id: 'eve', name: 'Eve' } }, key)
    await world.ask('characters.delete', { char_id: 'eve' }, key)
    const before = await kept()
    await addRead(long(150))
    await add('Never read.')
    await world.ask('characters.delete', { char_id: 'ada' }, key)
    expect(await kept()).toBeLessThan(before)
    expect(await kept()).toBeLessThanOrEqual(empty)
    // A new agent with the id finds nothing, even before the sweep.
    await world.ask('characters.create', { character: { id: 'ada', name: 'Another' } }, key)
    expect(await search('otters')).toEqual([])
    expect((await ask<{ items: unknown[] }>('knowledge.list', {})).items).toEqual([])
    await addRead('Something new about otters.')
    await swept()
    expect(await store.knowledge_items.count({})).toBe(1)
    expect(await store.knowledge_chunks.count({})).toBe(1)
    expect(await store.knowledge_remains.count({})).toBe(0)
    expect(files.ids()).toEqual([])
    expect(await search('otters')).toHaveLength(1)
  })

  it('keeps no upload beyond its reading, whether it can be read or not', async () => {
    const { store, files, world, ask, add, bytes } = library
    const before = await bytes()
    const upload = { filename: 'a.bin', data: Buffer.from([0, 1, 2, 255, 254]).toString('base64') }
    const { items } = await ask<{ items: KnowledgeItem[] }>('knowledge.files.add', {
      files: [{ filename: 'a.txt', data: Buffer.from('Readable.').toString('base64') }, upload],
    })
    expect(files.ids()).toHaveLength(2)
    const read = await settled(
      world.ports,
      items.map(({ id }) => id),
    )
    expect(read.map(({ status }) => status).toSorted()).toEqual(['failed', 'indexed'])
    expect(files.ids()).toEqual([])
    const third = await add('Deleted before it is read.')
    await ask('knowledge.delete', { item_id: third.id })
    expect(files.ids()).toEqual([])
    expect(await bytes()).toBe(before + ((await store.knowledge_shelves.get('ada'))?.bytes ?? 0))
  })

  it('keeps no upload of a call that is refused', async () => {
    const { store, files, world, key, accountId, ask, add } = library
    await store.knowledge_shelves.insert({
      id: 'ada',
      shelf: 'shf_full',
      owner_id: accountId,
      items: itemsAtMost - 1,
      chunks: 0,
      bytes: 0,
      vectored: 0,
    })
    const one = { filename: 'a.txt', data: Buffer.from('One.').toString('base64') }
    const input = { char_id: 'ada', files: [one, one] }
    expect(await world.refusal('knowledge.files.add', input, key)).toMatchObject({
      code: 'quota_exceeded',
    })
    expect(files.ids()).toEqual([])
    expect(await store.knowledge_items.count({})).toBe(0)
    await add('The last one.')
    const url = 'https://handbook.invalid/'
    const refused = await world.refusal('knowledge.learn', { char_id: 'ada', url }, key)
    expect(refused).toMatchObject({ code: 'quota_exceeded' })
    const bulk = await ask<{ items: object[] }>('knowledge.learn_bulk', { urls: [url] })
    expect(bulk.items).toMatchObject([{ url, error: { code: 'quota_exceeded' } }])
  })

  it('sweeps uploads of which no item speaks, and no others', async () => {
    const { files, world, add } = library
    const { id } = await add('Waits for its turn.')
    await files.put('kno_orphan', Buffer.from('left behind'))
    const later = new Date(Date.now() + 7_200_000)
    await purgeFiles(world.ports, later)
    expect(files.ids()).toEqual([id])
  })

  it('has an end: an item that would make too many chunks is not indexed at all', async () => {
    const { store, addRead } = library
    const first = await addRead(long(3))
    const room = chunksAtMost - 2
    await store.knowledge_shelves.update({ id: 'ada' }, { $set: { chunks: room } })
    const refused = await addRead(long(12))
    expect(refused).toMatchObject({
      status: 'failed',
      error: { code: 'too_many_chunks' },
      chunks: 0,
    })
    expect(await store.knowledge_chunks.count({})).toBe(first?.chunks)
    expect(await addRead('A short one.')).toMatchObject({ status: 'indexed' })
  })

  it('stops at the quota of the account', async () => {
    const { world, add, search } = library
    const { id } = await add('A text about herons.')
    const { quotas } = world.ports
    const refusal = quotas.exceeded('stored_bytes', { claimed: false })
    const full = { ...world.ports, quotas: { ...quotas, admit: () => Promise.reject(refusal) } }
    const [item] = await settled(full, [id])
    expect(item).toMatchObject({ status: 'failed', error: { code: 'quota_exceeded' } })
    expect(await search('herons')).toEqual([])
  })

  it('notifies a waiting task that something was indexed', async () => {
    const { store, world, ask, add } = library
    const trigger = { type: 'event', config: { event: 'knowledge.indexed' } }
    const task = {
      task_id: 'greet',
      name: 'Greet',
      runtime: 'template',
      prompt: 'x',
      triggers: [trigger],
    }
    await ask('tasks.create', { task })
    const { id } = await add('News about otters.', 'News')
    await settled(world.ports, [id])
    const events = await store.events.find({})
    expect(events).toMatchObject([
      {
        type: 'knowledge.indexed',
        char_id: 'ada',
        data: { item_id: id, char_id: 'ada', title: 'News', chunks: 1 },
      },
    ])
  })
})
