import { expect } from 'vitest'
import {
  agent,
  brokenCursor,
  given,
  needsKey,
  nowhere,
  staleRevision,
  type Case,
  type Stage,
} from './case.ts'

interface Spec {
  local_id: string
  [member: string]: unknown
}

const write = { task_id: 'write', name: 'Write', prompt: 'Write up: {{input}}' }
const hook = { type: 'webhook', config: { path: 'in', secret: 'marker-trigger' } }

const agents = (): Spec[] => [
  {
    local_id: 'rosa',
    name: 'Rosa',
    heart: { tasks: [{ name: 'Research', prompt: 'Look.', triggers: [hook] }] },
  },
  { local_id: 'will', name: 'Will', heart: { tasks: [write] } },
]

const manifestOf = (app_id: string, more: object = {}) => ({
  manifest_version: 1,
  app_id,
  name: 'Newsroom',
  agents: agents(),
  connections: [{ from: 'rosa', to: 'will', permissions: ['message'] }],
  webhook: { url: 'https://hooks.example/in', secret: 'marker-webhook' },
  ...more,
})

/** Will alone, with another tagline and without his task. */
const willOnly = (app_id: string, more: object = {}) =>
  manifestOf(app_id, {
    agents: [{ local_id: 'will', name: 'Will', tagline: 'Alone' }],
    connections: [],
    ...more,
  })

const provisioned = async (stage: Stage, more: object = {}): Promise<string> => {
  const app_id = stage.id('news')
  await stage.ask('agent_apps.provision', { manifest: manifestOf(app_id, more) })
  return app_id
}

const told = async (stage: Stage, app_id: string): Promise<string[]> => {
  const rows = await stage.world.ports.store.deliveries.find({ app_id }, { sort: { id: 1 } })
  return rows.map(({ type }) => type)
}

const update = 'agent_apps.update'
const planning = 'agent_apps.plan'
const rollback = 'agent_apps.rollback'

const missing = (op: string, input: (app_id: string) => object): Case[] => [
  given({
    op,
    title: 'an app that does not exist is not found',
    as: 'owner',
    input: () => input(nowhere),
    refusal: 'app_not_found',
  }),
  given({
    op,
    title: "another account's app is forbidden",
    as: 'stranger',
    given: (stage) => provisioned(stage),
    input,
    refusal: 'forbidden',
  }),
]

/** What an update and its plan refuse alike. */
const refused = (op: string): Case[] => [
  ...missing(op, (app_id) => ({ app_id, manifest: manifestOf(app_id) })),
  given({
    op,
    title: 'a change of what never changes is refused, with every fault at once',
    as: 'owner',
    given: (stage) => provisioned(stage),
    input: (app_id) => {
      const [rosa, will] = agents()
      const manifest = manifestOf('another', {
        name: '',
        agents: [
          { ...rosa, id: 'rosa-2' },
          { local_id: 'bill', name: 'Bill', id: `${app_id}--will` },
          will,
        ],
      })
      return { app_id, manifest }
    },
    refusal: 'manifest_invalid',
    error: ({ errors = [] }) => {
      const found = errors.map(({ code, pointer }) => `${code} ${pointer}`)
      expect(found).toEqual(
        expect.arrayContaining([
          'app_id_fixed /app_id',
          'id_fixed /agents/0/id',
          'id_fixed /agents/1/id',
        ]),
      )
      expect(errors.map(({ pointer }) => pointer)).toContain('/name')
    },
  }),
  given({
    op,
    title: 'a mask where no secret is kept is refused',
    as: 'owner',
    given: (stage) => provisioned(stage, { webhook: null }),
    input: (app_id) => ({
      app_id,
      manifest: manifestOf(app_id, { webhook: { url: 'https://hooks.example/in', secret: '***' } }),
    }),
    refusal: 'manifest_invalid',
    error: (error) =>
      expect(error.errors).toMatchObject([{ code: 'secret_masked', pointer: '/webhook/secret' }]),
  }),
  given({
    op,
    title: 'an app with those that are left has at most 50 agents',
    as: 'owner',
    given: (stage) => provisioned(stage, { agents: many('a'), connections: [] }),
    input: (app_id) => ({
      app_id,
      manifest: manifestOf(app_id, { agents: many('b'), connections: [] }),
    }),
    refusal: 'manifest_invalid',
    error: (error) => expect(error.errors).toMatchObject([{ code: 'too_many_agents' }]),
  }),
  given({
    op,
    title: 'a new agent cannot have the id of another',
    as: 'owner',
    given: async (stage) => ({ app_id: await provisioned(stage), id: await agent(stage) }),
    input: ({ app_id, id }) => ({
      app_id,
      manifest: manifestOf(app_id, { agents: [...agents(), { local_id: 'x', id, name: 'X' }] }),
    }),
    refusal: 'character_id_taken',
    error: (error, { id }) => expect(error.detail).toContain(id),
  }),
  given({
    op,
    title: 'ids of another app are reserved',
    as: 'owner',
    given: async (stage) => [await provisioned(stage), await provisioned(stage)],
    input: ([app_id = '', other]) => ({
      app_id,
      manifest: manifestOf(app_id, {
        agents: [...agents(), { local_id: 'x', id: `${other}--x`, name: 'X' }],
      }),
    }),
    refusal: 'id_reserved',
  }),
  staleRevision(op, async (stage) => {
    const app_id = await provisioned(stage)
    return { app_id, manifest: manifestOf(app_id) }
  }),
]

function many(letter: string): Spec[] {
  return Array.from({ length: 26 }, (_, i) => ({ local_id: `${letter}${i}`, name: 'A' }))
}

const updating: Case[] = [
  ...needsKey(update, { app_id: 'news', manifest: {} }),
  given({
    op: update,
    title: 'what the manifest no longer names stays, and is told',
    as: 'owner',
    given: (stage) => provisioned(stage),
    input: (app_id) => ({ app_id, manifest: willOnly(app_id) }),
    answer: async (answer, app_id, stage) => {
      expect(answer.plan).toMatchObject({
        create: [],
        update: [
          { kind: 'app', id: app_id, members: ['agents', 'connections'] },
          { kind: 'agent', id: `${app_id}--will`, members: ['heart', 'tagline'] },
        ],
        remove: [],
        orphaned: [
          { kind: 'agent', id: `${app_id}--rosa` },
          { kind: 'task', id: `${app_id}--will/write` },
          { kind: 'connection', id: `${app_id}--rosa/${app_id}--will` },
          { kind: 'connection', id: `${app_id}--will/${app_id}--rosa` },
        ],
      })
      expect(answer.warnings).toMatchObject([{ code: 'orphaned' }])
      expect(answer).toMatchObject({
        app: {
          revision: 2,
          agents: [{ local_id: 'will' }, { local_id: 'rosa', orphaned: true }],
        },
      })
      await stage.ask('characters.get', { char_id: `${app_id}--rosa` })
      expect(await told(stage, app_id)).toEqual(['agent_app.provisioned', 'agent_app.updated'])
      expect(await stage.ask('agent_apps.manifest', { app_id })).toMatchObject(
        willOnly(app_id, { webhook: { url: 'https://hooks.example/in', secret: '***' } }),
      )
    },
  }),
  given({
    op: update,
    title: 'with prune it goes, and its runs with it',
    as: 'owner',
    given: async (stage) => {
      const app_id = await provisioned(stage)
      const asked = { char_id: `${app_id}--will`, task_id: 'write', input: 'a text' }
      return { app_id, run: (await stage.ask('tasks.run', asked)).id }
    },
    input: ({ app_id }) => ({ app_id, manifest: willOnly(app_id), prune: true }),
    answer: async (answer, { app_id, run }, stage) => {
      expect(answer.plan).toMatchObject({ orphaned: [], remove: [{ kind: 'agent' }, {}, {}, {}] })
      expect(answer).toMatchObject({ app: { agents: [{ local_id: 'will' }] } })
      const gone = stage.ask('characters.get', { char_id: `${app_id}--rosa` })
      await expect(gone).rejects.toMatchObject({ code: 'character_not_found' })
      expect(await stage.ask('characters.get', { char_id: `${app_id}--will` })).toMatchObject({
        tagline: 'Alone',
        heart: null,
      })
      expect(await stage.ask('runs.get', { run_id: run })).toMatchObject({
        status: 'cancelled',
        reason: 'task_deleted',
      })
    },
  }),
  given({
    op: update,
    title: 'dry_run shows what would be done and does nothing',
    as: 'owner',
    given: (stage) => provisioned(stage),
    input: (app_id) => ({ app_id, manifest: willOnly(app_id), prune: true, dry_run: true }),
    answer: async (answer, app_id, stage) => {
      expect(answer.plan).toMatchObject({ remove: [{}, {}, {}, {}] })
      expect(await stage.ask('agent_apps.get', { app_id })).toMatchObject({ revision: 1 })
      expect(await told(stage, app_id)).toEqual(['agent_app.provisioned'])
    },
  }),
  given({
    op: update,
    title: 'the manifest as it is read back changes nothing, and no event is sent',
    as: 'owner',
    given: async (stage) => {
      const app_id = await provisioned(stage)
      return { app_id, manifest: await stage.ask('agent_apps.manifest', { app_id }) }
    },
    input: (facts) => facts,
    answer: async (answer, { app_id }, stage) => {
      expect(answer.plan).toMatchObject({ create: [], update: [], remove: [], orphaned: [] })
      expect(answer).toMatchObject({ app: { revision: 1 }, drift: [] })
      expect(await told(stage, app_id)).toEqual(['agent_app.provisioned'])
    },
  }),
  given({
    op: update,
    title: 'what was changed by hand is overwritten and told, but for secrets and pauses',
    as: 'owner',
    given: async (stage) => {
      const app_id = await provisioned(stage)
      const [rosa, will] = [`${app_id}--rosa`, `${app_id}--will`]
      await stage.ask('characters.update', { char_id: will, character: { tagline: 'By hand' } })
      const task = { prompt: 'By hand' }
      await stage.ask('tasks.update', { char_id: will, task_id: 'write', task })
      await stage.tick()
      const added = { task_id: 'extra', name: 'Extra' }
      await stage.ask('tasks.create', { char_id: will, task: added })
      await stage.ask('characters.delete', { char_id: rosa })
      return { app_id, manifest: await stage.ask('agent_apps.manifest', { app_id }) }
    },
    input: (facts) => facts,
    answer: async (answer, { app_id }, stage) => {
      const [rosa, will] = [`${app_id}--rosa`, `${app_id}--will`]
      expect(answer).toMatchObject({
        drift: [
          { local_id: 'rosa', id: rosa, change: 'deleted', members: [] },
          {
            local_id: 'will',
            id: will,
            change: 'changed',
            members: ['/tagline', '/heart/tasks/write/prompt', '/heart/tasks/extra'],
          },
        ],
        app: { revision: 2 },
      })
      expect(answer.plan.orphaned).toMatchObject([{ kind: 'task', id: `${will}/extra` }])
      const { heart } = await stage.ask('characters.get', { char_id: will })
      expect(heart.tasks).toMatchObject([{ task_id: 'extra' }, { prompt: write.prompt }])
      const restored = await stage.ask('characters.get', { char_id: rosa })
      expect(restored.heart.tasks[0]).toMatchObject({
        triggers: [{ config: { path: 'in', secret: '***' } }],
      })
      const kept = await stage.world.ports.store.tasks.find({ char_id: rosa })
      expect(kept[0]?.trigger_secrets, 'the secret of the manifest').not.toBeNull()
      expect(await stage.ask('agent_apps.get', { app_id })).toMatchObject({ drift: [] })
    },
  }),
  given({
    op: update,
    title: 'secrets are asked for, and never carried',
    as: 'owner',
    given: async (stage) => {
      const app_id = await provisioned(stage)
      const secrets = [{ name: 'TOKEN', value: 'marker-token' }]
      await stage.ask('characters.secrets.update', { char_id: `${app_id}--rosa`, secrets })
      return app_id
    },
    input: (app_id) => ({
      app_id,
      manifest: manifestOf(app_id, {
        secrets: [
          { name: 'TOKEN', required: true },
          { name: 'MORE', agents: ['rosa'] },
        ],
      }),
    }),
    answer: async (answer, app_id, stage) => {
      const secrets_needed = [
        {
          name: 'TOKEN',
          description: null,
          required: true,
          set: false,
          agents: [
            { local_id: 'rosa', id: `${app_id}--rosa`, set: true },
            { local_id: 'will', id: `${app_id}--will`, set: false },
          ],
        },
        {
          name: 'MORE',
          description: null,
          required: false,
          set: false,
          agents: [{ local_id: 'rosa', id: `${app_id}--rosa`, set: false }],
        },
      ]
      expect(answer).toMatchObject({ secrets_needed })
      expect(answer.warnings).toMatchObject([{ code: 'secret_missing', pointer: '/secrets/0' }])
      expect(JSON.stringify(answer)).not.toContain('marker-')
      expect(await stage.ask('agent_apps.get', { app_id })).toMatchObject({ secrets_needed })
      const { id } = await stage.ask('account.get', {})
      const inbox = await stage.world.ports.store.notices.find({ owner_id: id })
      const missing = inbox.filter(({ type }) => type === 'secret.missing')
      expect(missing).toHaveLength(1)
    },
  }),
  ...refused(update),
]

const planned: Case[] = [
  ...needsKey(planning, { app_id: 'news', manifest: {} }),
  given({
    op: planning,
    title: 'a plan says what an update would do',
    as: 'owner',
    given: (stage) => provisioned(stage),
    input: (app_id) => ({
      app_id,
      manifest: manifestOf(app_id, {
        agents: [...agents(), { local_id: 'nora', name: 'Nora' }],
        connections: [{ from: 'rosa', to: 'will', permissions: ['run_task'] }],
      }),
    }),
    answer: async (answer, app_id, stage) => {
      const will = { kind: 'agent', id: `${app_id}--will` }
      expect(answer).toMatchObject({
        create: [{ kind: 'agent', id: `${app_id}--nora` }],
        update: [
          { kind: 'app', id: app_id, members: ['agents', 'connections'] },
          { kind: 'connection', members: ['permissions'] },
          { kind: 'connection', members: ['permissions'] },
        ],
        unchanged: [{ kind: 'agent' }, will, { kind: 'task' }, { kind: 'task' }],
        remove: [],
        orphaned: [],
        drift: [],
      })
      expect(await stage.ask('agent_apps.get', { app_id })).toMatchObject({ revision: 1 })
    },
  }),
  ...refused(planning),
]

const rolledBack = (prune: boolean): Case =>
  given({
    op: rollback,
    title: `an earlier manifest is applied again, later agents are ${prune ? 'removed' : 'kept'}`,
    as: 'owner',
    given: async (stage) => {
      const app_id = await provisioned(stage)
      const manifest = manifestOf(app_id, {
        name: 'Other',
        agents: [...agents(), { local_id: 'nora', name: 'Nora' }],
        webhook: null,
      })
      await stage.ask(update, { app_id, manifest })
      return app_id
    },
    input: (app_id) => ({ app_id, revision: 1, prune }),
    answer: async (answer, app_id, stage) => {
      expect(answer).toMatchObject({
        app: { revision: 3, name: 'Newsroom', webhook: { secret: '***', state: 'active' } },
        plan: prune ? { remove: [{ kind: 'agent' }] } : { orphaned: [{ kind: 'agent' }] },
      })
      expect(await told(stage, app_id)).toEqual(['agent_app.provisioned', 'agent_app.updated'])
      const first = await stage.ask('agent_apps.manifest', { app_id, revision: 1 })
      expect(await stage.ask('agent_apps.manifest', { app_id })).toEqual(first)
    },
  })

/** An app whose first revision had an agent of this id, which a later one has removed. */
const without = async (stage: Stage, id: string): Promise<string> => {
  const app_id = await provisioned(stage, {
    agents: [...agents(), { local_id: 'x', id, name: 'X' }],
  })
  await stage.ask(update, { app_id, manifest: manifestOf(app_id), prune: true })
  return app_id
}

const rollingBack: Case[] = [
  ...needsKey(rollback, { app_id: 'news', revision: 1 }),
  rolledBack(true),
  rolledBack(false),
  ...missing(rollback, (app_id) => ({ app_id, revision: 1 })),
  given({
    op: rollback,
    title: 'a revision that never was is not found',
    as: 'owner',
    given: (stage) => provisioned(stage),
    input: (app_id) => ({ app_id, revision: 9 }),
    refusal: 'revision_not_found',
  }),
  given({
    op: rollback,
    title: 'an id that another agent took since is a conflict',
    as: 'owner',
    given: async (stage) => {
      const id = stage.id('ada')
      const app_id = await without(stage, id)
      await stage.ask('characters.create', { character: { id, name: 'Ada' } })
      return app_id
    },
    input: (app_id) => ({ app_id, revision: 1 }),
    refusal: 'character_id_taken',
  }),
  given({
    op: rollback,
    title: 'an id that came to belong to another app is reserved',
    as: 'owner',
    given: async (stage) => {
      const other = stage.id('other')
      const app_id = await without(stage, `${other}--x`)
      await stage.ask('agent_apps.provision', { manifest: manifestOf(other) })
      return app_id
    },
    input: (app_id) => ({ app_id, revision: 1 }),
    refusal: 'id_reserved',
  }),
  given({
    op: rollback,
    title: 'a manifest that does not fit any more is refused',
    as: 'owner',
    given: async (stage) => {
      const app_id = await provisioned(stage, { agents: many('a'), connections: [] })
      const manifest = manifestOf(app_id, { agents: many('b'), connections: [] })
      await stage.ask(update, { app_id, manifest, prune: true })
      return app_id
    },
    input: (app_id) => ({ app_id, revision: 1 }),
    refusal: 'manifest_invalid',
  }),
  staleRevision(rollback, async (stage) => ({ app_id: await provisioned(stage), revision: 1 })),
]

const listing = 'agent_apps.deliveries.list'
const redeliver = 'agent_apps.deliveries.redeliver'

const withDelivery = async (stage: Stage): Promise<{ app_id: string; delivery_id: string }> => {
  const app_id = await provisioned(stage)
  const { items } = await stage.ask(listing, { app_id })
  return { app_id, delivery_id: items[0]?.id ?? '' }
}

const delivering: Case[] = [
  ...needsKey(listing, { app_id: 'news' }),
  given({
    op: listing,
    title: 'deliveries are listed newest first, also after a teardown',
    as: 'owner',
    given: async (stage) => {
      const app_id = await provisioned(stage)
      await stage.ask('agent_apps.teardown', { app_id })
      return app_id
    },
    input: (app_id) => ({ app_id, limit: 1 }),
    answer: async (answer, app_id, stage) => {
      const { items, next_cursor: cursor } = answer
      expect(items).toMatchObject([{ app_id, type: 'agent_app.torn_down', char_id: null }])
      const next = await stage.ask(listing, { app_id, limit: 1, cursor })
      expect(next.items).toMatchObject([{ type: 'agent_app.provisioned' }])
      expect(JSON.stringify([items, next.items])).not.toMatch(/marker|sealed|body/)
      const none = await stage.ask(listing, { app_id, status: 'delivered' })
      expect(none.items).toEqual([])
    },
  }),
  given({
    op: listing,
    title: 'an app without deliveries has none',
    as: 'owner',
    given: async (stage) => {
      const app_id = await provisioned(stage)
      await stage.world.ports.store.deliveries.delete({ app_id })
      return app_id
    },
    input: (app_id) => ({ app_id }),
    answer: ({ items }) => expect(items).toEqual([]),
  }),
  ...missing(listing, (app_id) => ({ app_id })),
  brokenCursor(
    listing,
    (app_id) => ({ app_id }),
    (stage) => provisioned(stage),
  ),
  ...needsKey(redeliver, { app_id: 'news', delivery_id: 'dlv_1' }),
  given({
    op: redeliver,
    title: 'a delivery is due again',
    as: 'owner',
    given: async (stage) => {
      const facts = await withDelivery(stage)
      const done = {
        status: 'delivered',
        due_at: null,
        next_attempt_at: null,
        claim: null,
      } as const
      const { deliveries } = stage.world.ports.store
      await deliveries.update({ id: facts.delivery_id }, { $set: done })
      return facts
    },
    input: (facts) => facts,
    answer: (answer, { app_id, delivery_id }) => {
      expect(answer).toMatchObject({ id: delivery_id, app_id, status: 'pending' })
      expect(JSON.stringify(answer)).not.toMatch(/marker|sealed|body/)
    },
  }),
  given({
    op: redeliver,
    title: 'a delivery of another app is not found',
    as: 'owner',
    given: async (stage) => ({ ...(await withDelivery(stage)), app_id: await provisioned(stage) }),
    input: (facts) => facts,
    refusal: 'delivery_not_found',
  }),
  ...missing(redeliver, (app_id) => ({ app_id, delivery_id: 'dlv_1' })),
]

const failing: Case[] = [
  given({
    op: update,
    title: 'a refused update is told to a webhook that asks for it',
    as: 'owner',
    given: async (stage) => {
      const events = ['agent_app.provision_failed']
      const app_id = await provisioned(stage, {
        webhook: { url: 'https://hooks.example/in', secret: 'marker', events },
      })
      const bad = stage.ask(update, { app_id, manifest: manifestOf(app_id, { name: '' }) })
      await expect(bad).rejects.toMatchObject({ code: 'manifest_invalid' })
      const rows = await stage.world.ports.store.deliveries.find({ app_id })
      expect(rows.map(({ type }) => type)).toEqual(events)
      expect(JSON.parse(rows[0]?.body ?? '{}')).toMatchObject({
        data: { app_id, code: 'manifest_invalid', errors: [{ pointer: '/name' }] },
      })
      return app_id
    },
    input: (app_id) => ({ app_id, manifest: manifestOf(app_id) }),
    answer: async (_, app_id, stage) => expect(await told(stage, app_id)).toHaveLength(2),
  }),
  given({
    op: 'agent_apps.provision',
    title: 'a refused provision is told to the webhook that it names, if that asks for it',
    as: 'owner',
    given: async (stage) => {
      const app_id = stage.id('news')
      for (const events of [['agent_app.provision_failed'], []]) {
        const webhook = { url: 'https://hooks.example/in', secret: 'marker', events }
        const manifest = manifestOf(app_id, { name: '', webhook })
        const bad = stage.ask('agent_apps.provision', { manifest })
        await expect(bad).rejects.toMatchObject({ code: 'manifest_invalid' })
        await stage.ask('agent_apps.validate', { manifest })
      }
      expect(await told(stage, app_id)).toEqual(['agent_app.provision_failed'])
      return app_id
    },
    input: (app_id) => ({ manifest: manifestOf(app_id) }),
    answer: async (_, app_id, stage) => expect(await told(stage, app_id)).toHaveLength(2),
  }),
]

export const appChanges: readonly Case[] = [
  ...updating,
  ...planned,
  ...rollingBack,
  ...delivering,
  ...failing,
]
