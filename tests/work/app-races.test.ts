import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DuplicateKey, type Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World } from '#tests/support/world.ts'

describe.each(stores())('an app on $name', (kind) => {
  let store: Store

  beforeEach(async () => {
    store = await kind.open()
  })
  afterEach(() => store.close())

  it.each([
    ['apps', 'app_id_taken'],
    ['characters', 'character_id_taken'],
  ] as const)(
    'whose id in %s was freed while it was provisioned is told so',
    async (name, code) => {
      const { key } = await openWorld(store).account()
      const late = openWorld({
        ...store,
        commit: () => Promise.reject(new DuplicateKey(name, ['id'])),
      })
      const manifest = { app_id: 'app', name: 'App', agents: [{ local_id: 'a', name: 'A' }] }
      const refused = await late.refusal('agent_apps.provision', { manifest }, key)
      expect(refused).toMatchObject({ code })
      expect(refused.hint).toContain('free again')
      expect(await store.apps.count({})).toBe(0)
    },
  )

  describe('whose agents are kept', () => {
    const table = { ...noQuotas.unclaimed, agents: 3 }
    let world: World
    let key: string
    beforeEach(async () => {
      world = openWorld(store, { quotas: { unclaimed: table, claimed: table } })
      key = (await world.account()).key
    })

    const agent = (id: string) =>
      world.ask('characters.create', { character: { id, name: 'A' } }, key)
    const provision = (app_id: string, size: number) => {
      const agents = Array.from({ length: size }, (_, i) => ({ local_id: `a${i}`, name: 'A' }))
      return world.ask('agent_apps.provision', { manifest: { app_id, name: 'App', agents } }, key)
    }
    const used = async (): Promise<Record<string, number>> => {
      const { quotas } = await world.ask<{ quotas: { name: string; used: number }[] }>(
        'account.get',
        {},
        key,
      )
      return Object.fromEntries(quotas.map((quota) => [quota.name, quota.used]))
    }

    it('stays where the account has no room for all of them', async () => {
      await agent('ada')
      await agent('eve')
      await provision('app', 2)
      const leave = { app_id: 'app', keep_agents: true }
      const refused = await world.refusal('agent_apps.teardown', leave, key)
      expect(refused).toMatchObject({ code: 'quota_exceeded' })
      expect(refused.detail).toContain('agents')
      expect(await used()).toMatchObject({ agents: 2, apps: 1 })
      expect(await store.characters.count({ app_id: 'app' })).toBe(2)
      await world.ask('characters.delete', { char_id: 'eve' }, key)
      await world.ask('agent_apps.teardown', leave, key)
      expect(await used()).toMatchObject({ agents: 3, apps: 0 })
      expect(await world.refusal('characters.create', { character: { name: 'A' } }, key)).toEqual(
        expect.objectContaining({ code: 'quota_exceeded' }),
      )
    })

    it('goes as far as there is room when several are torn down at once', async () => {
      const apps = ['one', 'two', 'three', 'four', 'five']
      for (const app_id of apps) await provision(app_id, 1)
      const outcomes = await Promise.allSettled(
        apps.map((app_id) => world.ask('agent_apps.teardown', { app_id, keep_agents: true }, key)),
      )
      const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      expect(refused).toMatchObject([{ code: 'quota_exceeded' }, { code: 'quota_exceeded' }])
      expect(await used()).toMatchObject({ agents: 3, apps: 2 })
    })
  })
})
