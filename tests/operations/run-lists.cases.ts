import { expect } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import { agentWithTask, brokenCursor, given, type Case, type Stage } from './case.ts'

/** An agent with a task of templates; its runs have completed, failed and been cancelled, in turn. */
async function mixed(stage: Stage) {
  const subject = await agentWithTask(stage)
  const waiting = { task_id: 'ask', name: 'Ask', prompt: 'Of {{name}}', runtime: 'prompt' }
  await stage.ask('tasks.create', { char_id: subject.char_id, task: waiting })
  const ids: string[] = []
  for (const round of [1, 2]) {
    ids.push((await stage.ask('tasks.run', { ...subject, input: `done ${round}` })).id)
    await stage.tick()
    const { id } = await stage.ask('tasks.run', { char_id: subject.char_id, task_id: 'ask' })
    await stage.ask('runs.cancel', { run_id: id })
    ids.push(id)
    await stage.tick()
    ids.push((await stage.ask('tasks.run', { char_id: subject.char_id, task_id: 'ask' })).id)
    await stage.tick()
  }
  return { char_id: subject.char_id, ids: ids.toReversed() }
}

const idsOf = ({ items }: { items: readonly unknown[] }): string[] =>
  // As the schema of the operation says.
  (items as Run[]).map(({ id }) => id)

const several = 'completed, cancelled'

export const runLists: Case[] = [
  given({
    op: 'runs.list',
    title: 'several statuses are listed together, page by page, none twice',
    as: 'owner',
    given: mixed,
    input: ({ char_id }) => ({ char_id, status: ['completed', 'cancelled'], limit: 3 }),
    answer: async (answer, { char_id, ids }, stage) => {
      const wanted = ids.filter((_, i) => i % 3 !== 0)
      expect(idsOf(answer)).toEqual(wanted.slice(0, 3))
      const more = { char_id, status: several, limit: 3, cursor: answer.next_cursor }
      const rest = await stage.ask('runs.list', more)
      expect(idsOf(rest)).toEqual(wanted.slice(3))
      expect(rest.next_cursor).toBeNull()
    },
  }),
  given({
    op: 'runs.list',
    title: 'statuses between commas are several',
    as: 'owner',
    given: mixed,
    input: ({ char_id }) => ({ char_id, status: several }),
    answer: (answer, { ids }) => expect(idsOf(answer)).toEqual(ids.filter((_, i) => i % 3 !== 0)),
  }),
  given({
    op: 'runs.list',
    title: 'a status that there is not is refused at its place',
    as: 'owner',
    input: () => ({ status: 'failed,finished' }),
    refusal: 'invalid_input',
    error: ({ errors }) => expect(errors?.[0]?.pointer).toBe('/status/1'),
  }),
  given({
    op: 'runs.list',
    title: 'runs that failed for one reason are listed, and are what is retried for it',
    as: 'owner',
    given: async (stage) => {
      const { char_id } = await agentWithTask(stage)
      const failing = { name: 'Fail', runtime: 'template' }
      const ids: string[] = []
      for (const [task_id, prompt] of [
        ['unfilled', 'Of {{name}}'],
        ['secret', 'Of {{secret.NAME}}'],
      ]) {
        await stage.ask('tasks.create', { char_id, task: { ...failing, task_id, prompt } })
        ids.push((await stage.ask('tasks.run', { char_id, task_id })).id)
      }
      return { char_id, ids }
    },
    input: ({ char_id }) => ({ char_id, error_code: 'variable_missing' }),
    answer: async (answer, { char_id, ids }, stage) => {
      expect(idsOf(answer)).toEqual(ids.slice(0, 1))
      const same = { char_id, error_code: 'secret_in_prompt', dry_run: true }
      const retried = await stage.ask<{ run_ids: string[] }>('runs.retry_all', same)
      expect(retried.run_ids).toEqual(ids.slice(1))
    },
  }),
  given({
    op: 'runs.list',
    title: 'runs of an app, of a trigger and of a time are listed',
    as: 'owner',
    given: async (stage) => {
      const { char_id, ids } = await mixed(stage)
      const { runs } = stage.world.ports.store
      const app_id = stage.id('app')
      const [last = '', ...earlier] = ids
      for (const id of earlier) await runs.update({ id }, { $set: { app_id } })
      const { created_at } = await stage.ask<Run>('runs.get', { run_id: last })
      const first = await stage.ask<Run>('runs.get', { run_id: earlier.at(-1) })
      return { char_id, app_id, earlier, since: first.created_at, until: created_at }
    },
    input: ({ app_id, since, until }) => ({ app_id, since, until, trigger: 'manual', limit: 4 }),
    answer: async (answer, { earlier, since, until, ...place }, stage) => {
      expect(idsOf(answer)).toEqual(earlier.slice(0, 4))
      const { app_id } = place
      const more = { app_id, since, until, trigger: 'manual', limit: 4, cursor: answer.next_cursor }
      expect(idsOf(await stage.ask('runs.list', more))).toEqual(earlier.slice(4))
      for (const none of [{ until: since }, { trigger: 'cron' }, { app_id: 'no-app' }]) {
        expect(idsOf(await stage.ask('runs.list', { ...place, ...none }))).toEqual([])
      }
    },
  }),
  given({
    op: 'runs.list',
    title: 'a cursor belongs to its filter',
    as: 'owner',
    given: async (stage) => {
      const { char_id } = await mixed(stage)
      return stage.ask('runs.list', { char_id, status: 'completed', limit: 1 })
    },
    input: ({ next_cursor: cursor }) => ({ status: several, limit: 1, cursor }),
    refusal: 'cursor_invalid',
  }),
  given({
    op: 'runs.list',
    title: 'a time is one with its zone',
    as: 'owner',
    input: () => ({ since: 'yesterday' }),
    refusal: 'invalid_input',
    error: ({ errors }) => expect(errors?.[0]?.pointer).toBe('/since'),
  }),
  brokenCursor('runs.list', () => ({ status: several })),
]
