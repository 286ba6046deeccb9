import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryKey, publicEntry, type StoredMemoryEntry } from '#src/agents/memory/entry.ts'
import { memoryBytes, memoryPut, type MemoryPlace } from '#src/agents/memory/put.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'

const updated_at = '2026-11-23T00:00:00.000Z'
const now = new Date(updated_at)

describe.each(stores())('the memory of an agent on $name', (kind) => {
  let store: Store
  beforeEach(async () => {
    store = await kind.open()
  })
  afterEach(() => store.close())

  const entry = (key: string, more: Partial<StoredMemoryEntry> = {}): StoredMemoryEntry => ({
    id: memoryKey('ada', 'notes', key),
    char_id: 'ada',
    owner_id: 'acc_1',
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
    ownerId: 'acc_1',
    namespace: 'notes',
    key,
  })
  const values = async (): Promise<unknown[]> =>
    (await store.memory.find({}, { sort: { id: 1 } })).map(({ value }) => value)

  it('changes no entry but the one that is put', async () => {
    await keep(['a', 'b', 'c'].map((key) => entry(key)))
    const { anyhow } = await memoryPut(store, place('b'), 'new', now)
    await store.commit([anyhow])
    expect(await values()).toEqual(['a', 'new', 'c'])
  })

  it('takes the place of what the id held at another account', async () => {
    await keep([entry('a', { owner_id: 'acc_2', revision: 3 })])
    const { anyhow, previous } = await memoryPut(store, place('a'), 'mine', now)
    expect(previous).toBe(undefined)
    await store.commit([anyhow])
    expect(await store.memory.find({})).toEqual([entry('a', { revision: 4, value: 'mine' })])
  })

  it('counts every entry, however many there are and whoever comes before', async () => {
    const own = Array.from({ length: 1203 }, (_, i) => entry(`k${(i * 701) % 1203}`))
    const others = ['ad', 'ada-2', 'adb'].map((char_id) =>
      entry('k', { id: memoryKey(char_id, 'notes', 'k'), char_id }),
    )
    await keep([...own, ...others])
    const all = sizeOf(...own.map((one) => publicEntry(one)))
    expect(await memoryBytes(store, 'ada')).toBe(all)
  })
})
