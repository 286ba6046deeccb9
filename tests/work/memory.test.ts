import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eachPutOnce, memoryPut } from '#src/agents/memory/put.ts'
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
  const putAs = async (value: unknown, name = 'k') => {
    const where = { charId: 'ada', ownerId, namespace: 'notes', key: name }
    const put = await memoryPut(store, where, value, now)
    if (!put) throw new Error('the agent is there')
    return put
  }

  it('is put only where no one has changed or deleted it meanwhile', async () => {
    const { writes } = await putAs('first')
    await store.commit(writes)
    const late = await putAs('late')
    await world.ask('memory.put', { ...place, value: 'between' }, key)
    await expect(store.commit(late.writes)).rejects.toThrow(Unmet)
    const later = await putAs('later')
    await store.memory.delete({})
    await expect(store.commit(later.writes)).rejects.toThrow(Unmet)
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
    const [first = [], other = [], last = []] = puts.map(({ writes }) => writes)
    const removal = { in: 'memory', delete: { char_id: 'absent' } } as const
    const writes = [...first, removal, ...other, ...last]
    expect(eachPutOnce(writes)).toEqual([removal, ...other, ...last])
    expect(eachPutOnce([removal, ...other])).toEqual([removal, ...other])
    // Two collections may use the same id.
    const alike = { in: 'meta', insert: { id: 'ada/notes/k', value: '' } } as const
    expect(eachPutOnce([alike, ...last, alike])).toEqual([alike, ...last, alike])
    const { ports } = openWorld(store)
    const added: [string, number][] = []
    vi.spyOn(ports.quotas, 'addBytes').mockImplementation((...one) => void added.push(one))
    await ports.store.commit(eachPutOnce(writes))
    const sizes = (await store.memory.text({}, { sort: { id: 1 } })).map(({ text }) => text.length)
    expect(added).toEqual([
      [ownerId, sizes[1]],
      [ownerId, sizes[0]],
    ])
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    expect(await store.memory_shelves.get('ada')).toMatchObject({ bytes })
    // The same where it takes the place of an entry.
    const [again, once] = [await putAs('d'), await putAs('e')]
    expect(eachPutOnce([...again.writes, ...once.writes])).toEqual(once.writes)
  })
})
