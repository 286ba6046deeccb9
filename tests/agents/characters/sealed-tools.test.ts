import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { secretsOf } from '#src/agents/tasks/replace-tasks.ts'
import type { Warning } from '#src/core/schema.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const named = 'Bearer {{secret.FILES}}'
const plain = { Accept: 'text/plain', 'X-Api-Version': '2026-01-01', 'X-Topic': '{{topic}}' }
const server = (value: string, more: object = {}) => ({
  name: 'files',
  type: 'mcp',
  config: { url: 'https://files.example/mcp', env: { 'x-key': value, Authorization: named } },
  ...more,
})
const call = (value: string, more: object = {}) => ({
  name: 'call',
  type: 'http',
  config: { url: 'https://shop.example/in', headers: { 'x-shop': value, ...plain }, ...more },
})
const task = (mark: string) => ({
  task_id: 't',
  name: 'T',
  tools: [server(`${mark}-server`), call(`Bearer ${mark}-call`)],
})
const shown = [server('***'), call('***')]
const at = ['/tools/0/config/env/x-key', '/tools/1/config/headers/x-shop'] as const
const secrets = (mark: string) => ({ [at[0]]: `${mark}-server`, [at[1]]: `Bearer ${mark}-call` })
const of = { char_id: 'ada', task_id: 't' }

interface Heart {
  heart: { tasks: { tools: object[] }[] }
}

describe.each(stores())('the secrets of tools of tasks on $name', (kind) => {
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
    const character = { id: 'ada', name: 'Ada', heart: { tasks: [task('one')] } }
    await world.ask('characters.create', { character }, key)
  })
  afterEach(async () => {
    await store.close()
    await place.remove()
  })

  const update = (more: object, by = key) => world.ask('tasks.update', { ...of, task: more }, by)
  const refused = (more: object, by = key) =>
    world.refusal('tasks.update', { ...of, task: more }, by)
  const kept = async (id = 'ada/t') => {
    const found = await store.tasks.get(id)
    return found ? secretsOf(found, world.ports.sealer) : undefined
  }
  const keyOfAgent = async (rights: string[] = []) => {
    const scope = { name: 'S', scope_char_id: 'ada', rights }
    return (await world.ask<{ key: string }>('api_keys.create', scope, key)).key
  }

  it('are shown masked wherever a task is shown, but for what names a secret or is none', async () => {
    expect(await world.ask('tasks.get', of, key)).toMatchObject({ tools: shown })
    const heart = { heart: { tasks: [{ tools: shown }] } }
    expect(await world.ask('characters.get', { char_id: 'ada' }, key)).toMatchObject(heart)
    expect(await world.ask('characters.list', {}, key)).toMatchObject({ items: [heart] })
    expect(await world.ask('tasks.list', { char_id: 'ada' }, key)).toMatchObject({
      items: [{ tools: shown }],
    })
    const more = { ...task('two'), task_id: 'more' }
    const made = await world.ask('tasks.create', { char_id: 'ada', task: more }, key)
    expect(made).toMatchObject({ tools: shown })
    expect(await kept('ada/more')).toEqual(secrets('two'))
    expect(await kept()).toEqual(secrets('one'))
    expect(JSON.stringify(await store.tasks.find({}))).not.toMatch(/one-|two-/)
  })

  it('stay where the mask is sent back, and change where a value is', async () => {
    const { heart } = await world.ask<Heart>('characters.get', { char_id: 'ada' }, key)
    await world.ask('characters.update', { char_id: 'ada', character: { heart } }, key)
    expect(await kept()).toEqual(secrets('one'))
    expect(await update({ tools: [call('***'), server('two-server')] })).toMatchObject({
      tools: [call('***'), server('***')],
    })
    expect(await kept()).toEqual({
      '/tools/0/config/headers/x-shop': 'Bearer one-call',
      '/tools/1/config/env/x-key': 'two-server',
    })
    const hook = { type: 'webhook', config: { path: 'in', secret: 'hook-secret' } }
    await update({ triggers: [hook], name: 'Other' })
    expect(await kept()).toMatchObject({
      0: 'hook-secret',
      '/tools/1/config/env/x-key': 'two-server',
    })
    await update({ tools: [] })
    expect(await kept()).toEqual({ 0: 'hook-secret' })
    expect(await refused({ tools: [server('***')] })).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: `/task${at[0]}`, code: 'secret_masked' }],
    })
  })

  itOnEach(
    'come back with a revision while they are kept, and else what had them is off',
    async () => {
      const char = { char_id: 'ada' }
      const restored = () =>
        world.ask<{ warnings?: Warning[] }>(
          'characters.revisions.restore',
          { ...char, revision: 1 },
          key,
        )
      await world.ask('characters.update', { ...char, character: { bio: 'Now' } }, key)
      expect(JSON.stringify(await store.character_revisions.find({}))).not.toMatch(/one-/)
      expect(await restored()).not.toHaveProperty('warnings')
      expect(await kept()).toEqual(secrets('one'))
      await update({ tools: [call('***')] })
      const back = await restored()
      expect(back.warnings).toMatchObject([
        { code: 'secret_lost', pointer: `/heart/tasks/0${at[0]}` },
      ])
      expect(back).toMatchObject({
        heart: { tasks: [{ tools: [{ enabled: false }, { enabled: true }] }] },
      })
      expect(await kept()).toEqual({ [at[1]]: 'Bearer one-call' })
    },
  )

  it('stay behind in exports and copies, and what had them is off', async () => {
    interface Exported {
      left_out: { pointer: string }[]
    }
    const exported = await world.ask<Exported>('characters.export', { char_id: 'ada' }, key)
    const pointers = at.map((one) => `/heart/tasks/0${one}`)
    expect(exported.left_out.map(({ pointer }) => pointer)).toEqual(pointers)
    expect(JSON.stringify(exported)).not.toMatch(/one-|\*\*\*/)
    const off = { heart: { tasks: [{ tools: [{ enabled: false }, { enabled: false }] }] } }
    const copy = await world.ask<{ warnings: Warning[] }>(
      'characters.clone',
      { char_id: 'ada', id: 'copy' },
      key,
    )
    expect(copy).toMatchObject(off)
    const lost = copy.warnings.filter(({ code }) => code === 'secret_lost')
    expect(lost.map(({ pointer }) => pointer)).toEqual(pointers)
    const whole = await world.ask<object>('characters.get', { char_id: 'ada' }, key)
    const data = Buffer.from(JSON.stringify({ ...whole, id: 'third' })).toString('base64')
    const file = { filename: 'ada.json', data }
    expect(await world.ask('characters.import', { file }, key)).toMatchObject(off)
    expect([await kept('copy/t'), await kept('third/t')]).toEqual([{}, {}])
  })

  it('are not carried to another origin by a key that acts as the agent', async () => {
    const [policy, scoped] = [await keyOfAgent(['policy']), await keyOfAgent()]
    const moved = (value: string) => {
      const { config } = server(value)
      return server(value, { config: { ...config, url: 'https://mine.example/mcp' } })
    }
    expect(await refused({ tools: [moved('***'), call('***')] }, policy)).toMatchObject({
      code: 'owner_only',
      errors: [{ pointer: `/task${at[0]}` }],
    })
    const elsewhere = call('***', { url: 'https://mine.example/in' })
    expect((await refused({ tools: [shown[0], elsewhere] }, policy)).code).toBe('owner_only')
    // A run of type api sends the headers to the address of its task.
    for (const by of [policy, scoped]) {
      const open = { api_url: 'https://{{host}}@shop.example/in' }
      expect(await refused(open, by)).toMatchObject({
        code: 'owner_only',
        errors: [{ pointer: `/task${at[1]}` }],
      })
    }
    const asTask = { ...shown[0], type: 'http' }
    const changed = { tools: [asTask, shown[1]], api_url: 'https://mine.example/' }
    expect((await refused(changed, policy)).code).toBe('owner_only')
    const heart = { tasks: [{ ...task('x'), tools: [moved('***')] }] }
    const character = { char_id: 'ada', character: { heart } }
    expect((await world.refusal('characters.update', character, policy)).code).toBe('owner_only')
    await update({ tools: [server('***', { enabled: false }), call('***')] }, policy)
    expect(await kept()).toEqual(secrets('one'))
    await update({ tools: [moved('mine'), call('***')] }, policy)
    expect(await kept()).toMatchObject({ [at[0]]: 'mine' })
  })

  it('are sent again by a key that acts as the agent, which is no change', async () => {
    const scoped = await keyOfAgent()
    await update({ tools: shown, prompt: 'New' }, scoped)
    await update({ tools: task('one').tools, prompt: 'Newer' }, scoped)
    expect(await kept()).toEqual(secrets('one'))
    expect((await refused({ tools: task('two').tools }, scoped)).code).toBe('owner_only')
  })

  itOnEach(
    'of a manifest are sealed with it, planned, applied again, and told as drift',
    async () => {
      const agents = (mark: string) => [
        { local_id: 'ada', name: 'Ada', heart: { tasks: [task(mark)] } },
      ]
      const manifest = (mark: string) => ({ app_id: 'desk', name: 'Desk', agents: agents(mark) })
      await world.ask('agent_apps.provision', { manifest: manifest('one') }, key)
      const read = await world.ask<object>('agent_apps.manifest', { app_id: 'desk' }, key)
      expect(read).toMatchObject({ agents: [{ heart: { tasks: [{ tools: shown }] } }] })
      interface Plan {
        update: object[]
        drift: { members: string[] }[]
      }
      const plan = (sent: unknown) =>
        world.ask<Plan>('agent_apps.plan', { app_id: 'desk', manifest: sent }, key)
      expect(await plan(read)).toMatchObject({ update: [], drift: [] })
      expect(await plan(manifest('one'))).toMatchObject({ update: [], drift: [] })
      expect((await plan(manifest('two'))).update).toEqual([
        expect.objectContaining({ id: 'desk' }),
        { kind: 'task', id: 'desk--ada/t', members: ['tools'] },
      ])
      await world.ask('agent_apps.update', { app_id: 'desk', manifest: manifest('two') }, key)
      expect(await kept('desk--ada/t')).toEqual(secrets('two'))
      await world.ask('agent_apps.update', { app_id: 'desk', manifest: read }, key)
      expect(await kept('desk--ada/t')).toEqual(secrets('two'))
      const byHand = { char_id: 'desk--ada', task_id: 't', task: { tools: task('by-hand').tools } }
      await world.ask('tasks.update', byHand, key)
      expect((await plan(read)).drift).toMatchObject([{ members: ['/heart/tasks/t/tools'] }])
      await world.ask('agent_apps.rollback', { app_id: 'desk', revision: 1 }, key)
      expect(await kept('desk--ada/t')).toEqual(secrets('one'))
      const rows = JSON.stringify([await store.app_revisions.find({}), await store.apps.find({})])
      expect(rows).not.toMatch(/one-|two-|by-hand/)
    },
  )
})
