import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { counted, emptyShelf, putUp, type StoredShelf } from '#src/knowledge/library.ts'
import { Unmet, type Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'

describe.each(stores())('the shelf of what an agent knows, on $name', (kind) => {
  let store: Store
  let shelf: StoredShelf
  beforeEach(async () => {
    store = await kind.open()
    const world = openWorld(store)
    const { key, id } = await world.account()
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    shelf = emptyShelf('ada', id)
    await store.commit(putUp(shelf))
  })
  afterEach(() => store.close())

  const count = (...args: Parameters<typeof counted>) => store.commit([counted(...args)])
  const now = () => store.knowledge_shelves.get('ada')

  it('counts what comes and what goes', async () => {
    await count(shelf, { items: 3, chunks: 5, bytes: 700 })
    await count(shelf, { items: -1, bytes: -200 })
    expect(await now()).toEqual({ ...shelf, items: 2, chunks: 5, bytes: 500 })
  })

  it('takes no more than there is room for, to the last', async () => {
    await count(shelf, { items: 2, chunks: 2, bytes: 1 }, { items: 2, chunks: 2 })
    await expect(count(shelf, { items: 1, bytes: 1 }, { items: 2 })).rejects.toThrow(Unmet)
    await expect(count(shelf, { chunks: 1, bytes: 1 }, { chunks: 2 })).rejects.toThrow(Unmet)
    await count(shelf, { items: 1, chunks: 1, bytes: 1 }, { items: 3, chunks: 3 })
    expect(await now()).toMatchObject({ items: 3, chunks: 3, bytes: 2 })
  })

  it('is not that of a later agent of the same id', async () => {
    const later = emptyShelf('ada', shelf.owner_id)
    expect(later.shelf).not.toBe(shelf.shelf)
    await expect(count(later, { items: 1, bytes: 1 })).rejects.toThrow(Unmet)
    expect(await now()).toEqual(shelf)
  })

  it('is put up only for the agent of the account, as long as it is there', async () => {
    await store.knowledge_shelves.delete({ id: 'ada' })
    await expect(store.commit(putUp(emptyShelf('ada', 'someone')))).rejects.toThrow(Unmet)
    await expect(store.commit(putUp(emptyShelf('eve', shelf.owner_id)))).rejects.toThrow(Unmet)
    expect(await store.knowledge_shelves.count({})).toBe(0)
  })
})
