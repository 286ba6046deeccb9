import { expect } from 'vitest'
import {
  agent,
  agentRefusals,
  agentWithTask,
  brokenCursor,
  given,
  needsKey,
  nowhere,
  staleRevision,
  type Case,
} from './case.ts'

const taskRefusals = (op: string, more: object = {}): Case[] => [
  ...agentRefusals(op, (char_id) => ({ char_id, task_id: 'digest', ...more })),
  given({
    op,
    title: 'a task that the agent does not have is not found',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, task_id: nowhere, ...more }),
    refusal: 'task_not_found',
  }),
]

const writing: Case[] = [
  given({
    op: 'tasks.create',
    title: 'a task gets its defaults and an id, and the agent shows it',
    as: 'scoped',
    given: async (stage) => {
      const id = await agent(stage)
      await stage.scopeTo(id)
      return id
    },
    input: (char_id) => ({ char_id, task: { name: 'Digest', prompt: 'Sum up.', mood: 'odd' } }),
    answer: async (answer, char_id, stage) => {
      expect(answer.task_id).toMatch(/^tsk_/)
      expect(answer).toMatchObject({ enabled: true, step_timeout_seconds: 120, mood: 'odd' })
      const { heart } = await stage.ask('characters.get', { char_id })
      const { warnings, ...made } = answer as unknown as Record<string, unknown>
      expect(warnings).toMatchObject([{ code: 'unknown_member', pointer: '/mood' }])
      expect(heart.tasks).toEqual([made])
    },
  }),
  given({
    op: 'tasks.create',
    title: 'a secret of a trigger never comes back',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({
      char_id,
      task: {
        name: 'Hook',
        triggers: [{ type: 'webhook', config: { path: 'in', secret: 'marker-s3cret' } }],
      },
    }),
    answer: async (answer, char_id, stage) => {
      expect(JSON.stringify(answer)).not.toContain('marker-s3cret')
      const read = await stage.ask('tasks.get', { char_id, task_id: answer.task_id })
      expect(JSON.stringify(read)).toContain('"secret":"***"')
      expect(JSON.stringify(await stage.world.ports.store.tasks.find({ char_id }))).not.toContain(
        'marker-s3cret',
      )
    },
  }),
  given({
    op: 'tasks.create',
    title: 'an id that the agent uses already is a conflict',
    as: 'owner',
    given: (stage) => agentWithTask(stage),
    input: ({ char_id, task_id }) => ({ char_id, task: { task_id, name: 'Again' } }),
    refusal: 'task_id_taken',
  }),
  given({
    op: 'tasks.create',
    title: 'a schedule that would fire every minute is refused',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({
      char_id,
      task: { name: 'T', triggers: [{ type: 'cron', config: { cron: '* * * * *' } }] },
    }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors?.[0]?.pointer).toMatch(/\/triggers\/0\/config\/cron$/),
  }),
  given({
    op: 'tasks.create',
    title: 'a quorum that cannot be reached is refused',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({
      char_id,
      task: { name: 'T', quorum: { min_approvals: 2, approver_agent_ids: ['ada'] } },
    }),
    refusal: 'approval_unreachable',
  }),
  given({
    op: 'tasks.update',
    title: 'a gate that no one can open any more is refused',
    as: 'owner',
    given: (stage) => agentWithTask(stage),
    input: (subject) => ({
      ...subject,
      task: { approval_gate: { requires_approval: true, min_approvals: 2 } },
    }),
    refusal: 'approval_unreachable',
  }),
  ...agentRefusals('tasks.create', (char_id) => ({ char_id, task: { name: 'T' } })),
  ...needsKey('tasks.create', { char_id: nowhere, task: { name: 'T' } }),
  given({
    op: 'tasks.update',
    title: 'what is sent is merged, a null removes a variable',
    as: 'owner',
    given: (stage) => agentWithTask(stage, { variables: { a: '1', b: '2' }, tags: ['x'] }),
    input: (subject) => ({ ...subject, task: { variables: { a: null, c: '3' }, tags: ['y'] } }),
    answer: (answer) =>
      expect(answer).toMatchObject({ variables: { b: '2', c: '3' }, tags: ['y'], revision: 2 }),
  }),
  given({
    op: 'tasks.update',
    title: 'another task_id is refused',
    as: 'owner',
    given: (stage) => agentWithTask(stage),
    input: (subject) => ({ ...subject, task: { task_id: 'other' } }),
    refusal: 'invalid_input',
  }),
  given({
    op: 'tasks.update',
    title: 'a bound that the merged task would break is refused',
    as: 'owner',
    given: (stage) => agentWithTask(stage),
    input: (subject) => ({ ...subject, task: { step_timeout_seconds: 3601 } }),
    refusal: 'invalid_input',
  }),
  ...taskRefusals('tasks.update', { task: { enabled: false } }),
  staleRevision('tasks.update', (stage) => agentWithTask(stage), { task: { enabled: false } }),
  given({
    op: 'tasks.delete',
    title: 'a task goes, and its runs stay',
    as: 'owner',
    given: async (stage) => {
      const subject = await agentWithTask(stage, { runtime: 'prompt' })
      const run = await stage.ask('tasks.run', subject)
      return { ...subject, run_id: run.id }
    },
    input: ({ char_id, task_id }) => ({ char_id, task_id }),
    answer: async (answer, { task_id, run_id }, stage) => {
      expect(answer).toEqual({ id: task_id, deleted: true })
      const run = await stage.ask('runs.get', { run_id })
      expect(run).toMatchObject({ status: 'cancelled', reason: 'task_deleted' })
    },
  }),
  ...taskRefusals('tasks.delete'),
  staleRevision('tasks.delete', (stage) => agentWithTask(stage)),
]

const reading: Case[] = [
  given({
    op: 'tasks.list',
    title: 'tasks are listed by their order, page by page',
    as: 'owner',
    given: (stage) => {
      const tasks = [3, 1, 2].map((order) => ({ task_id: `t${order}`, name: 'T', order }))
      return agent(stage, 'ada', { heart: { tasks } })
    },
    input: (char_id) => ({ char_id, limit: 2 }),
    answer: async ({ items, next_cursor }, char_id, stage) => {
      const ids = (items as unknown as { task_id: string }[]).map(({ task_id }) => task_id)
      expect(ids).toEqual(['t1', 't2'])
      const next = await stage.ask('tasks.list', { char_id, cursor: next_cursor })
      expect(next.items[0]?.task_id).toBe('t3')
    },
  }),
  ...agentRefusals('tasks.list', (char_id) => ({ char_id })),
  brokenCursor(
    'tasks.list',
    (char_id) => ({ char_id }),
    (stage) => agent(stage),
  ),
  given({
    op: 'tasks.get',
    title: 'a task is read as it was kept',
    as: 'owner',
    given: (stage) => agentWithTask(stage),
    input: (subject) => subject,
    answer: (answer, { char_id }) =>
      expect(answer).toMatchObject({ char_id, task_id: 'digest', runtime: 'template' }),
  }),
  given({
    op: 'tasks.get',
    title: 'a summary of a task has no nulls, and less than half of it',
    as: 'owner',
    given: async (stage) => {
      const subject = await agentWithTask(stage)
      return { subject, whole: JSON.stringify(await stage.ask('tasks.get', subject)).length }
    },
    input: ({ subject }) => ({ ...subject, view: 'summary' }),
    part: true,
    answer: (answer, { whole }) => {
      const text = JSON.stringify(answer)
      expect(text).not.toContain('null')
      expect(text.length).toBeLessThan(whole / 2)
    },
  }),
  ...taskRefusals('tasks.get'),
]

const ended = (title: string, task: object, run: object, want: object): Case =>
  given({
    op: 'tasks.run',
    title,
    as: 'owner',
    given: (stage) => agentWithTask(stage, task),
    input: (subject) => ({ ...subject, wait_seconds: 10, ...run }),
    answer: (answer) => expect(answer).toMatchObject(want),
  })

const gate = { approval_gate: { requires_approval: true } }

const running: Case[] = [
  ended(
    'a template run answers its output',
    {},
    { input: 'cats' },
    { status: 'completed', output: 'Sum up: cats', started_by: { kind: 'key' } },
  ),
  ended(
    'members of the input and variables fill the prompt',
    { prompt: '{{who}} likes {{what.first}}', variables: { who: 'Ada' } },
    { input: { what: { first: 'tea' } }, variables: { who: 'Grace' } },
    { output: 'Grace likes tea' },
  ),
  ended(
    'a missing variable fails the run naming it',
    { prompt: '{{missing}}' },
    {},
    { status: 'failed', error: { code: 'variable_missing' } },
  ),
  ended(
    'a prompt that would grow without bound fails the run before it is built',
    { prompt: '{{input}}'.repeat(2000) },
    { input: 'x'.repeat(100_000) },
    { status: 'failed', error: { code: 'prompt_too_long' } },
  ),
  ended(
    'a secret is never put into a prompt',
    { prompt: '{{secret.TOKEN}}' },
    {},
    { status: 'failed', error: { code: 'secret_in_prompt' } },
  ),
  ended(
    'a variable that is not of its type fails the run',
    { variables: { n: 'seven' }, variable_types: { n: 'number' } },
    { input: 'x' },
    { status: 'failed', error: { code: 'variable_invalid' } },
  ),
  ended(
    'a gated task answers as soon as it waits for its approval',
    gate,
    { input: 'x' },
    { status: 'waiting_approval', output: null, finished_at: null },
  ),
  ended(
    'a human_approval task without a quorum has no one to ask',
    { runtime: 'human_approval' },
    { input: 'x' },
    { status: 'failed', error: { code: 'quorum_missing' } },
  ),
  ...['shell', 'container'].map((runtime) =>
    ended(
      `the runtime ${runtime} is off, and the run says how it is switched on`,
      { runtime },
      { wait_seconds: 30 },
      { status: 'failed', error: { code: 'runtime_disabled' } },
    ),
  ),
  ended(
    'a workflow without a task to run says so',
    { runtime: 'workflow' },
    { wait_seconds: 30 },
    { status: 'failed', error: { code: 'workflow_empty' } },
  ),
  ended(
    'a router without a task to start says so',
    { runtime: 'router' },
    { input: 'x', wait_seconds: 30 },
    { status: 'failed', error: { code: 'no_route' } },
  ),
  ended(
    'an api run to a private address is refused',
    { runtime: 'api', api_url: 'http://127.0.0.1:9/' },
    { input: 'x' },
    { status: 'failed', error: { code: 'api_address_refused' } },
  ),
  given({
    op: 'tasks.run',
    title: 'a summary of a run that waits says for whom, and a repeat answers the same',
    as: 'owner',
    again: true,
    part: true,
    given: (stage) => agentWithTask(stage, { runtime: null }),
    input: (subject) => ({ ...subject, view: 'summary' }),
    answer: (answer, { char_id, task_id }) => {
      const { id } = answer
      const next = { operation: 'runs.lease', input: { char_id, task_id } }
      const where = { status: 'queued', reason: 'waiting_for_worker', root_run_id: id, next }
      expect(answer).toEqual({ id, char_id, task_id, ...where })
    },
  }),
  given({
    op: 'tasks.run',
    title: 'a prompt run waits for an agent that leases it',
    as: 'scoped',
    given: async (stage) => {
      const subject = await agentWithTask(stage, { runtime: null })
      await stage.scopeTo(subject.char_id)
      return subject
    },
    input: (subject) => subject,
    answer: (answer) =>
      expect(answer).toMatchObject({ status: 'queued', reason: 'waiting_for_worker', attempt: 0 }),
  }),
  ...taskRefusals('tasks.run'),
  given({
    op: 'tasks.run',
    title: 'waiting for more than a minute is refused',
    as: 'owner',
    given: (stage) => agentWithTask(stage),
    input: (subject) => ({ ...subject, wait_seconds: 61 }),
    refusal: 'invalid_input',
  }),
]

export const tasks: readonly Case[] = [...writing, ...reading, ...running]
