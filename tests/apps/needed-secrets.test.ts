import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OwnerNotice } from '#src/accounts/notice.ts'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

describe.each(stores())('the notice of secrets that an app lacks, on $name', (kind) => {
  let store: Store
  let world: World
  let key: string

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    key = (await world.account()).key
    const agents = ['rosa', 'will'].map((local_id) => ({ local_id, name: local_id }))
    const secrets = [
      { name: 'TOKEN', required: true },
      { name: 'MORE', required: false },
    ]
    const manifest = { manifest_version: 1, app_id: 'news', name: 'News', agents, secrets }
    await world.ask('agent_apps.provision', { manifest }, key)
  })
  afterEach(() => store.close())

  const notice = async (): Promise<OwnerNotice | undefined> => {
    const { items } = await world.ask<{ items: OwnerNotice[] }>('account.inbox', {}, key)
    return items.find(({ type }) => type === 'secret.missing')
  }
  const set = (agent: string, name: string) => {
    const secrets = [{ name, value: 'a-value-of-a-secret' }]
    return world.ask('characters.secrets.update', { char_id: `news--${agent}`, secrets }, key)
  }

  it('says which agents need them', async () => {
    const told = await notice()
    expect(told).toMatchObject({
      resolved_at: null,
      next: [
        { operation: 'agent_apps.get', input: { app_id: 'news' } },
        { operation: 'characters.secrets.update', input: { char_id: 'news--rosa' } },
        { operation: 'characters.secrets.update', input: { char_id: 'news--will' } },
      ],
    })
    expect(told).not.toHaveProperty('missing')
  })

  it('is resolved once each agent has them, and not before', async () => {
    await set('rosa', 'TOKEN')
    await set('will', 'MORE')
    expect(await notice()).toMatchObject({ resolved_at: null })
    await set('will', 'TOKEN')
    expect(await notice()).toMatchObject({ resolved_at: expect.any(String) })
  })

  it('is resolved where the agents that lack them are gone', async () => {
    await set('rosa', 'TOKEN')
    await world.ask('characters.delete', { char_id: 'news--will' }, key)
    expect(await notice()).toMatchObject({ resolved_at: expect.any(String) })
  })

  it('of before stays as it is', async () => {
    const [told] = await store.notices.find({ type: 'secret.missing' })
    await store.notices.update({ id: told?.id ?? '' }, { $unset: { missing: true } })
    for (const agent of ['rosa', 'will']) await set(agent, 'TOKEN')
    expect(await notice()).toMatchObject({ resolved_at: null })
  })
})
