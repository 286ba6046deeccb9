import { expect } from 'vitest'
import {
  agent,
  agentWithTask,
  brokenCursor,
  given,
  needsKey,
  staleRevision,
  type Case,
  type Stage,
} from './case.ts'
import { appRefusals } from './apps/refusals.ts'

const manifestOf = (
  app_id: string,
): { app_id: string; agents: object[]; [member: string]: unknown } => ({
  $schema: 'https://abode.example/manifest',
  manifest_version: 1,
  app_id,
  name: 'Newsroom',
  agents: [
    {
      local_id: 'researcher',
      name: 'Rosa',
      heart: {
        tasks: [
          {
            task_id: 'research',
            name: 'Research',
            prompt: 'Look into {{input}}.',
            output_sharing: { enabled: true, target_agent_id: 'writer', target_task_id: 'write' },
          },
        ],
      },
    },
    {
      local_id: 'writer',
      name: 'Will',
      heart: { tasks: [{ task_id: 'write', name: 'Write', prompt: 'Write.' }] },
    },
  ],
  connections: [{ from: 'researcher', to: 'writer', permissions: ['message', 'run_task'] }],
  team: { name: 'Desk' },
  webhook: { url: 'https://hooks.example/in', secret: 'marker-webhook' },
  metadata: { 'a.b': { $x: 1 } },
})

const provisioned = async (stage: Stage): Promise<string> => {
  const app_id = stage.id('news')
  await stage.ask('agent_apps.provision', { manifest: manifestOf(app_id) })
  return app_id
}

/** Ten faults, each of its own kind. */
const faulty = (app_id: string): object => ({
  app_id,
  name: '',
  agents: [
    { local_id: 'a', name: 'A', brain: { temperature: 9 } },
    { local_id: 'a', name: 'B', visibility: { profile_visibility: 'secret' } },
    {
      local_id: 'c',
      name: 'C',
      heart: {
        timezone: 'Mars/Base',
        tasks: [
          { name: 'T', triggers: [{ type: 'cron', config: { cron: '* * * * *' } }] },
          { name: 'U', step_timeout_seconds: 0 },
        ],
      },
    },
  ],
  connections: [
    { from: 'a', to: 'missing' },
    { from: 'c', to: 'c' },
  ],
  team: { name: 'Desk', member_local_ids: ['d'] },
})

const checking: Case[] = [
  ...needsKey('agent_apps.validate', { manifest: { app_id: 'x' } }),
  given({
    op: 'agent_apps.validate',
    title: 'a sound manifest has nothing against it',
    as: 'owner',
    given: (stage) => Promise.resolve(stage.id('news')),
    input: (app_id) => ({ manifest: manifestOf(app_id) }),
    answer: (answer) => expect(answer).toEqual({ valid: true, findings: [] }),
  }),
  given({
    op: 'agent_apps.validate',
    title: 'a share that no task listens to is a warning',
    as: 'owner',
    input: () => ({
      manifest: {
        manifest_version: 1,
        app_id: 'news',
        name: 'News',
        agents: [
          {
            local_id: 'a',
            name: 'A',
            heart: {
              tasks: [
                { name: 'T', prompt: 'x', output_sharing: { enabled: true, target_agent_id: 'b' } },
              ],
            },
          },
          { local_id: 'b', name: 'B' },
        ],
      },
    }),
    answer: ({ valid, findings }) => {
      expect(valid).toBe(true)
      expect(findings[0]).toMatchObject({
        severity: 'warning',
        code: 'share_target_has_no_listener',
      })
    },
  }),
]

/** A manifest in which one agent for each of these shares with it. */
const sharing = (app_id: string, targets: readonly string[]): object => ({
  manifest_version: 1,
  app_id,
  name: 'News',
  agents: targets.map((target_agent_id, i) => ({
    local_id: `a${i}`,
    name: 'A',
    heart: {
      tasks: [{ name: 'T', prompt: 'x', output_sharing: { enabled: true, target_agent_id } }],
    },
  })),
})

const outside: Case[] = [
  given({
    op: 'agent_apps.validate',
    title: 'a share with an agent outside that does not listen is a warning too',
    as: 'owner',
    given: async (stage) => {
      const app_id = stage.id('news')
      const listener = async (config: object, more: object = {}): Promise<string> => {
        const triggers = [{ type: 'message', config }]
        return (await agentWithTask(stage, { triggers, ...more })).char_id
      }
      const targets = [
        await listener({}),
        await listener({ from_agent_id: `${app_id}--a1` }),
        await listener({ from_agent_id: 'another-agent' }),
        await listener({}, { autonomy: 'manual' }),
        await listener({}, { enabled: false }),
        await agent(stage),
      ]
      return { app_id, targets }
    },
    input: ({ app_id, targets }) => ({ manifest: sharing(app_id, targets) }),
    answer: ({ valid, findings }) => {
      expect(valid).toBe(true)
      const code = 'share_target_has_no_listener'
      expect(findings).toMatchObject([2, 3, 4, 5].map((i) => ({ code, pointer: pointerOf(i) })))
    },
  }),
  given({
    op: 'agent_apps.validate',
    title: "whether another account's agent listens is not told",
    as: 'stranger',
    given: (stage) => agent(stage),
    input: (id, stage) => ({ manifest: sharing(stage.id('news'), [id]) }),
    answer: ({ valid, findings }) => {
      expect(valid).toBe(true)
      expect(findings).toMatchObject([{ code: 'agent_not_reached', pointer: pointerOf(0) }])
    },
  }),
]

function pointerOf(agentAt: number): string {
  return `/agents/${agentAt}/heart/tasks/0/output_sharing/target_agent_id`
}

const provisioning: Case[] = [
  given({
    op: 'agent_apps.provision',
    title: 'one manifest makes the agents, their friendships and the team',
    as: 'owner',
    given: (stage) => Promise.resolve(stage.id('news')),
    input: (app_id) => ({ manifest: manifestOf(app_id) }),
    answer: async (answer, app_id, stage) => {
      expect(answer.agents).toMatchObject([
        { local_id: 'researcher', id: `${app_id}--researcher`, tasks: ['research'] },
        { local_id: 'writer', id: `${app_id}--writer` },
      ])
      expect(answer.connections).toHaveLength(2)
      expect(answer.team.members).toHaveLength(2)
      expect(JSON.stringify(answer)).not.toContain('marker-webhook')
      const rosa = await stage.ask('characters.get', { char_id: `${app_id}--researcher` })
      expect(rosa).toMatchObject({ app_id, local_id: 'researcher', name: 'Rosa' })
    },
  }),
  given({
    op: 'agent_apps.provision',
    title: 'a summary names the agents and what is missing, and a repeat answers the same',
    as: 'owner',
    again: true,
    part: true,
    given: (stage) => Promise.resolve(stage.id('news')),
    input: (app_id) => ({ manifest: manifestOf(app_id), view: 'summary' }),
    answer: (answer) => {
      expect(Object.keys(answer).toSorted()).toEqual(['agents', 'secrets_needed', 'warnings'])
      expect(JSON.stringify(answer.agents)).not.toContain('null')
    },
  }),
  given({
    op: 'agent_apps.provision',
    title: 'dry_run shows what would be done and does nothing',
    as: 'owner',
    given: (stage) => Promise.resolve(stage.id('news')),
    input: (app_id) => ({ manifest: manifestOf(app_id), dry_run: true }),
    answer: async (answer, app_id, stage) => {
      expect(answer.plan.create).toHaveLength(7)
      const gone = stage.ask('agent_apps.get', { app_id })
      await expect(gone).rejects.toMatchObject({ code: 'app_not_found' })
    },
  }),
  given({
    op: 'agent_apps.provision',
    title: 'a manifest with ten faults is refused with all ten, and nothing is provisioned',
    as: 'owner',
    given: (stage) => Promise.resolve(stage.id('news')),
    input: (app_id) => ({ manifest: faulty(app_id) }),
    refusal: 'manifest_invalid',
    error: (error) => {
      const pointers = (error.errors ?? []).map(({ pointer }) => pointer).sort()
      expect(pointers).toEqual([
        '/agents/0/brain/temperature',
        '/agents/1/local_id',
        '/agents/1/visibility/profile_visibility',
        '/agents/2/heart/tasks/0/triggers/0/config/cron',
        '/agents/2/heart/tasks/1/step_timeout_seconds',
        '/agents/2/heart/timezone',
        '/connections/0/to',
        '/connections/1',
        '/name',
        '/team/member_local_ids/0',
      ])
    },
  }),
  given({
    op: 'agent_apps.provision',
    title: 'the same app twice is a conflict that tells only its owner more',
    as: 'owner',
    given: provisioned,
    input: (app_id) => ({ manifest: manifestOf(app_id) }),
    refusal: 'app_id_taken',
    error: (error) => expect(error.hint).toContain('It is yours'),
  }),
  given({
    op: 'agent_apps.provision',
    title: "another account's app id is a conflict that says no more",
    as: 'stranger',
    given: provisioned,
    input: (app_id) => ({ manifest: manifestOf(app_id) }),
    refusal: 'app_id_taken',
    error: (error) => expect(error.hint).toBe('Another account has it: choose another.'),
  }),
  given({
    op: 'agent_apps.provision',
    title: 'an agent that exists already is a conflict, and nothing is provisioned',
    as: 'owner',
    given: async (stage) => ({ app_id: stage.id('news'), taken: await agent(stage) }),
    input: ({ app_id, taken }) => {
      const manifest = manifestOf(app_id)
      return {
        manifest: {
          ...manifest,
          agents: [...manifest.agents, { local_id: 'x', id: taken, name: 'X' }],
        },
      }
    },
    refusal: 'character_id_taken',
    error: (error, { taken }) => expect(error.detail).toContain(taken),
  }),
  given({
    op: 'agent_apps.provision',
    title: 'ids of another app are reserved',
    as: 'owner',
    given: async (stage) => ({ app_id: stage.id('other'), first: await provisioned(stage) }),
    input: ({ app_id, first }) => ({
      manifest: {
        app_id,
        name: 'Other',
        agents: [{ local_id: 'x', id: `${first}--x`, name: 'X' }],
      },
    }),
    refusal: 'id_reserved',
  }),
]

const reading: Case[] = [
  given({
    op: 'agent_apps.list',
    title: 'the apps of the account are listed newest first',
    as: 'owner',
    given: async (stage) => {
      const first = await provisioned(stage)
      await stage.tick()
      return [first, await provisioned(stage)]
    },
    input: () => ({ limit: 1 }),
    answer: async (answer, [first, second], stage) => {
      expect(answer.items[0]?.app_id).toBe(second)
      const next = await stage.ask('agent_apps.list', { limit: 1, cursor: answer.next_cursor })
      expect(next.items[0]?.app_id).toBe(first)
    },
  }),
  brokenCursor('agent_apps.list', () => ({})),
  given({
    op: 'agent_apps.get',
    title: 'an app tells what was changed by hand since',
    as: 'owner',
    given: async (stage) => {
      const app_id = await provisioned(stage)
      await stage.ask('characters.delete', { char_id: `${app_id}--writer` })
      return app_id
    },
    input: (app_id) => ({ app_id }),
    answer: (answer, app_id) => {
      expect(answer).toMatchObject({
        app_id,
        revision: 1,
        webhook: { url: 'https://hooks.example/in', secret: '***' },
        drift: [{ local_id: 'writer', change: 'deleted' }],
      })
    },
  }),
  ...appRefusals('agent_apps.get', provisioned),
  given({
    op: 'agent_apps.manifest',
    title: 'the manifest comes back exactly as sent, but for its secrets',
    as: 'owner',
    given: provisioned,
    input: (app_id) => ({ app_id }),
    answer: (answer, app_id) => {
      const sent = manifestOf(app_id)
      const webhook = { url: 'https://hooks.example/in', secret: '***' }
      expect(answer).toEqual({ ...sent, webhook })
      expect(Object.keys(answer)).toEqual(Object.keys(sent))
    },
  }),
  given({
    op: 'agent_apps.manifest',
    title: 'a revision that never was is not found',
    as: 'owner',
    given: provisioned,
    input: (app_id) => ({ app_id, revision: 9 }),
    refusal: 'revision_not_found',
  }),
  ...appRefusals('agent_apps.manifest', provisioned),
  given({
    op: 'agent_apps.teardown',
    title: 'an app goes with its agents',
    as: 'owner',
    given: provisioned,
    input: (app_id) => ({ app_id }),
    answer: async (answer, app_id, stage) => {
      expect(answer).toMatchObject({ app_id, deleted: true, agents: [{ action: 'deleted' }, {}] })
      const gone = stage.ask('characters.get', { char_id: `${app_id}--writer` })
      await expect(gone).rejects.toMatchObject({ code: 'character_not_found' })
      await stage.ask('agent_apps.provision', { manifest: manifestOf(app_id) })
    },
  }),
  given({
    op: 'agent_apps.teardown',
    title: 'agents that are kept become agents of the account',
    as: 'owner',
    given: provisioned,
    input: (app_id) => ({ app_id, keep_agents: true }),
    answer: async (answer, app_id, stage) => {
      expect(answer).toMatchObject({ agents: [{ action: 'kept' }, { action: 'kept' }] })
      const kept = await stage.ask('characters.get', { char_id: `${app_id}--writer` })
      expect(kept).toMatchObject({ app_id: null, local_id: null })
      const { quotas } = await stage.ask('account.get', {})
      expect(quotas[0]).toMatchObject({ name: 'agents', used: 2 })
    },
  }),
  ...appRefusals('agent_apps.teardown', provisioned),
  staleRevision('agent_apps.teardown', async (stage) => ({ app_id: await provisioned(stage) })),
]

export const agentApps: readonly Case[] = [...checking, ...outside, ...provisioning, ...reading]
