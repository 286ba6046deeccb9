import { expect } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import { agentRefusals, agentWithTask, brokenCursor, given, type Case, type Stage } from './case.ts'
import { runRefusals } from './runs.cases.ts'

/** Runs of the owner's that failed: the prompt of their task names what they were not given. */
async function failures(stage: Stage, inputs: readonly string[]): Promise<Run[]> {
  const subject = await agentWithTask(stage, { prompt: 'Of {{name}}' })
  const runs: Run[] = []
  for (const input of inputs) {
    runs.push(await stage.ask<Run>('tasks.run', { ...subject, input }))
    await stage.tick()
  }
  // A retry waits for an agent that leases it.
  await stage.ask('tasks.update', { ...subject, task: { runtime: 'prompt' } })
  return runs
}

async function failed(stage: Stage): Promise<Run> {
  const [run] = await failures(stage, ['x'])
  if (!run) throw new Error('there is no run')
  return run
}

const retrying: Case[] = [
  given({
    op: 'runs.retry',
    title: 'a failed run is run again with other variables, and stays as it is',
    as: 'owner',
    given: failed,
    input: ({ id }) => ({ run_id: id, variables: { name: 'tea' } }),
    again: true,
    idempotencyKey: 'retry-1',
    answer: async (answer, old, stage) => {
      expect(answer).toMatchObject({ status: 'queued', retry_of: old.id, input: 'x' })
      expect(answer).toMatchObject({ trigger: { type: 'manual' }, root_run_id: answer.id })
      expect(await stage.ask('runs.get', { run_id: old.id })).toEqual(old)
      const page = await stage.ask('runs.list', { char_id: old.char_id })
      expect(page.items).toHaveLength(2)
    },
  }),
  given({
    op: 'runs.retry',
    title: 'a completed run is run again with another input, and may be deleted then',
    as: 'owner',
    given: async (stage) =>
      stage.ask<Run>('tasks.run', { ...(await agentWithTask(stage)), input: 'tea' }),
    input: ({ id }) => ({ run_id: id, input: { of: 'salt' } }),
    answer: async (answer, old, stage) => {
      expect(answer).toMatchObject({ retry_of: old.id, input: { of: 'salt' } })
      await stage.ask('runs.delete', { run_id: old.id })
      const { id: run_id } = answer
      expect(await stage.ask('runs.get', { run_id })).toMatchObject({ retry_of: old.id })
    },
  }),
  given({
    op: 'runs.retry',
    title: 'a run of a disabled task is run again as tasks.run runs it',
    as: 'owner',
    given: async (stage) => {
      const run = await failed(stage)
      const { char_id, task_id } = run
      await stage.ask('tasks.update', { char_id, task_id, task: { enabled: false } })
      return run
    },
    input: ({ id }) => ({ run_id: id }),
    answer: (answer) => expect(answer).toMatchObject({ status: 'queued' }),
  }),
  given({
    op: 'runs.retry',
    title: 'a run that has not ended is not retried',
    as: 'owner',
    given: async (stage) => {
      const subject = await agentWithTask(stage, { runtime: 'prompt' })
      return stage.ask('tasks.run', { ...subject, input: 'x' })
    },
    input: ({ id }) => ({ run_id: id }),
    refusal: 'run_under_way',
    error: ({ hint }) => expect(hint).toContain('runs'),
  }),
  given({
    op: 'runs.retry',
    title: 'a run whose retry has not ended is not retried again',
    as: 'owner',
    given: async (stage) => {
      const { id } = await failed(stage)
      return { id, again: await stage.ask('runs.retry', { run_id: id }) }
    },
    input: ({ id }) => ({ run_id: id }),
    refusal: 'run_under_way',
    error: ({ detail }, { again }) => expect(detail).toContain(again.id),
  }),
  given({
    op: 'runs.retry',
    title: 'a run whose retry has ended is retried again',
    as: 'owner',
    given: async (stage) => {
      const { id } = await failed(stage)
      const again = await stage.ask('runs.retry', { run_id: id })
      await stage.ask('runs.cancel', { run_id: again.id })
      return id
    },
    input: (run_id) => ({ run_id }),
    answer: (answer, id) => expect(answer).toMatchObject({ retry_of: id }),
  }),
  given({
    op: 'runs.retry',
    title: 'a run whose task is gone has nothing to run again',
    as: 'owner',
    given: async (stage) => {
      const { id, char_id, task_id } = await failed(stage)
      await stage.ask('tasks.delete', { char_id, task_id })
      return id
    },
    input: (run_id) => ({ run_id }),
    refusal: 'task_not_found',
  }),
  ...runRefusals('runs.retry'),
]

/** Three failed runs of one agent; the first has been retried. */
async function threeFailed(stage: Stage) {
  const [first, ...rest] = await failures(stage, ['x', 'y', 'z'])
  const retry = await stage.ask('runs.retry', { run_id: first?.id })
  await stage.ask('runs.cancel', { run_id: retry.id })
  return { char_id: retry.char_id, ids: rest.map(({ id }) => id) }
}

const many: Case[] = [
  given({
    op: 'runs.retry_all',
    title: 'a dry run says what would be retried, and retries nothing',
    as: 'owner',
    given: threeFailed,
    input: ({ char_id }) => ({ char_id, dry_run: true, limit: 1 }),
    answer: async (answer, { char_id, ids }, stage) => {
      const none = { retries: [], left_out: [] }
      expect(answer).toMatchObject({ matched: 2, run_ids: ids.slice(0, 1), ...none })
      const more = { char_id, dry_run: true, limit: 1, cursor: answer.next_cursor }
      const rest = await stage.ask('runs.retry_all', more)
      expect(rest).toMatchObject({ matched: 2, run_ids: ids.slice(1), next_cursor: null })
      const page = await stage.ask('runs.list', { char_id, status: 'queued' })
      expect(page.items).toEqual([])
    },
  }),
  given({
    op: 'runs.retry_all',
    title: 'what failed and was not retried is retried once, however often it is asked',
    as: 'owner',
    given: threeFailed,
    input: ({ char_id }) => ({ char_id, variables: { name: 'tea' } }),
    again: true,
    idempotencyKey: 'retry-all-1',
    answer: async (answer, { char_id, ids }, stage) => {
      // The types of a case do not know the members.
      const { retries } = answer as unknown as {
        retries: { run_id: string; retry_run_id: string }[]
      }
      expect(retries.map(({ run_id }) => run_id)).toEqual(ids)
      const run = await stage.ask<Run>('runs.get', { run_id: retries[0]?.retry_run_id })
      expect(run).toMatchObject({ retry_of: ids[0], status: 'queued' })
      const again = await stage.ask('runs.retry_all', { char_id, status: ['failed', 'cancelled'] })
      // The cancelled retry of the first is the only one left.
      expect(again).toMatchObject({ matched: 1, next_cursor: null })
    },
  }),
  given({
    op: 'runs.retry_all',
    title: 'runs that cannot be retried are left out, with the reason',
    as: 'owner',
    given: async (stage) => {
      const { id, char_id, task_id } = await failed(stage)
      await stage.ask('tasks.delete', { char_id, task_id })
      return { id, char_id }
    },
    input: ({ char_id }) => ({ char_id }),
    answer: (answer, { id }) =>
      expect(answer).toMatchObject({
        retries: [],
        left_out: [{ run_id: id, reason: 'task_not_found' }],
      }),
  }),
  given({
    op: 'runs.retry_all',
    title: 'without anything that narrows it, it is refused',
    as: 'owner',
    input: () => ({ dry_run: true }),
    refusal: 'invalid_input',
  }),
  given({
    op: 'runs.retry_all',
    title: 'only ended runs are retried',
    as: 'owner',
    input: () => ({ status: 'queued' }),
    refusal: 'invalid_input',
    error: ({ errors }) => expect(errors?.[0]?.pointer).toBe('/status/0'),
  }),
  ...agentRefusals('runs.retry_all', (char_id) => ({ char_id })),
  brokenCursor('runs.retry_all', () => ({ status: 'failed' })),
]

export const retries: Case[] = [...retrying, ...many]
