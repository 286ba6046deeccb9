import { expect } from 'vitest'
import {
  agent,
  agentRefusals,
  agentWithTask,
  given,
  nowhere,
  type Case,
  type Stage,
} from './case.ts'

/** A run that has ended. */
async function ended(stage: Stage): Promise<string> {
  return (await stage.ask('tasks.run', { ...(await agentWithTask(stage)), input: 'a text' })).id
}

async function underWay(stage: Stage): Promise<string> {
  const subject = await agentWithTask(stage, { runtime: 'prompt' })
  return (await stage.ask('tasks.run', { ...subject, input: 'x' })).id
}

const ofRuns: Case[] = [
  given({
    op: 'runs.delete',
    title: 'an ended run goes with its events, and is in no list',
    as: 'owner',
    given: ended,
    input: (run_id) => ({ run_id }),
    answer: async (answer, run_id, stage) => {
      expect(answer).toEqual({ id: run_id, deleted: true })
      for (const op of ['runs.get', 'runs.events']) {
        await expect(stage.ask(op, { run_id })).rejects.toMatchObject({ code: 'run_not_found' })
      }
      const { items } = await stage.ask('runs.list', { root_run_id: run_id })
      expect(items).toEqual([])
    },
  }),
  given({
    op: 'runs.delete',
    title: 'a run that has not ended stays',
    as: 'owner',
    given: underWay,
    input: (run_id) => ({ run_id }),
    refusal: 'run_under_way',
    error: (error) => expect(error.hint).toContain('runs.cancel'),
  }),
  given({
    op: 'runs.delete',
    title: 'a run that does not exist is not found',
    as: 'owner',
    input: () => ({ run_id: nowhere }),
    refusal: 'run_not_found',
  }),
  given({
    op: 'runs.delete',
    title: "another account's run is forbidden",
    as: 'stranger',
    given: ended,
    input: (run_id) => ({ run_id }),
    refusal: 'forbidden',
  }),
  given({
    op: 'runs.delete',
    title: 'a key that acts as an agent deletes none',
    as: 'scoped',
    given: async (stage) => {
      const subject = await agentWithTask(stage)
      await stage.scopeTo(subject.char_id)
      return (await stage.ask('tasks.run', { ...subject, input: 'x' })).id
    },
    input: (run_id) => ({ run_id }),
    refusal: 'scope_forbidden',
  }),
]

/** A message between two agents of the owner's. */
async function said(stage: Stage): Promise<{ from: string; to: string; id: string }> {
  const [from, to] = [await agent(stage, 'ada'), await agent(stage, 'grace')]
  const { id } = await stage.ask('messages.send', { char_id: from, to, body: 'hello' })
  return { from, to, id }
}

const ofMessages: Case[] = [
  given({
    op: 'messages.delete',
    title: 'a message between agents of one account is gone for both',
    as: 'owner',
    given: said,
    input: ({ to, id }) => ({ char_id: to, message_id: id }),
    answer: async (answer, { from, to, id }, stage) => {
      expect(answer).toEqual({ id, deleted: true })
      for (const char_id of [from, to]) {
        expect((await stage.ask('messages.list', { char_id })).items).toEqual([])
      }
    },
  }),
  given({
    op: 'messages.delete',
    title: 'a message that the agent neither sent nor received is not found',
    as: 'owner',
    given: async (stage) => ({ ...(await said(stage)), other: await agent(stage, 'eve') }),
    input: ({ other, id }) => ({ char_id: other, message_id: id }),
    refusal: 'message_not_found',
  }),
  ...agentRefusals('messages.delete', (char_id) => ({ char_id, message_id: nowhere })),
]

export const removal: readonly Case[] = [...ofRuns, ...ofMessages]
