import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collections } from '#src/collections.ts'
import type { Store } from '#src/ports/store.ts'
import { gravesOf, owedBytes } from '#tests/bounds/graves.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

type Name = keyof typeof collections
const names = Object.keys(collections) as Name[]

const manifestOf = (app_id: string, name = 'News') => ({
  manifest_version: 1,
  app_id,
  name,
  agents: [
    { local_id: 'rosa', name: 'Rosa', heart: { tasks: [{ task_id: 't', name: 'T' }] } },
    { local_id: 'will', name: 'Will' },
  ],
  connections: [{ from: 'rosa', to: 'will', permissions: ['message'] }],
  team: { name: 'Desk' },
  webhook: { url: 'https://hooks.example/in', secret: 'marker-webhook' },
})

describe.each(stores())('an app that is torn down, on $name', (kind) => {
  let store: Store
  let world: World
  let owner: { key: string; id: string }
  let deliveries: number

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    deliveries = 0
    world.ports.wake.connect('deliveries', () => (deliveries += 1))
    owner = await world.account()
  })
  afterEach(() => store.close())

  const provision = async (app_id: string, key = owner.key): Promise<void> => {
    await world.ask('agent_apps.provision', { manifest: manifestOf(app_id) }, key)
    const manifest = manifestOf(app_id, 'Newer')
    await world.ask('agent_apps.update', { app_id, manifest }, key)
  }
  const tearDown = (app_id: string, keep_agents: boolean) =>
    world.ask('agent_apps.teardown', { app_id, keep_agents }, owner.key)
  const usage = () => world.ports.quotas.usage({ accountId: owner.id, claimed: false })
  const named = async (which: (text: string, name: Name) => boolean): Promise<unknown[]> => {
    const found: unknown[] = []
    for (const name of names) {
      for (const one of await store[name].find({})) {
        if (which(JSON.stringify(one), name)) found.push([name, one])
      }
    }
    return found
  }
  const stays = (text: string, name: Name): boolean => name !== 'usage' && /"other/.test(text)

  it('takes its agents along, and nothing of another app', async () => {
    await provision('other')
    await provision('others', (await world.account()).key)
    const [before, counted] = [await named(stays), await usage()]
    const owed = await owedBytes(store, owner.id)
    const marked = await gravesOf(store, owner.id)
    await provision('news')
    deliveries = 0
    await tearDown('news', false)
    expect(deliveries).toBe(1)
    expect(await named(stays)).toEqual(before)
    const marks = (await gravesOf(store, owner.id)) - marked
    const told = (await owedBytes(store, owner.id)) - owed
    const stored_bytes = counted.stored_bytes + marks + told
    expect(await usage()).toEqual({ ...counted, stored_bytes })
    // What its webhook is still to be told stays until it is, and what was done stays recorded.
    expect(
      await named((text, name) => !['audit', 'deliveries'].includes(name) && /"news\b/.test(text)),
    ).toEqual([])
    // One that comes back is none that anybody has seen.
    await provision('news')
    expect(await store.apps.get('news')).toMatchObject({ revision: 4 })
  })

  it('leaves nothing counted but its marks once the agents that were kept go too', async () => {
    const { stored_bytes: before } = await usage()
    await provision('news')
    await tearDown('news', true)
    for (const { id } of await store.characters.find({ owner_id: owner.id })) {
      await world.ask('characters.delete', { char_id: id }, owner.key)
    }
    const left = (await gravesOf(store, owner.id)) + (await owedBytes(store, owner.id))
    expect((await usage()).stored_bytes).toBe(before + left)
  })

  it('leaves agents that are kept to the account, and touches no others', async () => {
    await provision('other')
    await provision('news')
    const [before, counted] = [await named(stays), await usage()]
    await tearDown('news', true)
    expect(await named(stays)).toEqual(before)
    expect(await usage()).toMatchObject({ agents: counted.agents + 2, apps: counted.apps - 1 })
    expect(await store.apps.get('news')).toBeUndefined()
    const kept = { app_id: null, owner_id: owner.id }
    expect(await store.characters.get('news--rosa')).toMatchObject({
      ...kept,
      local_id: null,
      revision: 2,
    })
    expect(await store.tasks.get('news--rosa/t')).toMatchObject(kept)
    expect(await store.edges.find({ char_id: 'news--rosa' })).toMatchObject([kept])
    expect((await usage()).stored_bytes).toBeLessThan(counted.stored_bytes)
  })

  it('takes along what was added while it was torn down', async () => {
    await provision('news')
    const told = manifestOf('news')
    const manifest = { ...told, agents: [...told.agents, { local_id: 'late', name: 'Late' }] }
    let isLate = false
    const late = openWorld({
      ...store,
      async commit(writes) {
        const isFirst = !isLate
        isLate = true
        if (isFirst) await world.ask('agent_apps.update', { app_id: 'news', manifest }, owner.key)
        return store.commit(writes)
      },
    })
    await late.ask('agent_apps.teardown', { app_id: 'news' }, owner.key)
    expect(await store.apps.count({})).toBe(0)
    expect(await store.characters.count({})).toBe(0)
  })

  it('notifies no one without a webhook', async () => {
    const { webhook: _, ...manifest } = manifestOf('news')
    await world.ask('agent_apps.provision', { manifest }, owner.key)
    await tearDown('news', false)
    expect(deliveries).toBe(0)
    expect(await store.deliveries.count({})).toBe(0)
    expect(await store.apps.count({})).toBe(0)
  })
})
