import { expect } from 'vitest'
import { given, type Case, type Stage } from '../case.ts'
import { free, listening, scoped, type Scoped } from './stage.ts'

const letIn = async (stage: Stage, permissions: string[]): Promise<Scoped> => {
  const who = await scoped(stage)
  await stage.ask('friends.request', { char_id: who.ada, friend_id: who.grace, permissions })
  return who
}

const runsOf = async (stage: Stage, char_id: string) =>
  (await stage.ask('runs.list', { char_id })).items

const messages: Case[] = [
  given({
    op: 'messages.send',
    title: 'what a key that acts as the agent says starts nothing at a sibling',
    as: 'scoped',
    given: (stage) => scoped(stage),
    input: ({ ada, grace }) => ({ char_id: ada, to: grace, body: 'Do it' }),
    answer: async (answer, { grace }, stage) => {
      expect(answer).toMatchObject({ runs: [], warnings: [{ code: 'run_task_missing' }] })
      expect(await runsOf(stage, grace)).toEqual([])
      const { items } = await stage.ask('messages.list', { char_id: grace })
      expect(items).toMatchObject([{ body: 'Do it' }])
    },
  }),
  given({
    op: 'messages.send',
    title: 'a friend without the permission run_task starts nothing either',
    as: 'scoped',
    given: (stage) => letIn(stage, ['message']),
    input: ({ ada, grace }) => ({ char_id: ada, to: grace, body: 'Do it' }),
    answer: (answer) => expect(answer.runs).toEqual([]),
  }),
  given({
    op: 'messages.send',
    title: 'a key that acts as the agent has no task of a sibling run',
    as: 'scoped',
    given: (stage) => scoped(stage),
    input: ({ ada, grace }) => ({ char_id: ada, to: grace, body: 'Do it', task_id: 'answer' }),
    refusal: 'recipient_unreachable',
    error: ({ hint }) => expect(hint).toContain('run_task'),
  }),
  given({
    op: 'messages.send',
    title: 'the right policy is none to have siblings work',
    as: 'scoped',
    given: (stage) => scoped(stage, {}, ['policy']),
    input: ({ ada, grace }) => ({ char_id: ada, to: grace, body: 'Do it', task_id: 'answer' }),
    refusal: 'recipient_unreachable',
  }),
  given({
    op: 'messages.send',
    title: 'over a friendship with run_task it starts what listens',
    as: 'scoped',
    given: (stage) => letIn(stage, ['run_task']),
    input: ({ ada, grace }) => ({ char_id: ada, to: grace, body: 'Do it' }),
    answer: (answer) => {
      expect(answer.runs).toHaveLength(1)
      expect(answer).not.toHaveProperty('warnings')
    },
  }),
  given({
    op: 'messages.send',
    title: 'an agent tells itself what it likes',
    as: 'scoped',
    given: (stage) => scoped(stage, { heart: { tasks: [listening] } }),
    input: ({ ada }) => ({ char_id: ada, to: ada, body: 'Do it' }),
    answer: (answer) => expect(answer.runs).toHaveLength(1),
  }),
]

/** The agent has asked its sibling, by a key that acts as it. */
const asked = async (stage: Stage): Promise<Scoped> => {
  const who = await scoped(stage)
  const { scoped: key } = stage.extra
  const request = { char_id: who.ada, friend_id: who.grace, permissions: ['run_task'] }
  await stage.world.ask('friends.request', request, key)
  return who
}

const friends: Case[] = [
  given({
    op: 'friends.request',
    title: 'a friendship that a key asks for inside its account waits',
    as: 'scoped',
    given: (stage) => scoped(stage),
    input: ({ ada, grace }) => ({ char_id: ada, friend_id: grace, permissions: ['run_task'] }),
    answer: async (answer, { ada, grace }, stage) => {
      expect(answer).toMatchObject({ status: 'pending', requested_by: ada })
      const { items } = await stage.ask('friends.list', { char_id: grace })
      expect(items).toMatchObject([{ status: 'pending', asks: ['run_task'] }])
    },
  }),
  given({
    op: 'friends.accept',
    title: 'the key that asked does not accept for the other',
    as: 'scoped',
    given: asked,
    input: ({ ada, grace }) => ({ char_id: grace, friend_id: ada }),
    refusal: 'forbidden',
  }),
  given({
    op: 'friends.accept',
    title: 'the account accepts what one of its agents has asked another',
    as: 'owner',
    given: asked,
    input: ({ ada, grace }) => ({ char_id: grace, friend_id: ada }),
    answer: async (answer, { ada, grace }, stage) => {
      expect(answer).toMatchObject({ status: 'accepted' })
      const { items } = await stage.ask('friends.list', { char_id: ada })
      expect(items).toMatchObject([{ status: 'accepted', permissions: ['run_task'] }])
      const sent = { char_id: ada, to: grace, body: 'Do it', task_id: 'answer' }
      const { runs } = await stage.world.ask<{ runs: string[] }>(
        'messages.send',
        sent,
        stage.extra.scoped,
      )
      expect(runs).toHaveLength(1)
    },
  }),
  given({
    op: 'friends.accept',
    title: 'the other agent accepts by a key of its own',
    as: 'scoped',
    given: async (stage) => {
      const who = await asked(stage)
      await stage.scopeTo(who.grace)
      return who
    },
    input: ({ ada, grace }) => ({ char_id: grace, friend_id: ada }),
    answer: (answer) => expect(answer).toMatchObject({ status: 'accepted' }),
  }),
  given({
    op: 'friends.request',
    title: 'the account is told how to accept what waits inside of it',
    as: 'owner',
    given: asked,
    input: ({ ada, grace }) => ({ char_id: ada, friend_id: grace }),
    refusal: 'request_pending',
    error: ({ hint }) => expect(hint).toContain('friends.accept'),
  }),
]

const handsTo = (grace: string, target_task_id: string | null) => ({
  output_sharing: { enabled: true, target_agent_id: grace, target_task_id },
})

/** A result is handed on as a task says that a key acting as the agent wrote, or the account. */
const handing = (
  title: string,
  prepare: (stage: Stage) => Promise<Scoped>,
  check: (runs: readonly unknown[], inbox: readonly unknown[]) => void,
): Case =>
  given({
    op: 'tasks.run',
    title,
    as: 'scoped',
    given: prepare,
    input: ({ ada }) => ({ char_id: ada, task_id: 'free', input: 'x' }),
    answer: async (answer, { grace }, stage) => {
      expect(answer).toMatchObject({ status: 'completed' })
      const { items } = await stage.ask('messages.list', { char_id: grace })
      const runs: readonly unknown[] = await runsOf(stage, grace)
      check(runs, items)
    },
  })

const sharing =
  (by: 'key' | 'account', task: 'answer' | null, permissions?: string[]) =>
  async (stage: Stage): Promise<Scoped> => {
    const who = permissions ? await letIn(stage, permissions) : await scoped(stage)
    const input = { char_id: who.ada, task_id: 'free', task: handsTo(who.grace, task) }
    await stage.world.ask(
      'tasks.update',
      input,
      by === 'key' ? stage.extra.scoped : await stage.key('owner'),
    )
    return who
  }

const handOffs: Case[] = [
  handing(
    'a hand-off that a key wrote starts no task of a sibling',
    sharing('key', 'answer'),
    (runs, inbox) => expect([runs, inbox]).toEqual([[], []]),
  ),
  handing(
    'a hand-off that a key wrote lands in the inbox where it names no task',
    sharing('key', null),
    (runs, inbox) => {
      expect(runs).toEqual([])
      expect(inbox).toHaveLength(1)
    },
  ),
  handing(
    'over a friendship with run_task it starts the task',
    sharing('key', 'answer', ['run_task']),
    (runs) => expect(runs).toHaveLength(1),
  ),
  handing(
    'a hand-off that the account wrote starts the task',
    sharing('account', 'answer'),
    (runs) => expect(runs).toHaveLength(1),
  ),
  handing(
    'the account does not take over a hand-off by sending it back as it was read',
    async (stage) => {
      const who = await sharing('key', 'answer')(stage)
      const place = { char_id: who.ada, task_id: 'free' }
      const task = await stage.ask<object>('tasks.get', place)
      await stage.ask('tasks.update', { ...place, task: { ...task, description: 'Mine' } })
      return who
    },
    (runs) => expect(runs).toEqual([]),
  ),
  handing(
    'a task that a key makes with a hand-off starts nothing either',
    async (stage) => {
      const who = await scoped(stage)
      await stage.ask('tasks.delete', { char_id: who.ada, task_id: 'free' })
      const task = { ...free, ...handsTo(who.grace, 'answer') }
      await stage.world.ask('tasks.create', { char_id: who.ada, task }, stage.extra.scoped)
      return who
    },
    (runs) => expect(runs).toEqual([]),
  ),
]

/** What a key that acts as an agent may have others of its account do. */
export const scopedSiblings: readonly Case[] = [...messages, ...friends, ...handOffs]
