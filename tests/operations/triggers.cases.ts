import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { edgeId } from '#src/agents/friends/edge.ts'
import { agent, agentRefusals, given, needsKey, nowhere, type Case, type Stage } from './case.ts'

const body = { order: 17, city: 'Zürich' }
const secret = 'a secret of the shop'
const signed = (value: unknown): string =>
  createHmac('sha256', secret).update(JSON.stringify(value)).digest('hex')

/** An agent of the owner's with a task of these triggers. */
async function triggered(stage: Stage, triggers: object[], task: object = {}): Promise<string> {
  const whole = { task_id: 'take', name: 'Take', prompt: 'Got {{input}}', runtime: 'template' }
  return agent(stage, 'ada', { heart: { tasks: [{ ...whole, triggers, ...task }] } })
}

const hook = (config: object) => ({ type: 'webhook', config })
const action = (config: object = {}) => ({ type: 'action', config })

/** An agent of the stranger's that is a friend of the owner's agent, allowed these things. */
async function friendOf(stage: Stage, charId: string, permissions: string[]): Promise<string> {
  const id = stage.id('bob')
  await stage.ask('characters.create', { character: { id, name: 'Bob' } }, 'stranger')
  const { id: owner_id } = await stage.ask('account.get', {}, 'stranger')
  // Friendship is asked for and accepted elsewhere; this is the result.
  await stage.world.ports.store.edges.insert({
    id: edgeId(id, charId),
    char_id: id,
    friend_id: charId,
    relationship_type: 'friend',
    permissions,
    shared_abilities: [],
    note: null,
    status: 'accepted',
    created_at: '2026-01-01T00:00:00.000Z',
    owner_id,
    app_id: null,
  })
  return id
}

const hooks: readonly Case[] = [
  given({
    op: 'hooks.receive',
    title: 'a call without any credential runs the task with the body',
    as: 'anonymous',
    given: (stage) => triggered(stage, [hook({ path: 'orders/new' })]),
    input: (char_id) => ({ char_id, path: 'orders/new', body }),
    answer: async (answer, char_id, stage) => {
      const run = await stage.ask('runs.get', { run_id: answer.runs[0] })
      expect(run).toMatchObject({
        char_id,
        input: body,
        trigger: { type: 'webhook', caller: { path: 'orders/new' } },
      })
    },
  }),
  given({
    op: 'hooks.receive',
    title: 'a signed call of a guarded hook is taken',
    as: 'anonymous',
    given: (stage) => triggered(stage, [hook({ path: 'orders', secret })]),
    input: (char_id) => ({ char_id, path: 'orders', body, signature: signed(body) }),
    answer: (answer) => expect(answer.runs).toHaveLength(1),
  }),
  given({
    op: 'hooks.receive',
    title: 'a signature of another body is refused, and nothing runs',
    as: 'anonymous',
    given: (stage) => triggered(stage, [hook({ path: 'orders', secret })]),
    input: (char_id) => ({ char_id, path: 'orders', body, signature: signed({ order: 18 }) }),
    refusal: 'signature_invalid',
  }),
  given({
    op: 'hooks.receive',
    title: 'no signature where one is asked for is refused',
    as: 'owner',
    given: (stage) => triggered(stage, [hook({ path: 'orders', secret })]),
    input: (char_id) => ({ char_id, path: 'orders', body }),
    refusal: 'signature_invalid',
  }),
  given({
    op: 'hooks.receive',
    title: 'a signature in capital letters is refused',
    as: 'anonymous',
    given: (stage) => triggered(stage, [hook({ path: 'orders', secret })]),
    input: (char_id) => ({ char_id, path: 'orders', body, signature: signed(body).toUpperCase() }),
    refusal: 'signature_invalid',
  }),
  given({
    op: 'hooks.receive',
    title: 'of several tasks at one path those run whose signature it is, or that ask for none',
    as: 'anonymous',
    given: async (stage) => {
      const task = (task_id: string, config: object) => ({
        task_id,
        name: task_id,
        runtime: 'template',
        triggers: [hook({ path: 'orders', ...config })],
      })
      const tasks = [task('open', {}), task('own', { secret }), task('other', { secret: 'more' })]
      return agent(stage, 'ada', { heart: { tasks } })
    },
    input: (char_id) => ({ char_id, path: 'orders', body, signature: signed(body) }),
    answer: async (answer, char_id, stage) => {
      const { items } = await stage.ask('runs.list', { char_id })
      expect(answer.runs).toHaveLength(2)
      expect(items.map((run) => run.task_id).sort()).toEqual(['open', 'own'])
    },
  }),
  given({
    op: 'hooks.receive',
    title: 'a path that no task has is not found',
    as: 'anonymous',
    given: (stage) => triggered(stage, [hook({ path: 'orders' })]),
    input: (char_id) => ({ char_id, path: 'orders/new', body }),
    refusal: 'hook_not_found',
  }),
  given({
    op: 'hooks.receive',
    title: 'an agent that does not exist is no other answer',
    as: 'anonymous',
    input: () => ({ char_id: nowhere, path: 'orders', body }),
    refusal: 'hook_not_found',
  }),
  given({
    op: 'hooks.receive',
    title: 'a disabled trigger does not listen',
    as: 'anonymous',
    given: (stage) => triggered(stage, [{ ...hook({ path: 'orders' }), enabled: false }]),
    input: (char_id) => ({ char_id, path: 'orders', body }),
    refusal: 'hook_not_found',
  }),
  given({
    op: 'hooks.receive',
    title: 'a disabled task does not listen',
    as: 'anonymous',
    given: (stage) => triggered(stage, [hook({ path: 'orders' })], { enabled: false }),
    input: (char_id) => ({ char_id, path: 'orders', body }),
    refusal: 'hook_not_found',
  }),
  given({
    op: 'hooks.receive',
    title: 'a task that runs by hand only is skipped, and says why',
    as: 'anonymous',
    given: (stage) => triggered(stage, [hook({ path: 'orders' })], { autonomy: 'manual' }),
    input: (char_id) => ({ char_id, path: 'orders', body }),
    answer: async (answer, _, stage) => {
      const run = await stage.ask('runs.get', { run_id: answer.runs[0] })
      expect(run).toMatchObject({ status: 'skipped', reason: 'autonomy_manual' })
    },
  }),
  given({
    op: 'hooks.receive',
    title: 'a path of more than 200 characters is refused',
    as: 'anonymous',
    input: () => ({ char_id: nowhere, path: 'x'.repeat(201), body }),
    refusal: 'invalid_input',
  }),
]

const actions: readonly Case[] = [
  given({
    op: 'actions.invoke',
    title: 'every enabled task with an action of that name runs',
    as: 'owner',
    given: async (stage) => {
      const task = (name: string, config: object, more: object = {}) => ({
        name,
        runtime: 'template',
        triggers: [action(config)],
        ...more,
      })
      const tasks = [
        task('translate', {}),
        task('Second', { name: 'translate' }),
        task('Renamed', { name: 'other' }),
        task('Off', { name: 'translate' }, { enabled: false }),
      ]
      return agent(stage, 'ada', { heart: { tasks } })
    },
    input: (char_id) => ({ char_id, name: 'translate', input: { text: 'Guten Tag' } }),
    answer: async (answer, char_id, stage) => {
      expect(answer.runs).toHaveLength(2)
      const run = await stage.ask('runs.get', { run_id: answer.runs[0] })
      expect(run).toMatchObject({
        char_id,
        input: { text: 'Guten Tag' },
        trigger: { type: 'action', caller: { action: 'translate', key_id: expect.any(String) } },
      })
    },
  }),
  given({
    op: 'actions.invoke',
    title: "the agent's own key may",
    as: 'scoped',
    given: async (stage) => {
      const id = await triggered(stage, [action()])
      await stage.scopeTo(id)
      return id
    },
    input: (char_id) => ({ char_id, name: 'Take' }),
    answer: (answer) => expect(answer.runs).toHaveLength(1),
  }),
  given({
    op: 'actions.invoke',
    title: 'an account with a friend that may run tasks may, and the run names the friend',
    as: 'stranger',
    given: async (stage) => {
      const id = await triggered(stage, [action()])
      return { id, friend: await friendOf(stage, id, ['message', 'run_task']) }
    },
    input: ({ id }) => ({ char_id: id, name: 'Take', input: 'please' }),
    answer: async (answer, { friend }, stage) => {
      const run = await stage.ask('runs.get', { run_id: answer.runs[0] })
      expect(run).toMatchObject({ input: 'please' })
      expect(run).toMatchObject({
        trigger: { caller: { action: 'Take', char_id: friend } },
      })
      expect(JSON.stringify(run)).not.toContain('key_')
    },
  }),
  given({
    op: 'actions.invoke',
    title: 'a friend without the permission may not',
    as: 'stranger',
    given: async (stage) => {
      const id = await triggered(stage, [action()])
      await friendOf(stage, id, ['message'])
      return id
    },
    input: (char_id) => ({ char_id, name: 'Take' }),
    refusal: 'forbidden',
  }),
  given({
    op: 'actions.invoke',
    title: 'a key that acts as a sibling may not',
    as: 'scoped',
    given: async (stage) => {
      const id = await triggered(stage, [action()])
      await stage.scopeTo(await agent(stage, 'sibling'))
      return id
    },
    input: (char_id) => ({ char_id, name: 'Take' }),
    refusal: 'forbidden',
  }),
  given({
    op: 'actions.invoke',
    title: 'a task that runs by hand only is skipped, and says why',
    as: 'owner',
    given: (stage) => triggered(stage, [action()], { autonomy: 'manual' }),
    input: (char_id) => ({ char_id, name: 'Take' }),
    answer: async (answer, _, stage) => {
      const run = await stage.ask('runs.get', { run_id: answer.runs[0] })
      expect(run).toMatchObject({ status: 'skipped', reason: 'autonomy_manual' })
    },
  }),
  given({
    op: 'actions.invoke',
    title: 'an action that no enabled task has is not found',
    as: 'owner',
    given: (stage) => triggered(stage, [{ ...action(), enabled: false }]),
    input: (char_id) => ({ char_id, name: 'Take' }),
    refusal: 'action_not_found',
  }),
  ...agentRefusals('actions.invoke', (char_id) => ({ char_id, name: 'Take' })),
  ...needsKey('actions.invoke', { char_id: nowhere, name: 'Take' }),
]

/** The triggers that others pull from outside. */
export const triggers: readonly Case[] = [...hooks, ...actions]
