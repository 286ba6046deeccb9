import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const app_id = 'news'
const manifest = {
  manifest_version: 1,
  app_id,
  name: 'Newsroom',
  agents: [
    { local_id: 'rosa', id: 'rosa', name: 'Rosa' },
    {
      local_id: 'will',
      id: 'will',
      name: 'Will',
      heart: {
        tasks: [
          { task_id: 'write', name: 'Write', runtime: 'template', triggers: [{ type: 'message' }] },
        ],
      },
    },
  ],
  connections: [{ from: 'rosa', to: 'will', permissions: ['message'] }],
}

describe.each(stores())('a paused app on $name', (kind) => {
  let store: Store
  let world: World
  let key: string

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    key = (await world.account()).key
    await world.ask('agent_apps.provision', { manifest }, key)
  })
  afterEach(() => store.close())

  const ask = <T>(name: string, input: object): Promise<T> => world.ask<T>(name, input, key)
  const pause = (): Promise<object> => ask('agent_apps.pause', { app_id })
  const resume = (more: object = {}): Promise<object> =>
    ask('agent_apps.resume', { app_id, ...more })
  const write = async (): Promise<string> => {
    const sent = { char_id: 'rosa', to: 'will', body: 'A text.' }
    return (await ask<{ runs: string[] }>('messages.send', sent)).runs[0] ?? ''
  }

  it.each([
    ['run', { waits_for: 'worker', reason: null }],
    ['drop', { status: 'cancelled', reason: 'dropped' }],
  ])('holds what messages start until it is resumed, with held: %s', async (held, after) => {
    await pause()
    const run = await write()
    expect(await store.runs.get(run)).toMatchObject({ status: 'queued', reason: 'task_paused' })
    await resume({ held })
    expect(await store.runs.get(run)).toMatchObject(after)
    expect((await store.runs.get(await write()))?.reason).toBeNull()
  })

  it('is paused once and resumed once, however many ask, and records it', async () => {
    await Promise.all([pause(), pause(), pause()])
    await Promise.all([resume(), resume(), resume()])
    expect(await store.apps.get(app_id)).toMatchObject({ status: 'active', revision: 1 })
    expect(await store.tasks.get('will/write')).toMatchObject({ enabled: true, app_paused: false })
    const { items } = await ask<{ items: { operation: string }[] }>('account.audit', {})
    const done = items.map(({ operation }) => operation).filter((name) => /pause|resume/.test(name))
    expect(done).toEqual(['agent_apps.resume', 'agent_apps.pause'])
  })

  it('keeps a task that comes meanwhile from starting, whichever was first', async () => {
    const task = { name: 'T', runtime: 'template', triggers: [{ type: 'message' }] }
    await Promise.all([
      pause(),
      ...[1, 2, 3].map((n) =>
        ask('tasks.create', { char_id: 'will', task: { ...task, task_id: `t${n}` } }),
      ),
    ])
    expect(await store.tasks.find({ char_id: 'will', enabled: true })).toEqual([])
  })

  it('leaves agents that outlive it with their tasks paused, for their owner to resume', async () => {
    await pause()
    await ask('agent_apps.teardown', { app_id, keep_agents: true })
    await ask('tasks.resume', { char_id: 'will', task_id: 'write' })
    expect(await store.tasks.get('will/write')).toMatchObject({ enabled: true })
  })

  it('stays paused through a rollback', async () => {
    await ask('agent_apps.update', { app_id, manifest: { ...manifest, name: 'Other' } })
    await pause()
    expect(await ask('agent_apps.rollback', { app_id, revision: 1 })).toMatchObject({
      app: { status: 'paused', name: 'Newsroom' },
    })
    expect(await store.tasks.get('will/write')).toMatchObject({ enabled: false })
  })

  it('no longer resumes a task that a manifest has switched off meanwhile', async () => {
    await pause()
    const off = structuredClone(manifest)
    Object.assign(off.agents[1]?.heart?.tasks[0] ?? {}, { enabled: false })
    await ask('agent_apps.update', { app_id, manifest: off })
    await resume()
    expect(await store.tasks.get('will/write')).toMatchObject({ enabled: false })
  })
})
