import { expect } from 'vitest'
import { agent, agentWithTask, given, needsKey, type Case, type Stage } from '../case.ts'

const op = 'account.overview'
const soon = { triggers: [{ type: 'cron', config: { cron: '0 * * * *' } }] }

/** A run that failed. */
async function failedRun(stage: Stage): Promise<{ id: string; char_id: string }> {
  const { char_id, task_id } = await agentWithTask(stage)
  const { id } = await stage.ask('tasks.run', { char_id, task_id, input: 'a text' })
  const failed = { status: 'failed', error: { code: 'x', message: 'y' } } as const
  await stage.world.ports.store.runs.update({ id }, { $set: failed })
  return { id, char_id }
}

export const overviews: readonly Case[] = [
  given({
    op,
    title: 'an account says what runs, what is paused, what is next and what is used',
    as: 'owner',
    given: async (stage) => {
      const subject = await agentWithTask(stage, soon)
      const paused = await agent(stage, 'linus')
      const task = { task_id: 'still', name: 'Still', ...soon }
      await stage.ask('tasks.create', { char_id: paused, task })
      await stage.ask('tasks.pause', { char_id: paused, task_id: 'still', reason: 'Holidays.' })
      await stage.ask('tasks.run', { ...subject, input: 'a text' })
      return { ...subject, paused }
    },
    input: () => ({}),
    answer: (answer, { paused }) => {
      expect(answer).toMatchObject({
        needs: {
          approvals: { count: 0, more: false, newest: [] },
          failed_runs: { count: 0, newest: [] },
        },
        money: null,
      })
      const { needs } = answer as unknown as { needs: { paused_tasks: { first: object[] } } }
      expect(needs.paused_tasks.first).toContainEqual({
        char_id: paused,
        task_id: 'still',
        name: 'Still',
        pause_reason: 'Holidays.',
      })
      expect(answer.next[0]).toMatchObject({ status: 'coming' })
      expect(answer.quotas[0]).toMatchObject({ name: 'agents', used: answer.agents.count })
    },
  }),
  given({
    op,
    title: 'a run that failed is named',
    as: 'owner',
    given: async (stage) => (await failedRun(stage)).id,
    input: () => ({ since: new Date(Date.now() - 3_600_000).toISOString() }),
    answer: (answer, id) =>
      expect(answer).toMatchObject({
        needs: { failed_runs: { newest: [{ id, status: 'failed', error_code: 'x' }] } },
        outcomes: { failed: { more: false } },
      }),
  }),
  given({
    op,
    title: 'as many of what needs the owner are named as are asked for',
    as: 'owner',
    given: async (stage) => {
      const char_id = await agent(stage, 'edsger')
      for (const task_id of ['a', 'b', 'c']) {
        await stage.ask('tasks.create', { char_id, task: { task_id, name: task_id, ...soon } })
        await stage.ask('tasks.pause', { char_id, task_id })
      }
    },
    input: () => ({ named: 2 }),
    answer: (answer) => {
      const { needs } = answer as unknown as { needs: { paused_tasks: { first: object[] } } }
      expect(needs.paused_tasks.first).toHaveLength(2)
    },
  }),
  given({
    op,
    title: 'what needs the owner is named of the kinds that are asked for, and counted of all',
    as: 'owner',
    given: async (stage) => {
      const { char_id } = await failedRun(stage)
      await stage.ask('tasks.create', { char_id, task: { task_id: 'a', name: 'a', ...soon } })
      await stage.ask('tasks.pause', { char_id, task_id: 'a' })
    },
    input: () => ({ since: '2020-01-01T00:00:00Z', needs: ['paused_tasks'] }),
    answer: (answer) => {
      const { needs } = answer as unknown as {
        needs: { failed_runs: { count: number }; paused_tasks: { first: object[] } }
      }
      expect(needs).toMatchObject({ approvals: { newest: [] }, failed_runs: { newest: [] } })
      expect(needs.failed_runs.count).toBeGreaterThan(0)
      expect(needs.paused_tasks.first.length).toBeGreaterThan(0)
    },
  }),
  given({
    op,
    title: 'what failed before since is not told',
    as: 'owner',
    given: async (stage) => {
      await agentWithTask(stage)
    },
    input: () => ({ since: '9000-01-01T00:00:00Z' }),
    answer: (answer) =>
      expect(answer).toMatchObject({ needs: { failed_runs: { count: 0, newest: [] } } }),
  }),
  ...needsKey(op, {}),
]
