import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { manifestHash } from '#src/apps/app.ts'
import { revisionSecrets } from '#src/agents/app/sealed-secrets.ts'
import { openedAgent, openedTools, settingsOf } from '#src/agents/sealed/keep.ts'
import type { Sender } from '#src/ports/sender.ts'
import { isTakenOver, settingsTakenOver } from '#src/work/take-over.ts'
import { startWork } from '#src/work/work.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const clear = 'marker-of-before-0123456789'
const brain = { mcps: [{ name: 'files', url: 'https://files.example/', env: { 'x-key': clear } }] }
const control = {
  channels: [{ name: 'ops', type: 'webhook', config: { secret: `${clear}-channel` } }],
}

const heart = {
  tasks: [
    {
      task_id: 't',
      name: 'T',
      runtime: 'api',
      api_url: 'https://shop.example/in',
      tools: [{ name: 'call', type: 'http', config: { headers: { 'x-shop': `${clear}-tool` } } }],
    },
  ],
}

/** What stands in place of them. */
const masked = { brain, control, heart }

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
      { character: { id: 'ada', name: 'Ada', brain, control, heart } },
      key,
    )
    await world.ask('characters.update', { char_id: 'ada', character: { bio: 'Now' } }, key)
    const agents = [{ local_id: 'a', name: 'A', brain, control, heart }]
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
    for (const task of await store.tasks.find({})) {
      const { tools } = openedTools(task, world.ports.sealer)
      await store.tasks.update({ id: task.id }, { $set: { tools, trigger_secrets: null } })
    }
    for (const { id, character } of await store.character_revisions.find({})) {
      const whole = JSON.parse(character) as typeof masked
      for (const server of whole.brain.mcps) server.env['x-key'] = clear
      for (const channel of whole.control.channels) channel.config.secret = `${clear}-channel`
      for (const { tools } of whole.heart.tasks) {
        for (const { config } of tools) config.headers['x-shop'] = `${clear}-tool`
      }
      await store.character_revisions.update({ id }, { $set: { character: JSON.stringify(whole) } })
    }
    for (const { id, app_id, manifest } of await store.app_revisions.find({})) {
      const whole = JSON.parse(manifest) as { agents: object[] }
      Object.assign(whole.agents[0] ?? {}, { brain, control, heart })
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
      await store.tasks.find({}),
    ])

  it('holds nothing in clear once it is taken over, and does what it did', async () => {
    expect((await everything()).split(clear).length - 1).toBe(12)
    expect(await isTakenOver(store)).toBe(false)
    expect(await settingsTakenOver(world.ports)).toBe(6)
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
    expect(revision && Object.values(revisionSecrets(revision, world.ports.sealer))).toEqual([
      ...Object.values(secrets),
      `${clear}-tool`,
    ])
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

  it('runs its tasks as before, with what their tools send', async () => {
    await settingsTakenOver(world.ports)
    const sent: unknown[] = []
    const sender: Sender = {
      send: ({ headers }) => {
        sent.push(headers)
        return Promise.resolve({ status: 200, headers: {}, body: `${clear}-tool came` })
      },
      load: () => Promise.reject(new Error('only texts are sent here')),
      objection: () => undefined,
      close: () => Promise.resolve(),
    }
    const after = openWorld(store, { sender })
    const work = startWork(after.ports, ['runner'], 1)
    const call = { char_id: 'ada', task_id: 't', wait_seconds: 60 }
    const run = await after.ask('tasks.run', call, key)
    await work.stop()
    expect(run).toMatchObject({ status: 'completed', output: '[secret] came' })
    expect(sent).toMatchObject([{ 'x-shop': `${clear}-tool` }])
  })

  it('hears calls and messages as before, which its tasks did not tell of', async () => {
    const triggers = [
      { type: 'webhook', config: { path: '/orders/' } },
      { type: 'action', config: {} },
      { type: 'message' },
    ]
    const task = { task_id: 'hears', name: 'hears', runtime: 'template', prompt: 'yes', triggers }
    await world.ask('tasks.create', { char_id: 'ada', task }, key)
    await store.tasks.update({ id: 'ada/hears' }, { $unset: { awaited_calls: true } })
    await world.ask('characters.create', { character: { id: 'bo', name: 'Bo' } }, key)
    const call = { char_id: 'ada', path: 'orders', body: {} }
    expect((await world.refusal('hooks.receive', call)).code).toBe('hook_not_found')
    await settingsTakenOver(world.ports)
    expect(await world.ask('hooks.receive', call)).toMatchObject({ runs: [expect.any(String)] })
    const action = { char_id: 'ada', name: 'hears' }
    expect(await world.ask('actions.invoke', action, key)).toMatchObject({
      runs: [expect.any(String)],
    })
    const message = { char_id: 'bo', to: 'ada', body: 'Hello' }
    expect(await world.ask('messages.send', message, key)).toMatchObject({
      runs: [expect.any(String)],
    })
  })

  it('finds tools in clear where everything else was taken over already', async () => {
    await store.meta.insert({ id: 'settings_sealed', value: 'done' })
    expect(await isTakenOver(store)).toBe(false)
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
