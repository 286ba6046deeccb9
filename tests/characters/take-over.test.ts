import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { manifestHash } from '#src/apps/app.ts'
import { revisionSecrets } from '#src/agents/app/sealed-secrets.ts'
import { openedAgent, settingsOf } from '#src/agents/sealed/keep.ts'
import { isTakenOver, settingsTakenOver } from '#src/work/take-over.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const clear = 'marker-of-before-0123456789'
const brain = { mcps: [{ name: 'files', url: 'https://files.example/', env: { 'x-key': clear } }] }
const control = {
  channels: [{ name: 'ops', type: 'webhook', config: { secret: `${clear}-channel` } }],
}

/** What stands in place of them. */
const masked = { brain, control }

describe.each(stores())('a store of before on $name', (kind) => {
  let place: Place
  let store: OpenedStore
  let world: World
  let key: string

  beforeEach(async () => {
    place = await kind.place()
    store = await place.open()
    world = openWorld(store)
    key = (await world.account()).key
    await world.ask(
      'characters.create',
      { character: { id: 'ada', name: 'Ada', brain, control } },
      key,
    )
    await world.ask('characters.update', { char_id: 'ada', character: { bio: 'Now' } }, key)
    const agents = [{ local_id: 'a', name: 'A', brain, control }]
    await world.ask(
      'agent_apps.provision',
      { manifest: { app_id: 'desk', name: 'D', agents } },
      key,
    )
    await asBefore()
  })
  afterEach(async () => {
    await store.close()
    await place.remove()
  })

  /** What stood there before settings were sealed. */
  async function asBefore(): Promise<void> {
    for (const agent of await store.characters.find({})) {
      const { settings_secrets: _sealed, ...replace } = openedAgent(agent, world.ports.sealer)
      await store.commit([{ in: 'characters', update: { id: agent.id }, replace }])
    }
    for (const { id, character } of await store.character_revisions.find({})) {
      const whole = JSON.parse(character) as typeof masked
      for (const server of whole.brain.mcps) server.env['x-key'] = clear
      for (const channel of whole.control.channels) channel.config.secret = `${clear}-channel`
      await store.character_revisions.update({ id }, { $set: { character: JSON.stringify(whole) } })
    }
    for (const { id, app_id, manifest } of await store.app_revisions.find({})) {
      const whole = JSON.parse(manifest) as { agents: object[] }
      Object.assign(whole.agents[0] ?? {}, { brain, control })
      const text = JSON.stringify(whole)
      const manifest_hash = manifestHash(text)
      const $set = { manifest: text, secrets: null, manifest_hash }
      await store.app_revisions.update({ id }, { $set })
      await store.apps.update({ id: app_id }, { $set: { manifest_hash } })
    }
  }

  const everything = async (): Promise<string> =>
    JSON.stringify([
      await store.characters.find({}),
      await store.character_revisions.find({}),
      await store.app_revisions.find({}),
    ])

  it('holds nothing in clear once it is taken over, and does what it did', async () => {
    expect((await everything()).split(clear).length - 1).toBe(8)
    expect(await isTakenOver(store)).toBe(false)
    expect(await settingsTakenOver(world.ports)).toBe(4)
    expect(await isTakenOver(store)).toBe(true)
    expect(await everything()).not.toContain(clear)
    const secrets = {
      '/brain/mcps/0/env/x-key': clear,
      '/control/channels/0/config/secret': `${clear}-channel`,
    }
    for (const agent of await store.characters.find({})) {
      expect(settingsOf(agent, world.ports.sealer)).toEqual(secrets)
    }
    const [revision] = await store.app_revisions.find({})
    expect(revision && Object.values(revisionSecrets(revision, world.ports.sealer))).toEqual(
      Object.values(secrets),
    )
    // The same manifest is the same still.
    const manifest = await world.ask('agent_apps.manifest', { app_id: 'desk' }, key)
    const plan = await world.ask('agent_apps.plan', { app_id: 'desk', manifest }, key)
    expect(plan).toMatchObject({ update: [], create: [], remove: [], drift: [] })
    const restored = await world.ask(
      'characters.revisions.restore',
      { char_id: 'ada', revision: 1 },
      key,
    )
    expect(restored).not.toHaveProperty('warnings')
  })

  it('counts as stored what is stored', async () => {
    const stored = async (): Promise<number> => {
      const { quotas } = await world.ask<{ quotas: { name: string; used: number }[] }>(
        'account.get',
        {},
        key,
      )
      return quotas.find(({ name }) => name === 'stored_bytes')?.used ?? 0
    }
    await settingsTakenOver(world.ports)
    await world.ask('agent_apps.teardown', { app_id: 'desk' }, key)
    await world.ask('characters.delete', { char_id: 'ada' }, key)
    expect(await stored()).toBeGreaterThanOrEqual(0)
  })

  it.runIf(kind.name === 'sqlite')('leaves nothing of it in its files', async () => {
    const found = (): number =>
      readdirSync(place.folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.startsWith('abode.db'))
        .map(
          (name) =>
            readFileSync(join(place.folder, name)).toString('latin1').split(clear).length - 1,
        )
        .reduce((sum, count) => sum + count, 0)
    expect(found()).toBeGreaterThan(0)
    await store.wiping?.(() => settingsTakenOver(world.ports))
    expect(found()).toBe(0)
  })
})
