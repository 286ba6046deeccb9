import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fillMemoryWords } from '#src/agents/memory/backfill.ts'
import { memoryKey, publicEntry, type StoredMemoryEntry } from '#src/agents/memory/entry.ts'
import { memoryPut, type MemoryPlace, type MemoryPut } from '#src/agents/memory/put.ts'
import { memoryBytes } from '#src/agents/memory/shelf.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { Unavailable, type Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'

const updated_at = '2026-11-23T00:00:00.000Z'
const now = new Date(updated_at)

describe.each(stores())('the memory of an agent on $name', (kind) => {
  let store: Store
  let ownerId: string
  beforeEach(async () => {
    store = await kind.open()
    const world = openWorld(store)
    const account = await world.account()
    ownerId = account.id
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, account.key)
  })
  afterEach(() => store.close())

  const entry = (key: string, more: Partial<StoredMemoryEntry> = {}): StoredMemoryEntry => ({
    id: memoryKey('ada', 'notes', key),
    char_id: 'ada',
    owner_id: ownerId,
    namespace: 'notes',
    key,
    revision: 1,
    value: key,
    updated_at,
    ...more,
  })
  const keep = async (entries: readonly StoredMemoryEntry[]): Promise<void> => {
    // A transaction of MongoDB has to end in time.
    for (let i = 0; i < entries.length; i += 200) {
      await store.commit(entries.slice(i, i + 200).map((insert) => ({ in: 'memory', insert })))
    }
  }
  const place = (key: string): MemoryPlace => ({
    charId: 'ada',
    ownerId,
    namespace: 'notes',
    key,
  })
  const values = async (): Promise<unknown[]> =>
    (await store.memory.find({}, { sort: { id: 1 } })).map(({ value }) => value)

  const put = async (key: string, value: unknown): Promise<MemoryPut> => {
    const made = await memoryPut(store, place(key), value, now)
    if (!made) throw new Error('the agent is there')
    await store.commit(made.writes)
    return made
  }

  it('of a store of before is found by its words once they are filled in', async () => {
    const long = `${'x '.repeat(20_000)} unsearched`
    await keep([entry('a', { value: { likes: ['tides'] } }), entry('b', { value: long })])
    const found = async (...words: string[]): Promise<string[]> => {
      const query = { words, phrases: [], mode: 'any' } as const
      return (await store.search('memory', query, { limit: 9 })).map(({ id }) => id)
    }
    expect(await found('tides')).toEqual([])
    await fillMemoryWords(store, now)
    expect(await found('tides')).toEqual(['ada/notes/a'])
    expect(await found('unsearched')).toEqual([])
    await keep([entry('c', { value: 'tides' })])
    await fillMemoryWords(store, now)
    expect(await found('tides')).toEqual(['ada/notes/a'])
    expect(await values()).toEqual([{ likes: ['tides'] }, long, 'tides'])
  })

  it('changes no entry but the one that is put', async () => {
    await keep(['a', 'b', 'c'].map((key) => entry(key)))
    await put('b', 'new')
    expect(await values()).toEqual(['a', 'new', 'c'])
  })

  it('takes the place of what the id held at another account', async () => {
    await keep([entry('a', { owner_id: 'acc_2', revision: 3 })])
    expect((await put('a', 'mine')).previous).toBe(undefined)
    const mine = { revision: 4, value: 'mine', words: 'mine' }
    expect(await store.memory.find({})).toEqual([entry('a', mine)])
  })

  it('counts every entry, with more than a page of them and others that sort before', async () => {
    const own = Array.from({ length: 1203 }, (_, i) => entry(`k${(i * 701) % 1203}`))
    const others = ['ad', 'ada-2', 'adb'].map((char_id) =>
      entry('k', { id: memoryKey(char_id, 'notes', 'k'), char_id }),
    )
    await keep([...own, ...others])
    const all = sizeOf(...own.map((one) => publicEntry(one)))
    await keep([entry('theirs', { owner_id: 'acc_2' })])
    expect(await memoryBytes(store, { charId: 'ada', ownerId })).toBe(all)
    // Of what was remembered before there were shelves the first put makes one.
    await put('k0', 'longer than before')
    const shelf = await store.memory_shelves.get('ada')
    expect(shelf?.bytes).toBe(await memoryBytes(store, { charId: 'ada', ownerId }))
  })

  /** A put during which something else happens between reading the shelf and the commit. */
  const putDuring = (between: () => Promise<unknown>) => {
    let isFirst = true
    const racing: Store = {
      ...store,
      async commit(writes) {
        if (isFirst) await between()
        isFirst = false
        return store.commit(writes)
      },
    }
    return memoryPut(racing, place('a'), 'mine', now)
  }
  const isCounted = async (): Promise<void> => {
    const shelf = await store.memory_shelves.get('ada')
    expect(shelf).toMatchObject({
      owner_id: ownerId,
      bytes: await memoryBytes(store, { charId: 'ada', ownerId }),
    })
  }

  it('lies on one shelf, also where another put makes it first', async () => {
    const made = await putDuring(() => put('b', 'theirs'))
    await store.commit(made?.writes ?? [])
    expect(await values()).toEqual(['mine', 'theirs'])
    await isCounted()
  })

  it('lies on no shelf of an account before', async () => {
    const theirs = { id: 'ada', shelf: 'shf_1', owner_id: 'acc_2', bytes: 900 }
    await store.memory_shelves.insert(theirs)
    const made = await putDuring(() => put('b', 'theirs'))
    await store.commit(made?.writes ?? [])
    expect(await values()).toEqual(['mine', 'theirs'])
    await isCounted()
  })

  it('is not remembered where the agent goes, or the account changes, in between', async () => {
    expect(await putDuring(() => store.characters.delete({ id: 'ada' }))).toBe(undefined)
    const theirs = { id: 'ada', shelf: 'shf_1', owner_id: 'acc_2', bytes: 0 }
    await store.memory_shelves.insert(theirs)
    expect(await memoryPut(store, place('a'), 'mine', now)).toBe(undefined)
  })

  it('is not remembered where another account has taken the id in between', async () => {
    const taken = async () => {
      await store.characters.update({ id: 'ada' }, { $set: { owner_id: 'acc_2' } })
      const theirs = { id: 'ada', shelf: 'shf_1', owner_id: 'acc_2', bytes: 0 }
      await store.memory_shelves.insert(theirs)
    }
    expect(await putDuring(taken)).toBe(undefined)
  })

  it('is not remembered while the store is away', async () => {
    const away = putDuring(() => Promise.reject(new Unavailable('it is away')))
    await expect(away).rejects.toThrow(Unavailable)
  })

  it('is not remembered for an agent that is gone', async () => {
    await store.characters.delete({ id: 'ada' })
    expect(await memoryPut(store, place('a'), 'late', now)).toBe(undefined)
  })
})
