import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Character } from '#src/agents/character.ts'
import { tasksAtMost } from '#src/agents/heart.ts'
import type { Store } from '#src/ports/store.ts'
import { isLong } from '#tests/support/long-tests.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

describe.each(stores())('revisions of an agent on $name', (kind) => {
  let store: Store
  let world: World
  let key: string

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    ;({ key } = await world.account())
  })
  afterEach(() => store.close())

  const update = (character: object) =>
    world.ask<Character>('characters.update', { char_id: 'ada', character }, key)
  const restore = (revision: number) =>
    world.ask<Character>('characters.revisions.restore', { char_id: 'ada', revision }, key)

  // Thousands of writes of a commit: on a server it takes seconds.
  it.runIf(kind.name === 'sqlite' || isLong)(
    'are restored with more tasks than one document may give',
    async () => {
      const tasks = Array.from({ length: tasksAtMost }, (_, i) => ({ task_id: `t${i}`, name: 'T' }))
      const character = { id: 'ada', name: 'Ada', heart: { tasks } }
      await world.ask('characters.create', { character }, key)
      const task = { task_id: 'more', name: 'More' }
      await world.ask('tasks.create', { char_id: 'ada', task }, key)
      const before = await world.ask<Character>('characters.get', { char_id: 'ada' }, key)
      await update({ heart: { tasks: [] } })
      const back = await restore(before.revision)
      expect(back.heart?.tasks).toHaveLength(tasksAtMost + 1)
      expect(back.heart?.tasks.map(({ task_id }) => task_id)).toContain('more')
    },
  )

  it('are restored and ended by many at once, each change whole', async () => {
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    await update({ bio: 'Second' })
    const changes = Array.from({ length: 10 }, (_, i) => [restore(1), update({ bio: `B${i}` })])
    await Promise.all(changes.flat())
    const { revision } = await world.ask<Character>('characters.get', { char_id: 'ada' }, key)
    expect(revision).toBe(22)
  })
})
