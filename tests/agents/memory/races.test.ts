import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '#src/core/errors.ts'
import { eventPasser } from '#src/work/events.ts'
import type { Store } from '#src/ports/store.ts'
import { takenBy } from '#tests/bounds/taken.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

/** Numbers below 1, the same ones for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const tasks = [
  {
    task_id: 'says',
    name: 'Says',
    runtime: 'template',
    prompt: '{{input}}',
    memory_namespace: 'n',
  },
]
const hooks = [{ event: 'after_run', action: 'memory:n/says', enabled: true }]
const text = (length: number): string => 'x'.repeat(length)

describe.each(stores())('memory that many change at once on $name', (kind) => {
  let store: Store
  let world: World
  let owner: { key: string; id: string }

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    owner = await world.account()
  })
  afterEach(() => store.close())

  const make = (brain: object | null = null) =>
    world.ask(
      'characters.create',
      { character: { id: 'ada', name: 'Ada', brain, heart: { tasks } } },
      owner.key,
    )
  const runOf = (input: string) =>
    world.ask('tasks.run', { char_id: 'ada', task_id: 'says', input }, owner.key)
  const place = (key: string) => ({ char_id: 'ada', namespace: 'n', key })
  const drift = async () => {
    const { stored_bytes } = await world.ports.quotas.usage({ accountId: owner.id, claimed: false })
    return stored_bytes - (await takenBy(store, owner.id))
  }
  /** What is refused has changed nothing. */
  const tried = (call: Promise<unknown>) =>
    call.catch((cause: unknown) => {
      if (!(cause instanceof Refusal)) throw cause
    })

  it('is counted as it is kept where runs put the same entry', async () => {
    await make()
    await Promise.all(Array.from({ length: 20 }, (_, i) => runOf(text(1000 * i))))
    expect(await store.memory.find({})).toMatchObject([{ revision: 20 }])
    expect(await drift()).toBe(0)
  })

  it.each(['memory.delete', 'memory.put'])(
    'is given back once where an agent is deleted during %s',
    async (name) => {
      await make()
      await world.ask('memory.put', { ...place('k'), value: text(5000) }, owner.key)
      const sent = name === 'memory.put' ? { ...place('k'), value: text(9000) } : place('k')
      let isFirst = true
      const racing = openWorld({
        ...store,
        // The other call comes in between what the departure has read and its commit.
        async commit(writes) {
          if (isFirst) await world.ask(name, sent, owner.key)
          isFirst = false
          return store.commit(writes)
        },
      })
      await racing.ask('characters.delete', { char_id: 'ada' }, owner.key)
      await racing.ports.quotas.settle()
      expect(await store.memory.count({})).toBe(0)
      await world.ports.quotas.settle()
      expect((await store.usage.get(owner.id))?.bytes).toBe(await takenBy(store, owner.id))
    },
  )

  it('is counted exactly as it is kept, for any operations at once', async () => {
    const next = numbersFrom(20_260_301)
    const below = (most: number): number => Math.floor(next() * most)
    const pass = eventPasser(world.ports)
    const ops: (() => Promise<unknown>)[] = [
      () =>
        world.ask('memory.put', { ...place(`k${below(3)}`), value: text(below(3000)) }, owner.key),
      () => world.ask('memory.put', { ...place('says'), value: text(below(3000)) }, owner.key),
      () => world.ask('memory.delete', place(['says', 'k0', 'k1'][below(3)] ?? ''), owner.key),
      () => runOf(text(below(3000))),
      () => runOf(text(below(3000))),
      pass,
      () => world.ask('characters.delete', { char_id: 'ada' }, owner.key),
      () => make({ hooks }),
    ]
    for (let round = 0; round < (kind.name === 'sqlite' ? 24 : 8); round += 1) {
      await tried(make({ hooks }))
      await Promise.all(
        Array.from({ length: 12 }, () => tried(ops[below(ops.length)]?.() ?? pass())),
      )
      expect(await drift()).toBe(0)
    }
    await tried(world.ask('characters.delete', { char_id: 'ada' }, owner.key))
    expect(await store.memory.count({})).toBe(0)
    expect(await drift()).toBe(0)
  })

  it('is not left behind by a run that ends while its agent goes', async () => {
    await make()
    let isFirst = true
    const racing = openWorld({
      ...store,
      async commit(writes) {
        if (isFirst) await world.ask('characters.delete', { char_id: 'ada' }, owner.key)
        isFirst = false
        return store.commit(writes)
      },
    })
    const ended = await racing.ask('tasks.run', { char_id: 'ada', task_id: 'says' }, owner.key)
    expect(ended).toMatchObject({ status: 'completed' })
    expect(await store.memory.count({})).toBe(0)
  })
})
