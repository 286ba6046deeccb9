import { expect } from 'vitest'
import {
  agent,
  agentRefusals,
  agentWithTask,
  brokenCursor,
  given,
  leased,
  needsKey,
  nowhere,
  type Case,
} from './case.ts'

const prompted = async (stage: Parameters<typeof leased>[0]): Promise<string> => {
  const subject = await agentWithTask(stage, { runtime: 'prompt' })
  return (await stage.ask('tasks.run', { ...subject, input: 'x' })).id
}

export const runRefusals = (op: string, more: object = {}): Case[] => [
  given({
    op,
    title: 'a run that does not exist is not found',
    as: 'owner',
    input: () => ({ run_id: nowhere, ...more }),
    refusal: 'run_not_found',
  }),
  given({
    op,
    title: "another account's run is forbidden",
    as: 'stranger',
    given: prompted,
    input: (run_id) => ({ run_id, ...more }),
    refusal: 'forbidden',
  }),
  given({
    op,
    title: "a sibling's run is forbidden to a scoped key",
    as: 'scoped',
    given: async (stage) => {
      await stage.scopeTo(await agent(stage, 'grace'))
      return prompted(stage)
    },
    input: (run_id) => ({ run_id, ...more }),
    refusal: 'forbidden',
  }),
]

const leaseRefusals = (op: string, more: object = {}): Case[] => [
  ...runRefusals(op, { lease_token: 'lse_x', ...more }),
  given({
    op,
    title: 'the lease of another runner is refused, and nothing changes',
    as: 'owner',
    given: (stage) => leased(stage),
    input: ({ run_id }) => ({ run_id, lease_token: 'lse_x', ...more }),
    refusal: 'lease_lost',
  }),
  given({
    op,
    title: 'a run that has ended stays as it ended',
    as: 'owner',
    given: async (stage) => {
      const { run_id, lease_token } = await leased(stage)
      await stage.ask('runs.complete', { run_id, lease_token, output: 'first' })
      return { run_id, lease_token }
    },
    input: (held) => ({ ...held, ...more }),
    refusal: 'run_ended',
  }),
]

const reading: Case[] = [
  given({
    op: 'runs.get',
    title: 'a run is read with its state',
    as: 'owner',
    given: prompted,
    input: (run_id) => ({ run_id }),
    answer: (answer, id) => {
      expect(answer).toMatchObject({ id, status: 'queued', root_run_id: id })
      const { char_id, task_id } = answer
      expect(answer.next).toEqual({ operation: 'runs.lease', input: { char_id, task_id } })
    },
  }),
  given({
    op: 'runs.get',
    title: 'a run that waits for a decision says how to decide',
    as: 'owner',
    given: async (stage) => {
      const id = await prompted(stage)
      const waiting = { status: 'waiting_approval', approval_id: 'apr_1', reason: null } as const
      await stage.world.ports.store.runs.update({ id }, { $set: waiting })
      return id
    },
    input: (run_id) => ({ run_id }),
    answer: ({ next }) =>
      expect(next).toEqual({ operation: 'approvals.decide', input: { approval_id: 'apr_1' } }),
  }),
  given({
    op: 'runs.get',
    title: 'a summary has what says most, without nulls, and output as it was given',
    as: 'owner',
    given: async (stage) => {
      const { run_id, lease_token } = await leased(stage)
      await stage.ask('runs.complete', { run_id, lease_token, output: { found: null, at: [null] } })
      return run_id
    },
    input: (run_id) => ({ run_id, view: 'summary' }),
    part: true,
    answer: (answer, id) =>
      expect(answer).toEqual({
        id,
        char_id: expect.any(String) as string,
        task_id: 'digest',
        status: 'completed',
        output: { found: null, at: [null] },
        root_run_id: id,
        finished_at: expect.any(String) as string,
      }),
  }),
  given({
    op: 'runs.get',
    title: 'fields decide where a view is sent too',
    as: 'owner',
    given: async (stage) => (await leased(stage)).run_id,
    input: (run_id) => ({ run_id, view: 'summary', fields: ['attempt', 'id'] }),
    part: true,
    answer: (answer, id) => expect(answer).toEqual({ id, attempt: 1 }),
  }),
  given({
    op: 'runs.get',
    title: 'an unknown field is refused, with the nearest',
    as: 'owner',
    given: prompted,
    input: (run_id) => ({ run_id, fields: ['id', 'state'] }),
    refusal: 'invalid_input',
    error: ({ errors, hint }) => {
      expect(errors).toMatchObject([{ pointer: '/fields/1', suggestion: 'status' }])
      expect(hint).toContain('finished_at')
    },
  }),
  ...runRefusals('runs.get'),
  given({
    op: 'runs.list',
    title: 'runs are listed newest first, narrowed by what is asked',
    as: 'owner',
    given: async (stage) => {
      const subject = await agentWithTask(stage)
      for (const input of ['1', '2', '3']) {
        await stage.ask('tasks.run', { ...subject, input, wait_seconds: 10 })
      }
      return subject
    },
    input: (subject) => ({ ...subject, status: 'completed', limit: 2 }),
    answer: async (answer, subject, stage) => {
      const inputs = (page: object): unknown[] =>
        (page as { items: { input: unknown }[] }).items.map(({ input }) => input)
      expect(inputs(answer)).toEqual(['3', '2'])
      const again = { ...subject, status: 'completed', limit: 2, cursor: answer.next_cursor }
      expect(inputs(await stage.ask('runs.list', again))).toEqual(['1'])
    },
  }),
  given({
    op: 'runs.list',
    title: 'a chain is waited for until it goes on by no one but who is asked, in one call',
    as: 'owner',
    given: async (stage) => {
      const heart = { tasks: [{ task_id: 'write', name: 'Write', prompt: 'Of {{input}}' }] }
      const to = await agent(stage, 'grace', { heart })
      const output_sharing = { enabled: true, target_agent_id: to, target_task_id: 'write' }
      const { id } = await stage.ask('tasks.run', {
        ...(await agentWithTask(stage, { output_sharing })),
        input: 'tea',
      })
      return { id, to }
    },
    input: ({ id }) => ({ root_run_id: id, wait_seconds: 60 }),
    answer: async ({ items, chain }, { id, to }, stage) => {
      expect(items.map(({ char_id, status }) => [char_id, status])).toEqual([
        [to, 'queued'],
        [expect.any(String), 'completed'],
      ])
      const next = [{ operation: 'runs.lease', input: { char_id: to, task_id: 'write' } }]
      expect(chain).toEqual({ ended: false, going_on: 0, next })
      const { run, lease_token } = await stage.ask('runs.lease', { char_id: to })
      await stage.ask('runs.complete', { run_id: run.id, lease_token, output: 'done' })
      // Any of its runs names the chain.
      const ended = await stage.ask('runs.list', { root_run_id: run.id, wait_seconds: 60 })
      expect(ended).toMatchObject({
        items: [{ output: 'done' }, { id }],
        chain: { ended: true, going_on: 0, next: [] },
      })
    },
  }),
  given({
    op: 'runs.list',
    title: 'fields are those of each item',
    as: 'owner',
    given: prompted,
    input: () => ({ fields: ['id', 'reason', 'error'], limit: 5 }),
    part: true,
    answer: (answer, id) =>
      expect(answer).toEqual({ items: [{ id, reason: 'waiting_for_worker' }], next_cursor: null }),
  }),
  given({
    op: 'runs.list',
    title: 'without a chain there is nothing to wait for',
    as: 'owner',
    input: () => ({ wait_seconds: 1 }),
    refusal: 'invalid_input',
    error: ({ errors }) => expect(errors?.[0]?.pointer).toBe('/root_run_id'),
  }),
  given({
    op: 'runs.list',
    title: 'a chain that is not there is not waited for',
    as: 'owner',
    input: () => ({ root_run_id: nowhere, wait_seconds: 60 }),
    refusal: 'run_not_found',
  }),
  given({
    op: 'runs.list',
    title: "another account's chain is forbidden to who would wait for it",
    as: 'stranger',
    given: prompted,
    input: (root_run_id) => ({ root_run_id, wait_seconds: 60 }),
    refusal: 'forbidden',
  }),
  ...agentRefusals('runs.list', (char_id) => ({ char_id })),
  brokenCursor('runs.list', () => ({})),
  given({
    op: 'runs.events',
    title: 'the events of a run tell its way, oldest first',
    as: 'owner',
    given: async (stage) => {
      const subject = await agentWithTask(stage)
      return (await stage.ask('tasks.run', { ...subject, input: 'x', wait_seconds: 10 })).id
    },
    input: (run_id) => ({ run_id }),
    answer: ({ items }) => {
      const types = (items as unknown as { type: string }[]).map(({ type }) => type)
      expect(types).toEqual(['run.queued', 'run.started', 'run.completed'])
      const last = (items as unknown as { seq: number; at: string }[]).at(-1)
      expect(last?.seq).toBe(Date.parse(last?.at ?? '') + 1_000_000)
    },
  }),
  given({
    op: 'runs.events',
    title: 'the events of a run that has ended are waited for no longer',
    as: 'owner',
    given: async (stage) => {
      const subject = await agentWithTask(stage)
      return (await stage.ask('tasks.run', { ...subject, input: 'x' })).id
    },
    input: (run_id) => ({ run_id, wait_seconds: 60 }),
    answer: ({ items }) => {
      const types = (items as unknown as { type: string }[]).map(({ type }) => type)
      expect(types.at(-1)).toBe('run.completed')
    },
  }),
  given({
    op: 'runs.events',
    title: 'the events of a run are told newest first where that is asked for',
    as: 'owner',
    given: async (stage) => {
      const subject = await agentWithTask(stage)
      return (await stage.ask('tasks.run', { ...subject, input: 'x', wait_seconds: 10 })).id
    },
    input: (run_id) => ({ run_id, newest_first: true }),
    answer: ({ items }) => {
      const types = (items as unknown as { type: string }[]).map(({ type }) => type)
      expect(types).toEqual(['run.completed', 'run.started', 'run.queued'])
    },
  }),
  ...runRefusals('runs.events'),
  brokenCursor('runs.events', (run_id) => ({ run_id }), prompted),
  given({
    op: 'runs.cancel',
    title: 'a run is cancelled, and its lease is worth nothing more',
    as: 'owner',
    given: (stage) => leased(stage),
    input: ({ run_id }) => ({ run_id, reason: 'changed my mind' }),
    answer: async (answer, held, stage) => {
      expect(answer).toMatchObject({ status: 'cancelled', reason: 'changed my mind' })
      const { run_id, lease_token } = held
      await expect(
        stage.ask('runs.complete', { run_id, lease_token, output: 'late' }),
      ).rejects.toMatchObject({ code: 'run_ended' })
    },
  }),
  given({
    op: 'runs.cancel',
    title: 'a run that has ended cannot be cancelled',
    as: 'owner',
    given: async (stage) => {
      const run_id = await prompted(stage)
      await stage.ask('runs.cancel', { run_id })
      return run_id
    },
    input: (run_id) => ({ run_id }),
    refusal: 'run_ended',
  }),
  ...runRefusals('runs.cancel'),
]

const leasing: Case[] = [
  ...needsKey('runs.lease', {}),
  given({
    op: 'runs.lease',
    title: 'the oldest waiting run comes with who to be and what to do',
    as: 'scoped',
    given: async (stage) => {
      const subject = await agentWithTask(stage, {
        runtime: 'prompt',
        tools: [{ name: 'search', config: { url: 'https://tools.example/mcp' } }],
      })
      await stage.ask('characters.update', {
        char_id: subject.char_id,
        character: { role: 'Researcher', personality: { traits: ['curious'] } },
      })
      const first = await stage.ask('tasks.run', { ...subject, input: 'first' })
      await stage.ask('tasks.run', { ...subject, input: 'second' })
      await stage.scopeTo(subject.char_id)
      return first.id
    },
    input: () => ({ lease_seconds: 30 }),
    answer: (answer, first) => {
      expect(answer).toMatchObject({
        run: { id: first, status: 'running', attempt: 1 },
        prompt: 'Sum up: first',
        tools: [{ name: 'search', type: 'mcp', url: 'https://tools.example/mcp' }],
        knowledge: [],
        reason: null,
      })
      expect(answer.system_prompt).toContain('You are Ada, Researcher.')
      expect(answer.system_prompt).toContain('curious')
    },
  }),
  given({
    op: 'runs.lease',
    title: 'where none waits there is none, and the reason says so',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id }),
    answer: (answer) => expect(answer).toMatchObject({ run: null, reason: 'none_waiting' }),
  }),
  given({
    op: 'runs.lease',
    title: 'of a task that is not there no run is waited for',
    as: 'owner',
    given: (stage) => agentWithTask(stage),
    input: ({ char_id, task_id }) => ({ char_id, task_id: `${task_id}s`, wait_seconds: 60 }),
    refusal: 'task_not_found',
    error: ({ hint }, { task_id }) => expect(hint).toContain(`"task_id":"${task_id}"`),
  }),
  given({
    op: 'runs.lease',
    title: 'a run whose prompt cannot be filled fails, and the next one is given',
    as: 'owner',
    given: async (stage) => {
      const subject = await agentWithTask(stage, { runtime: null, prompt: '{{topic}}' })
      const bad = await stage.ask('tasks.run', subject)
      const good = await stage.ask('tasks.run', { ...subject, input: { topic: 'tea' } })
      return { bad: bad.id, good: good.id }
    },
    input: () => ({}),
    answer: async (answer, { bad, good }, stage) => {
      expect(answer).toMatchObject({ run: { id: good }, prompt: 'tea' })
      const failed = await stage.ask('runs.get', { run_id: bad })
      expect(failed).toMatchObject({ status: 'failed', error: { code: 'variable_missing' } })
    },
  }),
  ...agentRefusals('runs.lease', (char_id) => ({ char_id })),
  given({
    op: 'runs.heartbeat',
    title: 'a heartbeat keeps the lease for as long again',
    as: 'owner',
    given: (stage) => leased(stage),
    input: ({ run_id, lease_token }) => ({ run_id, lease_token }),
    answer: (answer) => {
      const seconds = (Date.parse(answer.expires_at) - Date.now()) / 1000
      expect(seconds).toBeGreaterThan(500)
      expect(answer.status).toBe('running')
    },
  }),
  ...leaseRefusals('runs.heartbeat'),
]

const ending: Case[] = [
  given({
    op: 'runs.complete',
    title: 'the output is kept as it is, with its artifacts',
    as: 'owner',
    given: (stage) => leased(stage),
    input: ({ run_id, lease_token }) => ({
      run_id,
      lease_token,
      output: { findings: ['one', null] },
      artifacts: [{ name: 'notes.md', media_type: 'text/markdown', content: '# Notes' }],
    }),
    answer: async (answer, { run_id }, stage) => {
      expect(answer).toMatchObject({
        status: 'completed',
        output: { findings: ['one', null] },
        artifacts: [{ name: 'notes.md' }],
      })
      expect(await stage.ask('runs.get', { run_id })).toEqual(answer)
    },
  }),
  given({
    op: 'runs.complete',
    title: 'a summary has no nulls, but the output as it was given, and what was asked for besides',
    as: 'owner',
    part: true,
    given: (stage) => leased(stage),
    input: ({ run_id, lease_token }) => ({
      run_id,
      lease_token,
      output: { found: null },
      lease_next: true,
      view: 'summary',
    }),
    answer: (answer, { run_id }) => {
      expect(answer).toEqual({
        id: run_id,
        char_id: answer.char_id,
        task_id: answer.task_id,
        status: 'completed',
        output: { found: null },
        root_run_id: run_id,
        finished_at: expect.any(String),
        started: [],
      })
    },
  }),
  given({
    op: 'runs.complete',
    title:
      'an output that does not fit the output_schema is refused with its faults, and the lease holds',
    as: 'owner',
    given: (stage) => leased(stage, { output_schema: { type: 'object', required: ['found'] } }),
    input: ({ run_id, lease_token }) => ({ run_id, lease_token, output: { lost: 1 } }),
    refusal: 'output_invalid',
    error: ({ errors, hint }) => {
      expect(errors).toMatchObject([{ pointer: '/output', code: 'output_invalid' }])
      expect(hint).toContain('lease still holds')
    },
  }),
  given({
    op: 'runs.complete',
    title: 'the result is handed to exactly the target task',
    as: 'owner',
    given: async (stage) => {
      const heart = { tasks: [{ task_id: 'write', name: 'Write', runtime: 'prompt' }] }
      const to = await agent(stage, 'grace', { heart })
      const held = await leased(stage, {
        output_sharing: {
          enabled: true,
          target_agent_id: to,
          target_task_id: 'write',
          message_prefix: 'From Ada: ',
          handoff_memory_key: 'notes',
        },
      })
      return { to, ...held }
    },
    input: ({ run_id, lease_token }) => ({ run_id, lease_token, output: 'tea' }),
    answer: async (answer, { to }, stage) => {
      const lease = await stage.ask('runs.lease', { char_id: to })
      expect(lease.run).toMatchObject({
        task_id: 'write',
        input: 'From Ada: tea',
        parent_run_id: answer.id,
        root_run_id: answer.root_run_id,
        depth: 1,
        trigger: { type: 'message', caller: { run_id: answer.id, handoff_memory_key: 'notes' } },
      })
    },
  }),
  given({
    op: 'runs.complete',
    title:
      'without a target task the result lands in the inbox, and no task that does not listen runs',
    as: 'owner',
    given: async (stage) => {
      const to = await agent(stage, 'grace', { heart: { tasks: [{ name: 'Deaf' }] } })
      const output_sharing = { enabled: true, target_agent_id: to }
      return { to, ...(await leased(stage, { output_sharing })) }
    },
    input: ({ run_id, lease_token }) => ({ run_id, lease_token, output: 'tea' }),
    answer: async (answer, { to }, stage) => {
      const { items } = await stage.ask('messages.list', { char_id: to })
      expect(items[0]).toMatchObject({ body: 'tea', run_id: answer.id, runs: [] })
      const runs = await stage.ask('runs.list', { char_id: to })
      expect(runs.items).toEqual([])
    },
  }),
  given({
    op: 'runs.complete',
    title: 'with lease_next it says what it set going, and gives the next run, of the same asking',
    as: 'owner',
    again: true,
    idempotencyKey: 'complete-and-lease-once',
    given: async (stage) => {
      const heart = { tasks: [{ task_id: 'write', name: 'Write', prompt: 'Of {{input}}' }] }
      const to = await agent(stage, 'grace', { heart })
      const output_sharing = { enabled: true, target_agent_id: to, target_task_id: 'write' }
      const tasks = [{ task_id: 'first', name: 'First', prompt: 'Do', output_sharing }]
      const char_id = await agent(stage, 'ada', { heart: { tasks } })
      await stage.ask('tasks.run', { char_id, task_id: 'first' })
      const { run, lease_token } = await stage.ask('runs.lease', { lease_seconds: 90 })
      return { to, sent: { run_id: run.id, lease_token } }
    },
    input: ({ sent }) => ({ ...sent, output: 'tea', lease_next: true }),
    answer: async (answer, { to }, stage) => {
      const { status, started, next_lease } = answer
      expect(status).toBe('completed')
      expect(started).toEqual([
        { id: next_lease.run.id, char_id: to, task_id: 'write', status: 'running' },
      ])
      expect(next_lease).toMatchObject({
        run: { char_id: to, attempt: 1, input: 'tea', parent_run_id: answer.id },
        prompt: 'Of tea',
        reason: null,
      })
      const seconds = (Date.parse(next_lease.expires_at) - Date.now()) / 1000
      expect(seconds).toBeGreaterThan(60)
      expect(seconds).toBeLessThanOrEqual(90)
      const { lease_token, run } = next_lease
      const last = { run_id: run.id, lease_token, output: 'done', lease_next: true }
      expect(await stage.ask('runs.complete', last)).toMatchObject({
        status: 'completed',
        started: [],
        next_lease: null,
      })
    },
  }),
  ...leaseRefusals('runs.complete', { output: 'late' }),
  given({
    op: 'runs.fail',
    title: 'a run that is given up has failed, with the words of its worker',
    as: 'owner',
    given: (stage) => leased(stage, { reliability: { pause_on_failure: true } }),
    input: ({ run_id, lease_token }) => ({
      run_id,
      lease_token,
      error: { message: 'No sources.' },
    }),
    answer: async (answer, { char_id }, stage) => {
      expect(answer).toMatchObject({
        status: 'failed',
        error: { code: 'failed', message: 'No sources.' },
      })
      const task = await stage.ask('tasks.get', { char_id, task_id: 'digest' })
      expect(task.enabled).toBe(false)
      expect(task.reliability.pause_reason).toContain(answer.id)
    },
  }),
  given({
    op: 'runs.fail',
    title: 'a transient failure puts the run back until its attempts are used up',
    as: 'owner',
    given: (stage) => leased(stage),
    input: ({ run_id, lease_token }) => ({
      run_id,
      lease_token,
      error: { code: 'busy', message: 'Try later.' },
      transient: true,
    }),
    answer: async (answer, { char_id }, stage) => {
      expect(answer).toMatchObject({ status: 'queued', reason: 'waiting_for_worker', attempt: 1 })
      const again = await stage.ask('runs.lease', { char_id })
      expect(again.run).toMatchObject({ id: answer.id, attempt: 2 })
    },
  }),
  given({
    op: 'runs.fail',
    title: 'with lease_next a run that goes back is followed by another one',
    as: 'owner',
    given: async (stage) => {
      const held = await leased(stage)
      const next = await stage.ask('tasks.run', { char_id: held.char_id, task_id: 'digest' })
      return { ...held, next: next.id }
    },
    input: ({ run_id, lease_token }) => ({
      run_id,
      lease_token,
      error: { message: 'Later.' },
      transient: true,
      lease_next: true,
    }),
    answer: (answer, { next }) =>
      expect(answer).toMatchObject({
        status: 'queued',
        started: [],
        next_lease: { run: { id: next, status: 'running' } },
      }),
  }),
  ...leaseRefusals('runs.fail', { error: { message: 'late' } }),
]

export const runs: readonly Case[] = [...reading, ...leasing, ...ending]
