import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

describe.each(stores())('memory on $name', (kind) => {
  let store: Store
  let world: World
  let key: string

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    ;({ key } = await world.account())
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
  })
  afterEach(() => store.close())

  const place = { char_id: 'ada', namespace: 'notes', key: 'k' }

  it('is not left behind by a put while its agent is deleted', async () => {
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
    const puts = Array.from({ length: 30 }, (_, value) => ({ ...place, value }))
    await Promise.all(puts.map((put) => world.ask('memory.put', put, key)))
    expect(await world.ask('memory.get', place, key)).toMatchObject({ revision: 30 })
  })
})
