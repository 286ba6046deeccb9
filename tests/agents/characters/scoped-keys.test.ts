import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import type { Store } from '#src/ports/store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const ofAgent = catalog.filter((op) => op.auth === 'key' && op.http.path.includes('{char_id}'))

describe.each(oneStore())('a key that acts as one agent, on $name', (kind) => {
  let store: Store
  let world: World
  let key: string

  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
    const owner = await world.account()
    for (const id of ['ada', 'grace']) {
      const task = { task_id: 'digest', name: 'Digest', runtime: 'template' }
      const character = { id, name: id, heart: { tasks: [task] } }
      await world.ask('characters.create', { character }, owner.key)
    }
    const scope = { name: 'Scoped', scope_char_id: 'grace' }
    key = (await world.ask<{ key: string }>('api_keys.create', scope, owner.key)).key
  })
  afterAll(() => store.close())

  it.each(ofAgent.map((op) => [op.name, op] as const))(
    'reaches no sibling by %s',
    async (_, op) => {
      const before = await store.characters.get('ada')
      const refused = await world.refusal(op.name, { ...op.example, char_id: 'ada' }, key)
      expect(refused.code).toBe(op.scope === 'agent' ? 'forbidden' : 'scope_forbidden')
      expect(await store.characters.get('ada')).toEqual(before)
    },
  )
})
