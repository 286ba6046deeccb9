import { expect } from 'vitest'
import { given, type Case, type Stage } from '../case.ts'
import { free, gatedTask, manual, quorum, scoped, type Scoped } from './stage.ts'

const note = { name: 'Note', runtime: 'template' }
const anyone = { requires_approval: true, approvers: [] }

interface Attack {
  title: string
  input: (who: Scoped) => object
  /** Where the first fault stands. */
  at: string
  more?: object
}

const refusedTo = (op: string, { title, input, at, more }: Attack): Case =>
  given({
    op,
    title: `a key that acts as the agent ${title}`,
    as: 'scoped',
    given: async (stage) => {
      const who = await scoped(stage, more)
      return { ...who, before: await stage.ask('characters.get', { char_id: who.ada }), stage }
    },
    input: (who) => ({ char_id: who.ada, ...input(who) }),
    refusal: 'owner_only',
    error: ({ errors, hint }) => {
      expect(errors?.[0]).toMatchObject({ code: 'owner_only' })
      // REST tells pointers into the document.
      expect(at.endsWith(errors?.[0]?.pointer ?? 'nowhere')).toBe(true)
      expect(hint).toContain('policy')
    },
  })

const patch = (task_id: string, task: object) => () => ({ task_id, task })
const make = (task: object) => () => ({ task: { ...note, ...task } })
const heart = (tasks: (who: Scoped) => object[]) => (who: Scoped) => ({
  character: { heart: { tasks: tasks(who) } },
})

const updates: Attack[] = [
  {
    title: 'takes no gate away',
    input: patch('pay', { approval_gate: null }),
    at: '/task/approval_gate',
  },
  {
    title: 'does not become its own approver',
    input: patch('pay', { approval_gate: anyone }),
    at: '/task/approval_gate',
  },
  {
    title: 'prepares no approvers for a gate to come',
    input: ({ grace }) => ({
      task_id: 'free',
      task: { approval_gate: { requires_approval: false, approvers: [grace] } },
    }),
    at: '/task/approval_gate',
  },
  {
    title: 'moves no gated task away from what it guards',
    input: patch('pay', { api_url: 'https://elsewhere.example/' }),
    at: '/task/api_url',
  },
  {
    title: 'names no other quorum',
    input: patch('decide', { quorum: { min_approvals: 1, approver_agent_ids: ['me'] } }),
    at: '/task/quorum',
  },
  {
    title: 'takes no decision from a quorum by another runtime',
    input: patch('decide', { runtime: 'template' }),
    at: '/task/runtime',
  },
  {
    title: 'switches no quorum off',
    input: patch('decide', { enabled: false }),
    at: '/task/enabled',
  },
  {
    title: 'gives a task no tool',
    input: patch('free', { tools: [{ name: 'web', type: 'builtin' }] }),
    at: '/task/tools',
  },
  {
    title: 'frees no task that only a person starts',
    input: patch('careful', { autonomy: 'autonomous' }),
    at: '/task/autonomy',
  },
  {
    title: 'gives a task no secret',
    input: patch('free', { selected_secrets: ['PAY_KEY'] }),
    at: '/task/selected_secrets',
  },
]

const creations: Attack[] = [
  {
    title: 'makes no task with a tool that none has',
    input: make({ tools: [{ name: 'pay', type: 'http', config: { url: 'https://x.example/' } }] }),
    at: '/task/tools/0',
  },
  {
    title: 'makes no task with a secret that none selects',
    input: make({ selected_secrets: ['PAY_KEY', 'OTHER'] }),
    at: '/task/selected_secrets/1',
  },
]

const lists: Attack[] = [
  {
    title: 'leaves no gated task out of the heart',
    input: heart(() => [free, quorum, manual]),
    at: '/character/heart/tasks',
  },
  {
    title: 'leaves no task out that only a person starts',
    input: heart(({ grace }) => [gatedTask(grace), free, quorum]),
    at: '/character/heart/tasks',
  },
  {
    title: 'replaces no gate through the heart',
    input: heart(({ grace }) => [
      { ...gatedTask(grace), approval_gate: { requires_approval: false } },
      free,
      quorum,
      manual,
    ]),
    at: '/character/heart/tasks/0/approval_gate',
  },
  {
    title: 'brings no tool through the heart',
    input: heart(({ grace }) => [
      gatedTask(grace),
      free,
      quorum,
      manual,
      { ...note, tools: [{ name: 'web', type: 'builtin' }] },
    ]),
    at: '/character/heart/tasks/4/tools/0',
  },
]

const removals: Attack[] = [
  { title: 'deletes no gated task', input: () => ({ task_id: 'pay' }), at: '/task_id' },
  { title: 'deletes no quorum', input: () => ({ task_id: 'decide' }), at: '/task_id' },
  {
    title: 'deletes no task that only a person starts',
    input: () => ({ task_id: 'careful' }),
    at: '/task_id',
  },
]

const attacks: Case[] = [
  ...updates.map((attack) => refusedTo('tasks.update', attack)),
  ...creations.map((attack) => refusedTo('tasks.create', attack)),
  ...lists.map((attack) => refusedTo('characters.update', attack)),
  ...removals.map((attack) => refusedTo('tasks.delete', attack)),
  refusedTo('tasks.pause', {
    title: 'pauses no quorum',
    input: () => ({ task_id: 'decide' }),
    at: '/task_id',
  }),
  given({
    op: 'characters.revisions.restore',
    title: 'a key that acts as the agent brings no task back from before its gate',
    as: 'scoped',
    given: async (stage) => {
      const who = await scoped(stage)
      const gated = { task_id: 'free', task: { approval_gate: anyone } }
      await stage.ask('tasks.update', { char_id: who.ada, ...gated })
      // What the agent was before is a revision from the next change of it.
      await stage.ask('characters.update', { char_id: who.ada, character: { bio: 'Now' } })
      const before = { heart: { tasks: [free] } }
      await stage.ask('characters.update', { char_id: who.ada, character: before })
      await stage.ask('tasks.create', { char_id: who.ada, task: gatedTask(who.grace) })
      return who
    },
    input: ({ ada }) => ({ char_id: ada, revision: 3 }),
    refusal: 'owner_only',
  }),
]

/** A twin of a gated task, made in one of the ways in which a key may make or change a task. */
const twin = (op: string, title: string, input: (who: Scoped) => object): Case =>
  given({
    op,
    title,
    as: 'scoped',
    given: (stage) => scoped(stage),
    input: (who) => ({ char_id: who.ada, ...input(who) }),
    answer: async (answer, { ada, grace }, stage) => {
      expect(answer.warnings[0]).toMatchObject({
        code: 'gate_inherited',
        pointer: op === 'characters.update' ? '/heart/tasks/4/approval_gate' : '/approval_gate',
      })
      expect(await gateOf(stage, ada)).toMatchObject({
        requires_approval: true,
        approvers: [grace],
      })
    },
  })

const gateOf = async (stage: Stage, char_id: string) => {
  const { items } = await stage.ask('tasks.list', { char_id })
  const [found] = items.filter(({ name }) => name === 'Twin')
  return (found as unknown as { approval_gate: unknown }).approval_gate
}

const isTwin = { name: 'Twin', runtime: 'api', api_url: 'https://pay.example/refunds' }

const twins: Case[] = [
  twin('tasks.create', 'a twin with the same origin takes over the gate', () => ({ task: isTwin })),
  twin('tasks.create', 'a twin whose host is filled in when it runs takes over the gate', () => ({
    task: { ...isTwin, api_url: 'https://{{input}}/orders' },
  })),
  twin('tasks.create', 'a twin with the same tool takes over the gate', ({ grace }) => ({
    task: { name: 'Twin', tools: gatedTask(grace).tools },
  })),
  twin(
    'tasks.create',
    'a twin with a secret that only gated tasks select takes over the gate',
    () => ({
      task: { name: 'Twin', runtime: 'template', selected_secrets: ['PAY_KEY'] },
    }),
  ),
  twin('tasks.create', 'its own gate does not replace the one that it takes over', ({ ada }) => ({
    task: { ...isTwin, approval_gate: { requires_approval: true, approvers: [ada] } },
  })),
  twin(
    'tasks.update',
    'a task that is turned to the origin of a gated one takes over the gate',
    () => ({
      task_id: 'free',
      task: isTwin,
    }),
  ),
  twin('characters.update', 'a twin in the heart takes over the gate', ({ grace }) => ({
    character: { heart: { tasks: [gatedTask(grace), free, quorum, manual, isTwin] } },
  })),
  given({
    op: 'tasks.create',
    title: 'a twin of a task that only a person starts is started by persons alone',
    as: 'scoped',
    given: (stage) => scoped(stage),
    input: ({ ada }) => ({
      char_id: ada,
      task: {
        name: 'T',
        runtime: 'api',
        api_url: 'https://careful.example/x',
        autonomy: 'autonomous',
      },
    }),
    answer: (answer) => {
      expect(answer).toMatchObject({ autonomy: 'manual', approval_gate: null })
      expect(answer.warnings).toMatchObject([{ code: 'autonomy_inherited' }])
    },
  }),
]

const allowed: Case[] = [
  given({
    op: 'tasks.update',
    title: "what is sent unchanged is no change, and words are the agent's",
    as: 'scoped',
    given: (stage) => scoped(stage),
    input: ({ ada, grace }) => ({
      char_id: ada,
      task_id: 'pay',
      task: { ...gatedTask(grace), prompt: 'Pay at once', order: 4 },
    }),
    answer: (answer) => {
      expect(answer).toMatchObject({
        prompt: 'Pay at once',
        approval_gate: { requires_approval: true },
        warnings: [{ code: 'unknown_secret' }],
      })
    },
  }),
  given({
    op: 'tasks.create',
    title: 'a key that acts as the agent makes tasks of what the agent has',
    as: 'scoped',
    given: (stage) => scoped(stage),
    input: ({ ada }) => ({ char_id: ada, task: { ...note, prompt: 'Hello' } }),
    answer: (answer) => expect(answer).toMatchObject({ approval_gate: null, autonomy: null }),
  }),
  given({
    op: 'tasks.delete',
    title: 'a key that acts as the agent deletes what holds it not back',
    as: 'scoped',
    given: (stage) => scoped(stage),
    input: ({ ada }) => ({ char_id: ada, task_id: 'free' }),
    answer: (answer) => expect(answer.id).toBe('free'),
  }),
  given({
    op: 'tasks.update',
    title: 'a key with the right policy changes gates, tools and secrets',
    as: 'scoped',
    given: (stage) => scoped(stage, {}, ['policy']),
    input: ({ ada }) => ({
      char_id: ada,
      task_id: 'pay',
      task: { approval_gate: null, tools: [], selected_secrets: [], autonomy: 'manual' },
    }),
    answer: (answer) =>
      expect(answer).toMatchObject({ approval_gate: null, tools: [], autonomy: 'manual' }),
  }),
  given({
    op: 'tasks.delete',
    title: 'a key with the right policy deletes a gated task',
    as: 'scoped',
    given: (stage) => scoped(stage, {}, ['policy']),
    input: ({ ada }) => ({ char_id: ada, task_id: 'pay' }),
    answer: (answer) => expect(answer.id).toBe('pay'),
  }),
  given({
    op: 'tasks.create',
    title: 'the account makes ungated twins as it likes',
    as: 'owner',
    given: (stage) => scoped(stage),
    input: ({ ada }) => ({ char_id: ada, task: isTwin }),
    answer: (answer) => expect(answer).toMatchObject({ approval_gate: null }),
  }),
]

/** What a key that acts as an agent may do to its tasks. */
export const scopedTasks: readonly Case[] = [...attacks, ...twins, ...allowed]
