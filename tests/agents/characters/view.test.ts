import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Character } from '#src/agents/character.ts'
import type { Store } from '#src/ports/store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

describe.each(oneStore())('agents as they are read on $name', (kind) => {
  let store: Store
  let world: World
  let key: string

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    key = (await world.account()).key
  })
  afterEach(() => store.close())

  const make = (id: string, more: object = {}): Promise<Character> =>
    world.ask('characters.create', { character: { id, name: id, ...more } }, key)
  const add = (char_id: string, task_id: string, order: number): Promise<unknown> =>
    world.ask('tasks.create', { char_id, task: { task_id, name: task_id, order } }, key)
  const read = (char_id: string): Promise<Character> =>
    world.ask('characters.get', { char_id }, key)
  const settingsOf = ({ heart }: Character): unknown =>
    heart && { ...heart, tasks: heart.tasks.map(({ task_id }) => task_id) }

  it('come in shorter pages where their tasks are large, and none is missed', async () => {
    const prompt = 'x'.repeat(225_000)
    for (const id of ['ada', 'bob', 'cleo', 'dora', 'eve']) {
      await make(id, { heart: { tasks: [{ task_id: 'a', name: 'A', prompt }] } })
    }
    const pages: string[][] = []
    for (let cursor: string | undefined; pages.length === 0 || cursor;) {
      const page = await world.ask<{ items: Character[]; next_cursor: string | null }>(
        'characters.list',
        { ...(cursor && { cursor }) },
        key,
      )
      for (const { heart } of page.items) expect(heart?.tasks).toHaveLength(1)
      pages.push(page.items.map(({ id }) => id))
      cursor = page.next_cursor ?? undefined
    }
    expect(pages.map(({ length }) => length)).toEqual([4, 1])
    expect(pages.flat().toSorted()).toEqual(['ada', 'bob', 'cleo', 'dora', 'eve'])
  })

  it('come in a list as each is read by itself, with its own tasks in order', async () => {
    await make('ada', { heart: { timezone: 'Europe/Berlin' } })
    await make('bob')
    await make('cleo')
    await add('ada', 'a', 2)
    await add('cleo', 'a', 1)
    await add('ada', 'z', 1)
    const { items } = await world.ask<{ items: Character[] }>('characters.list', {}, key)
    const found = new Map(items.map((one) => [one.id, one]))
    const tasksOf = (id: string) => found.get(id)?.heart?.tasks.map(({ task_id }) => task_id)
    expect(tasksOf('ada')).toEqual(['z', 'a'])
    expect(tasksOf('cleo')).toEqual(['a'])
    expect(found.get('bob')?.heart).toBeNull()
    for (const id of ['ada', 'bob', 'cleo']) expect(found.get(id), id).toEqual(await read(id))
  })

  it.each([
    ['nothing of a heart', {}, [], null],
    ['tasks alone', {}, ['t'], { heartbeat_interval: null, timezone: null, tasks: ['t'] }],
    [
      'settings alone',
      { heart: { timezone: 'Europe/Berlin' } },
      [],
      { heartbeat_interval: null, timezone: 'Europe/Berlin', tasks: [] },
    ],
  ])('come after a change as later reads give them, with %s', async (_, more, tasks, heart) => {
    const made = await make('ada', more)
    expect(made).toEqual(await read('ada'))
    for (const task of tasks) await add('ada', task, 0)
    const input = { char_id: 'ada', character: { bio: 'New' } }
    const changed = await world.ask<Character>('characters.update', input, key)
    expect(settingsOf(changed)).toEqual(heart)
    expect(changed).toEqual(await read('ada'))
  })
})
