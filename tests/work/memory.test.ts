import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eachPutOnce, memoryBytes, memoryPut } from '#src/agents/memory/put.ts'
import { Unmet, type Store } from '#src/ports/store.ts'
import { gravesOf } from '#tests/bounds/graves.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

describe.each(stores())('memory on $name', (kind) => {
  let store: Store
  let world: World
  let key: string
  let ownerId: string

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    ;({ key, id: ownerId } = await world.account())
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
  })
  afterEach(() => store.close())

  const place = { char_id: 'ada', namespace: 'notes', key: 'k' }

  it('is not left behind by a put while its agent is deleted', async () => {
    await world.ask('characters.create', { character: { id: 'eve', name: 'Eve' } }, key)
    const late = openWorld({
      ...store,
      async commit(writes) {
        await world.ask('characters.delete', { char_id: 'ada' }, key).catch(() => undefined)
        return store.commit(writes)
      },
    })
    expect(await late.refusal('memory.put', { ...place, value: 1 }, key)).toMatchObject({
      code: 'character_not_found',
    })
    expect(await store.memory.count({})).toBe(0)
  })

  it('is put by many at once, the last of whom wins', async () => {
    const puts = Array.from({ length: 12 }, (_, value) => ({ ...place, value }))
    await Promise.all(puts.map((put) => world.ask('memory.put', put, key)))
    expect(await world.ask('memory.get', place, key)).toMatchObject({ revision: 12 })
  })

  const now = new Date('2026-03-01T12:00:00.000Z')
  const putAs = (value: unknown, name = 'k') =>
    memoryPut(store, { charId: 'ada', ownerId, namespace: 'notes', key: name }, value, now)

  it('is put by those who have nobody to ask whoever changes it meanwhile', async () => {
    await store.commit([(await putAs('first')).anyhow])
    const late = await putAs('late')
    await world.ask('memory.put', { ...place, value: 'between' }, key)
    await expect(store.commit([late.bound])).rejects.toThrow(Unmet)
    await store.commit([late.anyhow])
    expect(await store.memory.get('ada/notes/k')).toEqual({
      ...late.entry,
      revision: 3,
      value: 'late',
    })
    await store.memory.delete({})
    await expect(store.commit([late.anyhow])).rejects.toThrow(Unmet)
  })

  it('counts among the stored bytes for as long as it is there', async () => {
    const stored = async () =>
      (await world.ports.quotas.usage({ accountId: ownerId, claimed: false })).stored_bytes
    const before = await stored()
    await world.ask('memory.put', { ...place, value: 'a' }, key)
    const one = await stored()
    await world.ask('memory.put', { ...place, value: 'abc' }, key)
    expect(one).toBeGreaterThan(before)
    expect(await stored()).toBe(one + 2)
    await world.ask('memory.delete', place, key)
    expect(await stored()).toBe(before + (await gravesOf(store, ownerId)))
  })

  it('is put once in a commit, by the last that puts it, and counts what that adds', async () => {
    const puts = [await putAs('a'), await putAs('bb', 'other'), await putAs('ccc')]
    const [first, other, last] = puts.map(({ anyhow }) => anyhow)
    if (!first || !other || !last) throw new Error('there are three')
    const beside = { in: 'memory', delete: { char_id: 'nobody' } } as const
    const writes = [first, beside, other, last]
    expect(eachPutOnce(writes)).toEqual([beside, other, last])
    expect(eachPutOnce([beside, other])).toEqual([beside, other])
    const { ports } = openWorld(store)
    const added: [string, number][] = []
    vi.spyOn(ports.quotas, 'addBytes').mockImplementation((...one) => void added.push(one))
    await ports.store.commit(eachPutOnce(writes))
    expect(added).toEqual([
      [ownerId, puts[1]?.bytes],
      [ownerId, puts[2]?.bytes],
    ])
    // One value takes the place of the other.
    expect((await putAs('cccc')).bytes).toBe(1)
  })

  it('counts what it holds, over many pages, and nothing of an agent called alike', async () => {
    const inserts = Array.from({ length: 1001 }, (_, n) => n).map((n) => ({
      in: 'memory' as const,
      insert: {
        id: `ada/notes/${n}`,
        char_id: 'ada',
        owner_id: ownerId,
        namespace: 'notes',
        key: `${n}`,
        revision: 1,
        value: n,
        updated_at: 'now',
      },
    }))
    await store.commit(inserts)
    const rows = await store.memory.text({})
    const bytes = rows.reduce((sum, { text }) => sum + text.length, 0)
    const [like] = inserts
    if (!like) throw new Error('there are many')
    for (const id of ['ad', 'ada-b', 'ada1', 'adam', 'b']) {
      await store.memory.insert({ ...like.insert, id: `${id}/notes/0`, char_id: id })
    }
    expect(await memoryBytes(store, 'ada')).toBe(bytes)
  })
})
