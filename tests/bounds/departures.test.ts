import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { purgeTombstones } from '#src/core/tombstones.ts'
import type { Store } from '#src/ports/store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { takenBy } from './taken.ts'

const task = (task_id: string, more: object = {}) => ({ task_id, name: 'Task', ...more })
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mMwKFgAAAIUAUECpIPIAAAAAElFTkSuQmCC'
const file = { filename: 'a.png', media_type: 'image/png', data: png }

/** Calls that may reach an agent while it is being deleted. */
const concurrent: [string, string, object][] = [
  [
    'a first secret',
    'characters.secrets.update',
    { secrets: [{ name: 'NEW', value: 'x'.repeat(500) }] },
  ],
  ['a change', 'characters.update', { character: { bio: 'x'.repeat(500) } }],
  ['a photo', 'characters.photos.add', { file }],
  ['a new task', 'tasks.create', { task: task('new', { prompt: 'x'.repeat(500) }) }],
  ['a change of a task', 'tasks.update', { task_id: 'kept', task: { prompt: 'x'.repeat(500) } }],
  ['the end of a task', 'tasks.delete', { task_id: 'kept' }],
  ['a first memory', 'memory.put', { namespace: 'n', key: 'k', value: 'x'.repeat(500) }],
]

describe.each(oneStore())('what goes with an agent on $name', (kind) => {
  let store: Store
  let world: World
  let owner: { key: string; id: string }
  const ada = { char_id: 'ada' }

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    owner = await world.account()
    const heart = { tasks: [task('kept', { prompt: 'y'.repeat(300) })] }
    await world.ask('characters.create', { character: { id: 'ada', name: 'A', heart } }, owner.key)
  })
  afterEach(() => store.close())

  const ask = (name: string, input: object) => world.ask(name, input, owner.key)
  const counted = async () => {
    await world.ports.quotas.settle()
    return (await store.usage.get(owner.id))?.bytes
  }

  /** Deletes the agent, with `other` between its reads and its commit. */
  const deleteAround = async (other: () => Promise<unknown>) => {
    let isFirst = true
    const racing = openWorld({
      ...store,
      async commit(writes) {
        if (isFirst) await other()
        isFirst = false
        return store.commit(writes)
      },
    })
    await racing.ask('characters.delete', ada, owner.key)
    await racing.ports.quotas.settle()
    expect(await store.secrets.count({})).toBe(0)
    expect(await counted()).toBe(await takenBy(store, owner.id))
  }

  it.each(concurrent)('is given back once where %s comes in between', async (_what, name, sent) => {
    await deleteAround(() => ask(name, { ...ada, ...sent }))
  })

  it('is given back once where a secret goes in between', async () => {
    const secrets = [{ name: 'KEPT', value: 'y'.repeat(300) }]
    await ask('characters.secrets.update', { ...ada, secrets })
    const none = [{ name: 'KEPT', value: null }]
    await deleteAround(() => ask('characters.secrets.update', { ...ada, secrets: none }))
  })

  it('is remembered again, and counted, where an earlier mark is purged in between', async () => {
    await ask('characters.delete', ada)
    await ask('characters.create', { character: { id: 'ada', name: 'Ada' } })
    const later = new Date(Date.now() + 32 * 86_400_000)
    await deleteAround(() => purgeTombstones(world.ports, later))
    expect(await store.tombstones.count({})).toBe(1)
  })
})
