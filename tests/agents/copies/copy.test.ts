import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batchesOf, collectionIn, names } from '#adapters/commands/copy/batches.ts'
import { copyStore, NotCopied, type Side } from '#adapters/commands/copy/copy.ts'
import { beginCopy } from '#adapters/commands/copy/record.ts'
import { folderFiles } from '#adapters/files/folder.ts'
import { copyId } from '#adapters/compose/master-key.ts'
import { openStore } from '#adapters/store/open.ts'
import { Unavailable } from '#src/ports/store.ts'
import { isLong } from '#tests/support/long-tests.ts'
import { stores, type Place, type StoreKind } from '#tests/support/stores.ts'

type Name = (typeof names)[number]

const kinds = stores()
const crossings = kinds.flatMap((from) => kinds.map((to) => ({ from, to })))
/** From and to each store; between two of the slower ones in the long form alone. */
const ways = crossings.filter(({ from, to }) => isLong || [from, to].includes(kinds[0] ?? never()))
const named = ways.map(({ from, to }) => ({ from, to, way: `${from.name} to ${to.name}` }))

/** What JSON may hold that a store could have trouble with. */
const odd = {
  text: 'ä\u0000\ud800 "\'',
  list: [null, true, 1.5, { deep: [[]] }],
  members: { '$set.a': 1, '~x': 2, _id: 3, 'a.b': { '': null } },
}

let places: Place[]
let source: Side
let target: Side
const said: string[] = []
const terms = {
  check: 'c',
  keep: async () => undefined,
  say: (line: string) => void said.push(line),
}

afterEach(async () => {
  for (const { store, files } of [source, target]) {
    await files.close()
    await store.close()
  }
  for (const place of places) await place.remove()
})

/** Two stores, the first with documents in these collections, and files. */
async function opened(from: StoreKind, to: StoreKind, stocked: readonly Name[]): Promise<void> {
  said.length = 0
  places = [await from.place(), await to.place()]
  const sides = await Promise.all(places.map(sideOf))
  source = sides[0] ?? never()
  target = sides[1] ?? never()
  await source.store.meta.insert({ id: 'master_key', value: 'c' })
  const kept = stocked.flatMap((name) => {
    const many = name === 'runs' ? 203 : 2
    return Array.from({ length: many }, (_, n) => put(source, name, `doc_${n}`))
  })
  const files = Array.from({ length: 103 }, (_, n) =>
    source.files.put(`file_${n}`, Buffer.from(`bytes ${n}`)),
  )
  await Promise.all([...kept, ...files])
}

describe.each(named)('a copy from $way', ({ from, to }) => {
  it('has every document and every file', async () => {
    await opened(from, to, names)
    await copyStore(source, target, terms)
    for (const name of names) {
      expect([name, await all(target, name)]).toEqual([name, await all(source, name)])
    }
    for (let n = 0; n < 103; n += 1) {
      expect(Buffer.from((await target.files.read(`file_${n}`)) ?? [])).toEqual(
        Buffer.from(`bytes ${n}`),
      )
    }
    const documents = 2 * names.length + 201
    expect(said).toEqual([`Copied ${documents} documents and 103 files.`])
  })
})

describe.each(kinds)('a copy into $name', (to) => {
  beforeEach(() => opened(kinds[0] ?? never(), to, ['posts', 'runs', 'meta']))

  it('goes into an empty place only', async () => {
    await put(target, 'posts', 'one')
    await expect(copyStore(source, target, terms)).rejects.toThrow('is not empty: posts holds 1')
    await target.store.posts.delete({})
    await target.files.put('one', Buffer.from('1'))
    await expect(copyStore(source, target, terms)).rejects.toThrow('there are files')
    expect(await target.store.meta.count({})).toBe(0)
  })

  it('that was broken off starts again, and cannot be a source meanwhile', async () => {
    const fails = async (): Promise<never> => Promise.reject(new Error('the lights went out'))
    const broken = { ...source, files: { ...source.files, keptBefore: fails } }
    await expect(copyStore(broken, target, terms)).rejects.toThrow('the lights went out')
    expect(await target.store.meta.get(copyId)).toBeDefined()
    expect(await target.store.meta.get('master_key')).toBeUndefined()
    await expect(copyStore(target, source, terms)).rejects.toThrow(NotCopied)
    await source.store.posts.delete({ id: 'doc_0' })
    await copyStore(source, target, terms)
    expect(await all(target, 'posts')).toEqual(await all(source, 'posts'))
    expect(await target.store.meta.get(copyId)).toBeUndefined()
  })

  it('has what was left removed bit by bit, as often as the store is away', async () => {
    for (let n = 0; n < 150; n += 1) await put(target, 'posts', `left_${n}`)
    await beginCopy(target.store)
    const removed: number[] = []
    let isAway = true
    const remove: Side['store']['posts']['delete'] = async (filter) => {
      if (isAway) {
        isAway = false
        throw new Unavailable('away')
      }
      const count = await target.store.posts.delete(filter)
      removed.push(count)
      return count
    }
    const posts = { ...target.store.posts, delete: remove }
    await copyStore(source, { ...target, store: { ...target.store, posts } }, terms)
    expect(removed).toEqual([100, 50])
    expect(await all(target, 'posts')).toEqual(await all(source, 'posts'))
  })

  it('tries again what the store was away for, and writes nothing twice', async () => {
    let n = 0
    const commit: Side['store']['commit'] = async (writes) => {
      n += 1
      if (n === 1) throw new Unavailable('away')
      await target.store.commit(writes)
      if (n === 3) throw new Unavailable('away', { outcomeUnknown: true })
    }
    await copyStore(source, { ...target, store: { ...target.store, commit } }, terms)
    expect(await all(target, 'runs')).toEqual(await all(source, 'runs'))
  })

  it('says so when the source is written to meanwhile', async () => {
    const find: typeof source.store.posts.find = async (filter, options) => {
      const found = await source.store.posts.find(filter, options)
      await put(source, 'posts', `late_${found.length}`)
      return found
    }
    const posts = { ...source.store.posts, find }
    const moving = { ...source, store: { ...source.store, posts } }
    await expect(copyStore(moving, target, terms)).rejects.toThrow(
      'posts: 3 documents there, 2 read',
    )
    expect(await target.store.meta.get('master_key')).toBeUndefined()
  })
})

describe('a batch', () => {
  it('holds no more text than a commit should', async () => {
    const [kind] = kinds
    const store = await (kind ?? never()).open()
    const large = 'x'.repeat(1_500_000)
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      await collectionIn(store, 'memory').insert({ id, value: large } as { id: string })
    }
    const sizes: number[] = []
    for await (const batch of batchesOf(collectionIn(store, 'memory'))) sizes.push(batch.length)
    expect(sizes).toEqual([2, 2, 1])
    await store.close()
  })
})

async function sideOf({ uri, folder }: Place): Promise<Side> {
  const store = await openStore({ uri, folder })
  return { store, files: store.files ?? folderFiles(join(folder, 'files')) }
}

async function put(side: Side, name: Name, id: string): Promise<void> {
  // Of no document more is known here than that it has an id.
  await collectionIn(side.store, name).insert({ id, ...odd })
}

function all({ store }: Side, name: Name): Promise<object[]> {
  return collectionIn(store, name).find({}, { sort: { id: 1 } })
}

function never(): never {
  throw new Error('there is always one')
}
