import { expect } from 'vitest'
import {
  agent,
  agentRefusals,
  brokenCursor,
  given,
  needsKey,
  staleRevision,
  type Case,
} from './case.ts'

const creating: Case[] = [
  ...needsKey('characters.create', { character: { name: 'Ada' } }),
  given({
    op: 'characters.create',
    title: 'a name is all it needs',
    as: 'owner',
    input: () => ({ character: { name: 'Ada Lovelace' } }),
    answer: (answer) => {
      expect(answer.id).toMatch(/^ada-lovelace-[a-z0-9]{6}$/)
      expect(answer).toMatchObject({ revision: 1, app_id: null, skills: [] })
    },
  }),
  given({
    op: 'characters.create',
    title: 'everything that is sent is read back, unknown members too',
    as: 'owner',
    given: (stage) => Promise.resolve(stage.id('ada')),
    input: (id) => ({
      character: {
        id,
        name: 'Ada',
        favourite: { $number: 1, 'a.b': [null, 2], constructor: 'plain' },
        brain: { temperature: 0, mcps: [{ name: 'files', env: { A: 'b' }, extra: true }] },
        heart: {
          timezone: 'Europe/Berlin',
          tasks: [{ task_id: 'one', name: 'One', prompt: 'Go.' }],
        },
      },
    }),
    answer: async (answer, id, stage) => {
      expect(answer).toMatchObject({
        id,
        favourite: { $number: 1, 'a.b': [null, 2], constructor: 'plain' },
        brain: { temperature: 0, max_tokens: 4096, mcps: [{ enabled: true, extra: true }] },
        heart: { timezone: 'Europe/Berlin', tasks: [{ task_id: 'one', char_id: id, order: 0 }] },
      })
      const { warnings, ...made } = answer as unknown as Record<string, unknown>
      expect(warnings).toMatchObject([
        { code: 'tool_incomplete', pointer: '/brain/mcps/0/url' },
        { code: 'unknown_member', pointer: '/brain/mcps/0/extra' },
        { code: 'unknown_member', pointer: '/favourite' },
      ])
      expect(await stage.ask('characters.get', { char_id: id })).toEqual(made)
    },
  }),
  given({
    op: 'characters.create',
    title: 'what stands in a place where nothing acts on it is told, with where it belongs',
    as: 'owner',
    input: () => ({
      character: {
        name: 'Ada',
        tasks: [{ name: 'Greet' }],
        instructions: 'Be kind.',
        'x-note': 1,
        heart: { tasks: [{ name: 'Greet', prompt: 'Hi.', schedule: '0 9 * * *' }] },
      },
    }),
    answer: ({ warnings }) =>
      expect(warnings).toMatchObject([
        { code: 'unknown_member', pointer: '/heart/tasks/0/schedule', suggestion: 'triggers' },
        { code: 'unknown_member', pointer: '/tasks', suggestion: 'heart.tasks' },
        {
          code: 'unknown_member',
          pointer: '/instructions',
          suggestion: 'brain.system_prompt_override',
        },
      ]),
  }),
  given({
    op: 'characters.create',
    title: 'what only the platform sets is ignored with a warning',
    as: 'owner',
    input: () => ({ character: { name: 'Ada', owner_id: 'acc_other' } }),
    answer: (answer) => {
      expect(answer.owner_id).not.toBe('acc_other')
      expect(answer.warnings[0]).toMatchObject({ code: 'member_ignored', pointer: '/owner_id' })
    },
  }),
  given({
    op: 'characters.create',
    title: 'an id in use is a conflict, even in another account',
    as: 'stranger',
    given: (stage) => agent(stage),
    input: (id) => ({ character: { id, name: 'Ada' } }),
    refusal: 'character_id_taken',
  }),
  given({
    op: 'characters.create',
    title: 'ids of an existing app cannot be made by hand',
    as: 'owner',
    given: async (stage) => {
      const app_id = stage.id('app')
      const manifest = { app_id, name: 'App', agents: [{ local_id: 'a', name: 'A' }] }
      await stage.ask('agent_apps.provision', { manifest })
      return app_id
    },
    input: (app_id) => ({ character: { id: `${app_id}--b`, name: 'B' } }),
    refusal: 'id_reserved',
  }),
  given({
    op: 'characters.create',
    title: 'every fault of the input is reported at once',
    as: 'owner',
    input: () => ({
      character: {
        id: '-',
        name: '',
        brain: { temperature: 3 },
        visibility: { profile_visibility: 'x' },
      },
    }),
    refusal: 'invalid_input',
    error: (error) => {
      const pointers = (error.errors ?? []).map(({ pointer }) =>
        pointer.replace(/^\/character/, ''),
      )
      expect(pointers.sort()).toEqual([
        '/brain/temperature',
        '/id',
        '/name',
        '/visibility/profile_visibility',
      ])
    },
  }),
  given({
    op: 'characters.create',
    title: 'a gate that no one can open is refused',
    as: 'owner',
    input: () => {
      const approval_gate = { requires_approval: true, min_approvals: 2 }
      return { character: { name: 'Ada', heart: { tasks: [{ name: 'T', approval_gate }] } } }
    },
    refusal: 'approval_unreachable',
  }),
]

const reading: Case[] = [
  given({
    op: 'characters.get',
    title: 'an id that is nearly that of another account names no agent of it',
    as: 'owner',
    async given(stage) {
      const id = stage.id('secret')
      await stage.ask('characters.create', { character: { id, name: 'Secret' } }, 'stranger')
      return id
    },
    input: (id) => ({ char_id: `${id}x` }),
    refusal: 'character_not_found',
    error: ({ hint }) => expect(hint).toBe('`characters.list` lists those that there are.'),
  }),
  given({
    op: 'characters.get',
    title: 'an agent comes with its tasks in order',
    as: 'scoped',
    given: async (stage) => {
      const id = await agent(stage)
      await stage.ask('tasks.create', { char_id: id, task: { task_id: 'b', name: 'B', order: 2 } })
      await stage.ask('tasks.create', { char_id: id, task: { task_id: 'a', name: 'A', order: 10 } })
      await stage.scopeTo(id)
      return id
    },
    input: (char_id) => ({ char_id }),
    answer: ({ heart, revision }) => {
      const tasks = heart.tasks as unknown as { task_id: string }[]
      expect(tasks.map(({ task_id }) => task_id)).toEqual(['b', 'a'])
      expect(revision).toBe(3)
    },
  }),
  given({
    op: 'characters.get',
    title: 'a new agent under a deleted id continues its revisions',
    as: 'owner',
    given: async (stage) => {
      const id = await agent(stage)
      await stage.ask('characters.update', { char_id: id, character: { bio: 'x' } })
      await stage.ask('characters.delete', { char_id: id })
      await stage.ask('characters.create', { character: { id, name: 'Again' } })
      return id
    },
    input: (char_id) => ({ char_id }),
    answer: (answer) => expect(answer.revision).toBe(3),
  }),
  ...agentRefusals('characters.get', (char_id) => ({ char_id })),
  given({
    op: 'characters.list',
    title: 'the agents of the account are listed newest first, found by words',
    as: 'owner',
    given: async (stage) => {
      await agent(stage, 'ada', { role: 'Chief Researcher' })
      await stage.tick()
      return agent(stage, 'grace', { skills: ['research'], tagline: 'a researcher' })
    },
    input: () => ({ q: 'RESEARCHER', limit: 1 }),
    answer: async (answer, grace, stage) => {
      expect(answer.items[0]?.id).toBe(grace)
      const input = { q: 'researcher', limit: 1, cursor: answer.next_cursor }
      const next = await stage.ask('characters.list', input)
      expect(next.items[0]?.role).toBe('Chief Researcher')
      expect(next.next_cursor).toBeNull()
      await expect(
        stage.ask('characters.list', { limit: 1, cursor: answer.next_cursor }),
      ).rejects.toMatchObject({ code: 'cursor_invalid' })
    },
  }),
  given({
    op: 'characters.list',
    title: 'a scoped key lists its own agent alone',
    as: 'scoped',
    given: async (stage) => {
      await agent(stage, 'other')
      const id = await agent(stage)
      await stage.scopeTo(id)
      return id
    },
    input: () => ({}),
    answer: ({ items }, id) => {
      expect((items as unknown as { id: string }[]).map((item) => item.id)).toEqual([id])
    },
  }),
  brokenCursor('characters.list', () => ({})),
]

const changing: Case[] = [
  given({
    op: 'characters.update',
    title: 'objects merge deep, lists replace, null sets null or removes a free entry',
    as: 'owner',
    given: (stage) =>
      agent(stage, 'ada', {
        bio: 'Old',
        skills: ['a', 'b'],
        brain: { temperature: 1, plugins: [{ name: 'web', config: { keep: 1, drop: 2 } }] },
        control: { channels: [{ name: 'c', type: 'web' }], default_channel: 'c' },
      }),
    input: (char_id) => ({
      char_id,
      character: {
        bio: null,
        skills: ['c'],
        brain: { max_tokens: 100 },
        control: { default_channel: null },
      },
    }),
    answer: (answer) => {
      expect(answer).toMatchObject({
        name: 'Ada',
        bio: null,
        skills: ['c'],
        revision: 2,
        brain: { temperature: 1, max_tokens: 100, plugins: [{ config: { keep: 1, drop: 2 } }] },
        control: { channels: [{ name: 'c' }], default_channel: null },
      })
    },
  }),
  given({
    op: 'characters.update',
    title: 'heart.tasks replaces the list: matched by task_id, the missing deleted',
    as: 'owner',
    given: (stage) =>
      agent(stage, 'ada', {
        heart: {
          tasks: [
            { task_id: 'stay', name: 'Stay', prompt: 'p' },
            { task_id: 'go', name: 'Go' },
          ],
        },
      }),
    input: (char_id) => ({
      char_id,
      character: {
        heart: {
          tasks: [
            { task_id: 'stay', name: 'Stays', prompt: 'p' },
            { name: 'New', prompt: 'q' },
          ],
        },
      },
    }),
    answer: async (answer, id, stage) => {
      const tasks = answer.heart.tasks as unknown as { task_id: string; name: string }[]
      expect(tasks.map(({ name }) => name).sort()).toEqual(['New', 'Stays'])
      expect(await stage.ask('characters.get', { char_id: id })).toEqual(answer)
    },
  }),
  given({
    op: 'characters.update',
    title: 'another id is refused, the same one ignored',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, character: { id: 'other' } }),
    refusal: 'invalid_input',
  }),
  given({
    op: 'characters.update',
    title: 'another char_id is refused too',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, character: { char_id: 'other', tagline: 'x' } }),
    refusal: 'invalid_input',
  }),
  given({
    op: 'characters.update',
    title: 'the same char_id is left out',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, character: { char_id, tagline: 'x' } }),
    answer: (answer) => {
      expect(answer).toMatchObject({ tagline: 'x' })
      expect(answer).not.toHaveProperty('char_id')
      expect(answer).not.toHaveProperty('warnings')
    },
  }),
  given({
    op: 'characters.update',
    title: 'a scoped key cannot reach a sibling',
    as: 'scoped',
    given: async (stage) => {
      await stage.scopeTo(await agent(stage))
      return agent(stage, 'grace')
    },
    input: (char_id) => ({ char_id, character: { bio: 'Mine now' } }),
    refusal: 'forbidden',
  }),
  given({
    op: 'characters.update',
    title: 'a gate that no one can open is refused',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => {
      const approval_gate = { requires_approval: true, min_approvals: 2 }
      return { char_id, character: { heart: { tasks: [{ name: 'T', approval_gate }] } } }
    },
    refusal: 'approval_unreachable',
  }),
  ...agentRefusals('characters.update', (char_id) => ({ char_id, character: { bio: 'x' } })),
  given({
    op: 'characters.delete',
    title: 'an agent goes with its tasks and keys, and its runs are cancelled',
    as: 'owner',
    given: async (stage) => {
      const id = await agent(stage, 'ada', { heart: { tasks: [{ task_id: 't', name: 'T' }] } })
      await stage.scopeTo(id)
      const run = await stage.ask('tasks.run', { char_id: id, task_id: 't' })
      return { id, run }
    },
    input: ({ id }) => ({ char_id: id }),
    answer: async (answer, { id, run }, stage) => {
      expect(answer).toEqual({ id, deleted: true })
      const now = await stage.ask('runs.get', { run_id: run.id })
      expect(now).toMatchObject({ status: 'cancelled', reason: 'character_deleted' })
      const { quotas } = await stage.ask('account.get', {})
      expect(quotas[0]).toMatchObject({ name: 'agents', used: 0 })
      await expect(stage.ask('characters.get', { char_id: id })).rejects.toMatchObject({
        code: 'character_not_found',
      })
    },
  }),
  ...agentRefusals('characters.delete', (char_id) => ({ char_id })),
  staleRevision('characters.delete', async (stage) => ({ char_id: await agent(stage) })),
  staleRevision('characters.update', async (stage) => ({ char_id: await agent(stage) }), {
    character: { bio: 'x' },
  }),
]

const friends: Case[] = [
  given({
    op: 'friends.list',
    title: 'agents that an app connects are friends both ways',
    as: 'owner',
    given: async (stage) => {
      const app_id = stage.id('app')
      const agents = [
        { local_id: 'a', name: 'A' },
        { local_id: 'b', name: 'B' },
      ]
      const connections = [{ from: 'a', to: 'b', permissions: ['message'] }]
      await stage.ask('agent_apps.provision', {
        manifest: { app_id, name: 'App', agents, connections },
      })
      return app_id
    },
    input: (app_id) => ({ char_id: `${app_id}--b` }),
    answer: ({ items }, app_id) =>
      expect(items[0]).toMatchObject({
        char_id: `${app_id}--b`,
        friend_id: `${app_id}--a`,
        status: 'accepted',
        relationship_type: 'friend',
        permissions: ['message'],
      }),
  }),
  ...agentRefusals('friends.list', (char_id) => ({ char_id })),
  brokenCursor(
    'friends.list',
    (char_id) => ({ char_id }),
    (stage) => agent(stage),
  ),
]

export const characters: readonly Case[] = [...creating, ...reading, ...changing, ...friends]
