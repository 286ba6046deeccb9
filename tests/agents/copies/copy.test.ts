import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batchesOf, collectionIn, names } from '#adapters/commands/copy/batches.ts'
import { copyStore } from '#adapters/commands/copy/copy.ts'
import { NotCopied, type Side } from '#adapters/commands/copy/side.ts'
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
  from: 'there',
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

  /** Ends as if the process was killed, once so many commits and files were written. */
  async function brokenOff(commits: number, files: number): Promise<void> {
    const left = { commits, files }
    const mustLive = (kind: 'commits' | 'files'): void => {
      if (left[kind] === 0) throw new Error('the lights went out')
      left[kind] -= 1
    }
    const commit: Side['store']['commit'] = async (writes) => {
      mustLive('commits')
      await target.store.commit(writes)
    }
    const putFile: Side['files']['put'] = async (id, bytes) => {
      mustLive('files')
      await target.files.put(id, bytes)
    }
    const dying = {
      store: { ...target.store, commit },
      files: {
        put: putFile,
        read: (...sent: Parameters<Side['files']['read']>) => target.files.read(...sent),
        delete: (ids: readonly string[]) => target.files.delete(ids),
        keptBefore: (...sent: Parameters<Side['files']['keptBefore']>) =>
          target.files.keptBefore(...sent),
        close: () => target.files.close(),
      },
    }
    await expect(copyStore(source, dying, terms)).rejects.toThrow('the lights went out')
  }

  it('goes on where it was broken off, as often as it is, and ends the same', async () => {
    await brokenOff(2, 0)
    expect(await target.store.meta.get('master_key')).toBeUndefined()
    await expect(copyStore(target, source, terms)).rejects.toThrow(NotCopied)
    await brokenOff(100, 60)
    said.length = 0
    await copyStore(source, target, terms)
    const documents = 2 + 203 + 2
    expect(said).toEqual([
      'Going on with the copy that was broken off.',
      `Copied 0 documents and 43 files; ${documents} and 60 were there.`,
    ])
    for (const name of ['posts', 'runs'] as const) {
      expect(await all(target, name)).toEqual(await all(source, name))
    }
    expect(await target.store.meta.get(copyId)).toBeUndefined()
  })

  it('takes over what has changed since it was broken off', async () => {
    await brokenOff(100, 60)
    await source.store.posts.delete({ id: 'doc_0' })
    await collectionIn(source.store, 'runs').update(
      { id: 'doc_1' },
      { $set: { id: 'doc_1', n: 7 } as object },
    )
    await put(source, 'runs', 'doc_new')
    await source.files.delete(['file_0'])
    await copyStore(source, target, terms)
    for (const name of ['posts', 'runs', 'meta'] as const) {
      expect(await all(target, name)).toEqual(await all(source, name))
    }
    expect(said.at(-1)).toMatch(/^Copied 2 documents and 4[23] files; 205 and /)
    expect(await target.files.read('file_0')).toBeUndefined()
  })

  it('takes over a name that another document has now', async () => {
    const account = { id: 'acc', kind: 'agent', plan: 'free', name: null, created_at: '' }
    await source.store.accounts.insert({ ...account, kind: 'agent', holder_id: null })
    const key = (id: string, hash: string) =>
      ({ id, hash, account_id: 'acc', scope_char_id: null, revoked_at: null }) as never
    await source.store.api_keys.insert(key('key_a', 'one'))
    await source.store.api_keys.insert(key('key_b', 'two'))
    await brokenOff(100, 0)
    await source.store.api_keys.delete({})
    await source.store.api_keys.insert(key('key_a', 'two'))
    await source.store.api_keys.insert(key('key_b', 'one'))
    await copyStore(source, target, terms)
    expect(await all(target, 'api_keys')).toEqual(await all(source, 'api_keys'))
  })

  it('is given up where another call goes on with it, which ends it', async () => {
    let n = 0
    const commit: Side['store']['commit'] = async (writes) => {
      n += 1
      if (n === 2) await copyStore(source, target, terms)
      await target.store.commit(writes)
    }
    const first = copyStore(source, { ...target, store: { ...target.store, commit } }, terms)
    await expect(first).rejects.toThrow(NotCopied)
    expect(await target.store.meta.get('master_key')).toBeDefined()
    expect(await all(target, 'runs')).toEqual(await all(source, 'runs'))
  })

  it('is begun by one of two calls at once, or taken over: the other says so', async () => {
    const calls = [copyStore(source, target, terms), copyStore(source, target, terms)]
    const ends = await Promise.allSettled(calls)
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(failures).toEqual([expect.any(NotCopied)])
    expect(await all(target, 'runs')).toEqual(await all(source, 'runs'))
  })

  it('does not go on with that of another store', async () => {
    await brokenOff(2, 0)
    const elsewhere = copyStore(source, target, { ...terms, from: 'elsewhere' })
    await expect(elsewhere).rejects.toThrow('A copy of there was broken off there')
    const other = copyStore(source, target, { ...terms, check: 'other' })
    await expect(other).rejects.toThrow('A copy of another store was broken off there')
    expect(await target.store.meta.get(copyId)).toBeDefined()
  })

  it('has what was left removed bit by bit, as often as the store is away', async () => {
    for (let n = 0; n < 150; n += 1) await put(target, 'posts', `left_${n}`)
    // As a version noted it that could not go on.
    await target.store.meta.insert({ id: copyId, value: '2026-01-01T00:00:00.000Z' })
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
