import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { collections } from '#src/collections.ts'
import type { Store } from '#src/ports/store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

/** The operations on something that has an owner, by its id. */
const onThings = catalog.filter(
  ({ auth, http }) => auth === 'key' && /\{(app|char|run)_id\}/.test(http.path),
)

describe.each(oneStore())('what belongs to one account, on $name', (kind) => {
  let store: Store
  let world: World
  let stranger: string
  /** Those of the things in the examples whose ids are not ours to choose. */
  let ids: Record<string, string>

  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
    const { key } = await world.account()
    const ask = (name: string, input: object): Promise<Record<string, string>> =>
      world.ask(name, { char_id: 'ada', ...input }, key)
    const create = (character: object): Promise<unknown> =>
      world.ask('characters.create', { character }, key)
    const task = { task_id: 'digest', name: 'Digest', runtime: 'prompt', prompt: 'Think' }
    await create({ id: 'ada', name: 'Ada', heart: { tasks: [task] } })
    await create({ id: 'grace', name: 'Grace' })
    await ask('memory.put', { namespace: 'readers', key: 'grace', value: 1 })
    await ask('characters.secrets.update', { secrets: [{ name: 'MAIL', value: 'marker' }] })
    const item = await ask('knowledge.texts.add', { title: 'T', content: 'Otters.' })
    const post = await ask('feed.post', { content: 'Otters.' })
    const run = await ask('tasks.run', { task_id: 'digest' })
    const agents = [{ local_id: 'rosa', name: 'Rosa' }]
    const manifest = { manifest_version: 1, app_id: 'newsroom', name: 'News', agents }
    await world.ask('agent_apps.provision', { manifest }, key)
    ids = { item_id: item.id ?? '', post_id: post.id ?? '', run_id: run.id ?? '' }
    stranger = (await world.account()).key
    // The first use of a key is noted behind the call that made it.
    await until(async () => {
      const keys = await store.api_keys.find({})
      return keys.every(({ last_used_at, networks }) => last_used_at !== null && networks)
    })
  })
  afterAll(() => store.close())

  const everything = async () => {
    const names = Object.keys(collections) as (keyof typeof collections)[]
    const kept = await Promise.all(names.map((name) => store[name].find({})))
    return names.map((name, i) => [name, kept[i]])
  }

  it.each(onThings.map((op) => [op.name, op] as const))(
    'is out of reach of another by %s, and stays as it is',
    async (_, { name, example }) => {
      const chosen = Object.entries(ids).filter(([member]) => member in example)
      const input = { ...example, ...Object.fromEntries(chosen) }
      const before = await everything()
      expect(await world.refusal(name, input, stranger)).toMatchObject({ code: 'forbidden' })
      expect(await everything()).toEqual(before)
    },
  )
})
