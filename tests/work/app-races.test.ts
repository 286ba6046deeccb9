import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DuplicateKey, type Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'

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
})
