import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it as itOnEach } from 'vitest'
import type { Plan } from '#src/apps/plan.ts'
import { secretsOf } from '#src/agents/tasks/replace-tasks.ts'
import type { Store } from '#src/ports/store.ts'
import { inForm } from '#tests/support/long-tests.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { openWorld, type World } from '#tests/support/world.ts'

type Sent = Record<string, unknown>

const word = fc.constantFrom('one', 'two', 'three')

const trigger = fc.oneof(
  fc.record({
    type: fc.constant('webhook'),
    config: fc.record(
      { path: fc.constantFrom('in', 'out'), secret: word },
      { requiredKeys: ['path'] },
    ),
  }),
  fc.record({ type: fc.constant('message') }),
  fc.record({ type: fc.constant('cron'), config: fc.constant({ cron: '5 4 * * *' }) }),
)

const task = fc.record(
  {
    task_id: fc.constantFrom('x', 'y', null),
    name: word,
    prompt: word,
    enabled: fc.boolean(),
    variables: fc.dictionary(word, word),
    triggers: fc.array(trigger, { maxLength: 2 }),
    reliability: fc.constantFrom(null, {}, { pause_on_failure: true }),
  },
  { requiredKeys: ['name'] },
)

/** Ids of tasks are their own, and so are names of those without one. */
const tasks = fc.uniqueArray(task, {
  maxLength: 4,
  selector: ({ task_id, name }) => task_id ?? `name ${name}`,
})

const agent = fc.record(
  {
    local_id: fc.constantFrom('a', 'b', 'c', 'd'),
    name: word,
    tagline: fc.option(word),
    skills: fc.array(word, { maxLength: 2 }),
    heart: fc.option(fc.record({ tasks }, { requiredKeys: [] })),
    'x-own': fc.constant({ kept: [1, null] }),
  },
  { requiredKeys: ['local_id', 'name'] },
)

const agents = fc.uniqueArray(agent, {
  minLength: 1,
  maxLength: 4,
  selector: ({ local_id }) => local_id,
})

const manifest: fc.Arbitrary<Sent> = fc
  .record(
    {
      name: word,
      agents,
      description: word,
      metadata: fc.dictionary(word, word),
      webhook: fc.option(
        fc.record(
          { url: fc.constant('https://hooks.example/in'), secret: word },
          { requiredKeys: ['url'] },
        ),
      ),
      team: fc.option(fc.record({ name: word })),
      secrets: fc.constantFrom([], [{ name: 'TOKEN', required: true }]),
    },
    { requiredKeys: ['name', 'agents'] },
  )
  .chain((sent) => {
    const ids = sent.agents.map(({ local_id }) => local_id)
    const pair = fc
      .record({
        from: fc.constantFrom(...ids),
        to: fc.constantFrom(...ids),
        permissions: fc.array(word),
      })
      .filter(({ from, to }) => from !== to)
    const pairs =
      ids.length < 2
        ? fc.constant([])
        : fc.uniqueArray(pair, { maxLength: 4, selector: ({ from, to }) => `${from} ${to}` })
    return pairs.map((connections) => ({ manifest_version: 1, ...sent, connections }))
  })

const edits = fc.array(fc.record({ manifest, prune: fc.boolean() }), { minLength: 2, maxLength: 4 })

describe.each(stores())('updates of apps on $name', (kind) => {
  const { it } = onFirstStore(kind)
  // What is decided is the same on every store: a slower one need not show it as often.
  const amounts = inForm({ short: { sqlite: 15, mongodb: 3 }, long: { sqlite: 30, mongodb: 10 } })
  const rounds = amounts[kind.name]
  let store: Store
  let world: World
  let key: string
  let count = 0
  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
    key = (await world.account()).key
  })
  afterAll(() => store.close())

  const ask = <T = Sent>(name: string, input: object): Promise<T> =>
    world.ask<T>(`agent_apps.${name}`, input, key)

  /** The documents of an app's agents as they are kept, without what every change moves. */
  const kept = async (app_id: string) => {
    const moving = { revision: 0, created_at: '', updated_at: '', due_at: null }
    const characters = await store.characters.find({ app_id }, { sort: { id: 1 } })
    const ids = characters.map(({ id }) => id)
    const found = await store.tasks.find({ char_id: { $in: ids } })
    const own = found.map((one) => {
      const secrets = secretsOf(one, world.ports.sealer)
      // A task without an id continues the one of the same name, so ids may differ.
      return { ...one, ...moving, id: '', task_id: '', trigger_secrets: null, secrets }
    })
    const edges = await store.edges.find({ char_id: { $in: ids } }, { sort: { id: 1 } })
    const app = await store.apps.get(app_id)
    return {
      app: { ...app, ...moving, manifest_hash: '' },
      characters: characters.map((one) => ({ ...one, ...moving })),
      tasks: own.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
      edges: edges.map((one) => ({ ...one, created_at: '' })),
    }
  }
  const nothing = { create: [], update: [], remove: [] }

  it('comes to what the manifest says, after which there is nothing to do', async () => {
    await fc.assert(
      fc.asyncProperty(edits, async (steps) => {
        const app_id = `app-${(count += 1)}`
        const [first, ...others] = steps.map((step) => ({
          ...step,
          manifest: { ...step.manifest, app_id },
        }))
        await ask('provision', { manifest: first?.manifest })
        for (const step of others) {
          const planned = await ask<Plan>('plan', { app_id, ...step })
          const { plan } = await ask<{ plan: Plan }>('update', { app_id, ...step })
          expect(shape(plan), 'a plan says what an update does').toEqual(shape(planned))
          const readBack = await ask('manifest', { app_id })
          expect(
            JSON.parse(JSON.stringify(readBack).replaceAll('***', '')),
            'kept as sent',
          ).toEqual(JSON.parse(JSON.stringify(step.manifest), withoutSecrets))
          const again = { app_id, manifest: readBack, prune: step.prune }
          expect(await ask('plan', again)).toMatchObject({ ...nothing, drift: [] })
          const before = await kept(app_id)
          const { app } = await ask<{ app: Sent }>('update', again)
          expect(app).toEqual((await ask<{ app: Sent }>('update', again)).app)
          expect(await kept(app_id)).toEqual(before)
        }
        await ask('teardown', { app_id })
      }),
      { numRuns: rounds },
    )
  })

  it('is undone by a rollback, secrets and all', async () => {
    await fc.assert(
      fc.asyncProperty(edits, async (steps) => {
        const app_id = `app-${(count += 1)}`
        const seen = new Map<number, Awaited<ReturnType<typeof kept>>>()
        for (const [i, { manifest }] of steps.entries()) {
          const sent = { ...manifest, app_id }
          const { app } = await ask<{ app: { revision: number } }>(
            i === 0 ? 'provision' : 'update',
            i === 0 ? { manifest: sent } : { app_id, manifest: sent, prune: true },
          )
          seen.set(app.revision, await kept(app_id))
        }
        for (const [revision, before] of seen) {
          await ask('rollback', { app_id, revision, prune: true })
          expect(await kept(app_id)).toEqual(before)
          const old = await ask('manifest', { app_id, revision })
          expect(await ask('manifest', { app_id })).toEqual(old)
          expect(await ask('plan', { app_id, manifest: old })).toMatchObject({
            ...nothing,
            orphaned: [],
            drift: [],
          })
        }
        await ask('teardown', { app_id })
      }),
      { numRuns: rounds },
    )
  })

  /** An app whose only agent has a task of a daily schedule and one called heartbeat. */
  const scheduled = async (heart: object = {}, more: object = {}) => {
    const app_id = `app-${(count += 1)}`
    const prompt = 'What is new?'
    const daily = { task_id: 'daily', name: 'Daily', prompt, triggers: [cron('30 4 * * *')] }
    const beat = { task_id: 'beat', name: 'heartbeat', prompt }
    const rhythm = { heartbeat_interval: '2h', tasks: [daily, beat], ...heart }
    const manifest = {
      manifest_version: 1,
      app_id,
      name: 'App',
      agents: [{ local_id: 'a', name: 'A', heart: rhythm }],
      ...more,
    }
    return { app_id, manifest, char_id: `${app_id}--a` }
  }
  const cron = (pattern: string): Sent => ({ type: 'cron', config: { cron: pattern } })
  const storedTask = (char_id: string, task_id: string) => store.tasks.get(`${char_id}/${task_id}`)

  it('leaves a task paused, says so, and does not take a pause or a skip for drift', async () => {
    const { app_id, manifest, char_id } = await scheduled()
    await ask('provision', { manifest })
    await world.ask('tasks.pause', { char_id, task_id: 'daily', reason: 'Moving.' }, key)
    expect(await ask('get', { app_id })).toMatchObject({ drift: [] })
    const changed = { ...manifest, description: 'other' }
    expect(await ask('update', { app_id, manifest: changed })).toMatchObject({
      drift: [],
      warnings: [{ code: 'task_paused', pointer: '/agents/0/heart/tasks/0/enabled' }],
    })
    expect(await storedTask(char_id, 'daily')).toMatchObject({
      enabled: false,
      due_at: expect.stringContaining('T04:30:00') as unknown,
      reliability: { pause_reason: 'Moving.' },
    })
    await world.ask('tasks.resume', { char_id, task_id: 'daily' }, key)
    await world.ask('tasks.skip_next', { char_id, task_id: 'daily' }, key)
    const { skip_next_run_at } = (await storedTask(char_id, 'daily')) ?? {}
    expect(skip_next_run_at).toBeTruthy()
    expect(await ask('get', { app_id })).toMatchObject({ drift: [] })
    await ask('update', { app_id, manifest })
    expect(await storedTask(char_id, 'daily')).toMatchObject({ enabled: true, skip_next_run_at })
  })

  it('has schedules follow the manifest, and the heartbeat its interval', async () => {
    const { app_id, manifest, char_id } = await scheduled()
    await ask('provision', { manifest })
    const before = await storedTask(char_id, 'beat')
    expect(before?.due_at).toMatch(/^20/)
    const { manifest: without } = await scheduled({ heartbeat_interval: null })
    const { plan } = await ask<{ plan: Plan }>('update', {
      app_id,
      manifest: { ...without, app_id },
    })
    expect(plan.unchanged).toContainEqual({ kind: 'task', id: `${char_id}/beat` })
    expect(await storedTask(char_id, 'beat')).toMatchObject({ due_at: null, revision: 1 })
    const later = await scheduled({
      tasks: [{ task_id: 'daily', name: 'Daily', triggers: [cron('45 5 * * *')] }],
    })
    await ask('update', { app_id, manifest: { ...later.manifest, app_id } })
    expect((await storedTask(char_id, 'daily'))?.due_at).toContain('T05:45:00')
    expect((await storedTask(char_id, 'beat'))?.due_at, 'left, and beating again').toMatch(/^20/)
  })

  itOnEach('does one after the other when updates come at once', async () => {
    const { app_id, manifest, char_id } = await scheduled()
    await ask('provision', { manifest })
    const names = ['Ada', 'Bea', 'Cleo']
    const update = (name: string) =>
      ask<{ app: { revision: number } }>('update', {
        app_id,
        manifest: { ...manifest, name, agents: [{ local_id: 'a', name }] },
      })
    const answers = await Promise.all(names.map(update))
    expect(answers.map(({ app }) => app.revision).sort((a, b) => a - b)).toEqual([2, 3, 4])
    const last = answers.findIndex(({ app }) => app.revision === 4)
    expect(await ask('get', { app_id })).toMatchObject({ name: names[last], drift: [] })
    expect(await store.characters.get(char_id)).toMatchObject({ name: names[last], revision: 4 })
    expect(await store.app_revisions.count({ app_id })).toBe(4)
  })

  it('tells those who wait for the platform event, and a large app with what fits', async () => {
    const listening = { type: 'event', config: { event: 'app.updated' } }
    const tasks = [{ task_id: 'hear', name: 'Hear', triggers: [listening] }]
    const webhook = { url: 'https://hooks.example/in' }
    const { app_id, manifest } = await scheduled({ tasks }, { webhook, team: { name: 'All' } })
    await ask('provision', { manifest })
    const many = Array.from({ length: 50 }, (_, i) => ({
      local_id: `${'long-'.repeat(11)}${i}`,
      id: `${'x'.repeat(110)}-${count}-${i}`,
      name: 'A',
      heart: i === 0 ? { tasks } : null,
    }))
    await ask('update', { app_id, manifest: { ...manifest, agents: many }, prune: true })
    const events = await store.events.find({ app_id })
    expect(events).toMatchObject([
      { type: 'app.updated', char_id: null, data: { app_id, revision: 2, remove: 1, create: 51 } },
    ])
    const sent = await store.deliveries.find({ app_id, type: 'agent_app.updated' })
    const body = sent[0]?.body ?? ''
    expect(Buffer.byteLength(body)).toBeLessThan(20_000)
    expect(JSON.parse(body)).toMatchObject({ data: { app_id, truncated: true } })
    expect(JSON.parse(body).data.agents.length).toBeGreaterThan(10)
  })

  it('keeps secrets that a changed manifest shows masked', async () => {
    await fc.assert(
      fc.asyncProperty(manifest, async (sent) => {
        const app_id = `app-${(count += 1)}`
        await ask('provision', { manifest: { ...sent, app_id } })
        const before = await kept(app_id)
        const masked = await ask('manifest', { app_id })
        const manifest = { ...masked, description: 'changed', metadata: { is: 'changed' } }
        await ask('update', { app_id, manifest })
        expect({ ...(await kept(app_id)), app: null }).toEqual({ ...before, app: null })
        await ask('teardown', { app_id })
      }),
      { numRuns: rounds },
    )
  })
})

function withoutSecrets(name: string, value: unknown): unknown {
  return name === 'secret' ? '' : value
}

/** What a plan does, but for the ids that new tasks are given. */
function shape(plan: Plan): Sent {
  const lists = [plan.create, plan.update, plan.unchanged, plan.remove, plan.orphaned]
  return lists.map((items) =>
    items.map(({ kind, id, members }) => [kind, id.replace(/tsk_\w+/, 'new'), members]),
  ) as unknown as Sent
}
