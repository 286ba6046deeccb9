import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { settingsOf } from '#src/agents/sealed/keep.ts'
import type { Warning } from '#src/core/schema.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const mcps = (value: string, more: object = {}) => [
  {
    name: 'files',
    url: 'https://files.example/mcp',
    env: { 'x-key': value, Authorization: 'Bearer {{secret.FILES}}', empty: '' },
    ...more,
  },
]
const control = (secret: string, more: object = {}) => ({
  channels: [
    { name: 'ops', type: 'webhook', config: { url: 'https://ops.example/', secret }, ...more },
  ],
})
const agent = (mark: string) => ({
  id: 'ada',
  name: 'Ada',
  brain: { mcps: mcps(`${mark}-server`) },
  control: control(`${mark}-channel`),
})
const env = { 'x-key': '***', Authorization: 'Bearer {{secret.FILES}}', empty: '' }
const masked = {
  brain: { mcps: [{ env }] },
  control: { channels: [{ config: { secret: '***' } }] },
}

describe.each(stores())('the secrets of settings on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let place: Place
  let store: OpenedStore
  let world: World
  let key: string

  beforeEach(async () => {
    place = await kind.place()
    store = await place.open()
    world = openWorld(store)
    key = (await world.account()).key
  })
  afterEach(async () => {
    await store.close()
    await place.remove()
  })

  const update = (character: object) =>
    world.ask<{ warnings?: Warning[] }>('characters.update', { char_id: 'ada', character }, key)
  const kept = async (id = 'ada') => {
    const found = await store.characters.get(id)
    return found ? settingsOf(found, world.ports.sealer) : undefined
  }

  it('are shown masked wherever an agent is shown, but for what names a secret', async () => {
    expect(await world.ask('characters.create', { character: agent('one') }, key)).toMatchObject(
      masked,
    )
    expect(await world.ask('characters.get', { char_id: 'ada' }, key)).toMatchObject(masked)
    const { items } = await world.ask<{ items: object[] }>('characters.list', {}, key)
    expect(items).toMatchObject([masked])
    expect(await kept()).toEqual({
      '/brain/mcps/0/env/x-key': 'one-server',
      '/control/channels/0/config/secret': 'one-channel',
    })
  })

  it('stay where the mask is sent back, and change where a value is', async () => {
    await world.ask('characters.create', { character: agent('one') }, key)
    const { brain, control: shown } = await world.ask<{ brain: object; control: object }>(
      'characters.get',
      { char_id: 'ada' },
      key,
    )
    await update({ brain, control: shown, bio: 'Now' })
    expect(Object.values((await kept()) ?? {})).toEqual(['one-server', 'one-channel'])
    const before = { name: 'new', url: 'https://new.example/', env: { 'x-key': 'two-server' } }
    await update({ brain: { mcps: [before, ...mcps('***')] } })
    expect(await kept()).toMatchObject({
      '/brain/mcps/0/env/x-key': 'two-server',
      '/brain/mcps/1/env/x-key': 'one-server',
    })
    await update({ brain: { mcps: [] }, control: null })
    expect(await kept()).toEqual({})
    const refused = await world.refusal(
      'characters.update',
      { char_id: 'ada', character: { brain: { mcps: mcps('***') } } },
      key,
    )
    expect(refused).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/character/brain/mcps/0/env/x-key', code: 'secret_masked' }],
    })
  })

  itOnEach(
    'come back with a revision while they are kept, and else what had them is off',
    async () => {
      await world.ask('characters.create', { character: agent('one') }, key)
      await update({ bio: 'Now' })
      await update({ control: null })
      const restored = await world.ask<{ warnings: Warning[] }>(
        'characters.revisions.restore',
        { char_id: 'ada', revision: 1 },
        key,
      )
      const pointer = '/control/channels/0/config/secret'
      expect(restored.warnings).toMatchObject([{ code: 'secret_lost', pointer }])
      expect(restored).toMatchObject({
        brain: { mcps: [{ env, enabled: true }] },
        control: { channels: [{ enabled: false }] },
      })
      expect(await kept()).toEqual({ '/brain/mcps/0/env/x-key': 'one-server' })
      expect(JSON.stringify(await store.character_revisions.find({}))).not.toMatch(
        /one-(?:server|channel)/,
      )
    },
  )

  it('stay behind in exports and copies, and what had them is off', async () => {
    await world.ask('characters.create', { character: agent('one') }, key)
    interface Exported {
      character: { brain: { mcps: object[] }; control: { channels: object[] } }
      left_out: { pointer: string }[]
    }
    const exported = await world.ask<Exported>('characters.export', { char_id: 'ada' }, key)
    const pointers = ['/brain/mcps/0/env/x-key', '/control/channels/0/config/secret']
    expect(exported.left_out.map(({ pointer }) => pointer)).toEqual(pointers)
    expect(JSON.stringify(exported)).not.toMatch(/one-|\*\*\*/)
    const copy = await world.ask<{ id: string; warnings: Warning[] }>(
      'characters.clone',
      { char_id: 'ada', id: 'copy' },
      key,
    )
    expect(copy).toMatchObject({ brain: { mcps: [{ enabled: false }] } })
    expect(
      copy.warnings.filter(({ code }) => code === 'secret_lost').map((one) => one.pointer),
    ).toEqual(pointers)
    expect(await kept('copy')).toEqual({})
    const shown = await world.ask<object>('characters.get', { char_id: 'ada' }, key)
    const data = Buffer.from(JSON.stringify({ ...shown, id: 'third' })).toString('base64')
    const file = { filename: 'ada.json', data }
    const third = await world.ask('characters.import', { file }, key)
    expect(third).toMatchObject({ brain: { mcps: [{ enabled: false }] } })
    expect(await kept('third')).toEqual({})
  })

  it('are not carried to another origin by a key that acts as the agent', async () => {
    await world.ask('characters.create', { character: agent('one') }, key)
    const scope = { name: 'S', scope_char_id: 'ada', rights: ['policy'] }
    const scoped = await world.ask<{ key: string }>('api_keys.create', scope, key)
    const change = (list: object[]) => ({ char_id: 'ada', character: { brain: { mcps: list } } })
    const elsewhere = { url: 'https://mine.example/mcp' }
    const refused = await world.refusal(
      'characters.update',
      change(mcps('***', elsewhere)),
      scoped.key,
    )
    expect(refused.code).toBe('owner_only')
    await world.ask('characters.update', change(mcps('***', { enabled: false })), scoped.key)
    await world.ask('characters.update', change(mcps('mine', elsewhere)), scoped.key)
  })

  itOnEach(
    'of a manifest are sealed with it, planned, applied again, and told as drift',
    async () => {
      const { id: _id, ...spec } = agent('one')
      const manifest = { app_id: 'desk', name: 'Desk', agents: [{ local_id: 'ada', ...spec }] }
      await world.ask('agent_apps.provision', { manifest }, key)
      const shown = await world.ask<typeof manifest>('agent_apps.manifest', { app_id: 'desk' }, key)
      expect(shown.agents).toMatchObject([masked])
      interface Plan {
        update: { id: string; members: string[] }[]
        drift: { members: string[] }[]
      }
      const plan = (sent: unknown) =>
        world.ask<Plan>('agent_apps.plan', { app_id: 'desk', manifest: sent }, key)
      expect(await plan(shown)).toMatchObject({ update: [], drift: [] })
      const other = structuredClone(manifest)
      Object.assign(other.agents[0] ?? {}, { brain: { mcps: mcps('two-server') } })
      expect((await plan(other)).update).toEqual([
        expect.objectContaining({ id: 'desk' }),
        { kind: 'agent', id: 'desk--ada', members: ['brain'] },
      ])
      await world.ask('agent_apps.update', { app_id: 'desk', manifest: other }, key)
      expect(Object.values((await kept('desk--ada')) ?? {})).toEqual(['two-server', 'one-channel'])
      await world.ask('agent_apps.update', { app_id: 'desk', manifest: shown }, key)
      expect(Object.values((await kept('desk--ada')) ?? {})).toEqual(['two-server', 'one-channel'])
      const byHand = { char_id: 'desk--ada', character: { control: control('by-hand') } }
      await world.ask('characters.update', byHand, key)
      expect((await plan(shown)).drift).toMatchObject([{ members: ['/control'] }])
      await world.ask('agent_apps.rollback', { app_id: 'desk', revision: 1 }, key)
      expect(Object.values((await kept('desk--ada')) ?? {})).toEqual(['one-server', 'one-channel'])
      const rows = JSON.stringify([await store.app_revisions.find({}), await store.apps.find({})])
      expect(rows).not.toMatch(/one-|two-|by-hand/)
    },
  )
})
