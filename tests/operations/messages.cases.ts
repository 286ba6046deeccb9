import { expect } from 'vitest'
import { agent, agentRefusals, brokenCursor, given, nowhere, type Case } from './case.ts'

export const messages: readonly Case[] = [
  given({
    op: 'messages.send',
    title: 'a message starts the tasks that listen for it',
    as: 'owner',
    given: async (stage) => {
      const from = await agent(stage, 'ada')
      const task = {
        task_id: 'answer',
        name: 'Answer',
        prompt: 'Got {{input}}',
        runtime: 'template',
        triggers: [{ type: 'message', config: { from_agent_id: from } }],
      }
      const to = await agent(stage, 'grace', { heart: { tasks: [task] } })
      return { from, to }
    },
    input: ({ from, to }) => ({ char_id: from, to, body: 'hello' }),
    answer: async (answer, { from, to }, stage) => {
      expect(answer).toMatchObject({ from, to, body: 'hello' })
      const run = await stage.ask('runs.get', { run_id: answer.runs[0] })
      expect(run).toMatchObject({ char_id: to, input: 'hello', trigger: { type: 'message' } })
    },
  }),
  given({
    op: 'messages.send',
    title: 'a task that listens to another sender stays still',
    as: 'owner',
    given: async (stage) => {
      const from = await agent(stage, 'ada')
      const triggers = [{ type: 'message', config: { from_agent_id: 'another-agent' } }]
      const heart = { tasks: [{ name: 'Answer', runtime: 'template', triggers }] }
      return { from, to: await agent(stage, 'grace', { heart }) }
    },
    input: ({ from, to }) => ({ char_id: from, to, body: 'hello' }),
    answer: (answer) => expect(answer.runs).toEqual([]),
  }),
  given({
    op: 'messages.send',
    title: 'with a task_id exactly that task runs',
    as: 'owner',
    given: async (stage) => {
      const heart = { tasks: [{ task_id: 'quiet', name: 'Quiet', runtime: 'template' }] }
      return { from: await agent(stage, 'ada'), to: await agent(stage, 'grace', { heart }) }
    },
    input: ({ from, to }) => ({ char_id: from, to, body: 'hello', task_id: 'quiet' }),
    answer: (answer) => expect(answer.runs).toHaveLength(1),
  }),
  given({
    op: 'messages.send',
    title: 'a task that the receiver does not have is not found',
    as: 'owner',
    given: async (stage) => ({ from: await agent(stage, 'ada'), to: await agent(stage, 'grace') }),
    input: ({ from, to }) => ({ char_id: from, to, body: 'hello', task_id: nowhere }),
    refusal: 'task_not_found',
  }),
  given({
    op: 'messages.send',
    title: 'a stranger takes nothing',
    as: 'owner',
    given: async (stage) => {
      const to = stage.id('grace')
      await stage.ask('characters.create', { character: { id: to, name: 'Grace' } }, 'stranger')
      return { from: await agent(stage), to }
    },
    input: ({ from, to }) => ({ char_id: from, to, body: 'hello' }),
    refusal: 'recipient_unreachable',
  }),
  ...agentRefusals('messages.send', (char_id) => ({ char_id, to: nowhere, body: 'hello' })),
  given({
    op: 'messages.list',
    title: 'both sides see what was said between them, newest first',
    as: 'owner',
    given: async (stage) => {
      const from = await agent(stage, 'ada')
      const to = await agent(stage, 'grace')
      const other = await agent(stage, 'eve')
      await stage.ask('messages.send', { char_id: from, to, body: 'first' })
      await stage.ask('messages.send', { char_id: to, to: from, body: 'second' })
      await stage.ask('messages.send', { char_id: other, to: from, body: 'elsewhere' })
      return { from, to }
    },
    input: ({ from, to }) => ({ char_id: to, with: from, limit: 1 }),
    answer: async (answer, { from, to }, stage) => {
      expect(answer.items[0]?.body).toBe('second')
      const input = { char_id: to, with: from, limit: 5, cursor: answer.next_cursor }
      const next = await stage.ask('messages.list', input)
      expect((next.items as unknown as { body: string }[]).map(({ body }) => body)).toEqual([
        'first',
      ])
    },
  }),
  given({
    op: 'messages.list',
    title: 'a new agent with the id of a deleted one sees none of its messages',
    as: 'stranger',
    given: async (stage) => {
      const from = await agent(stage, 'ada')
      const to = await agent(stage, 'grace')
      await stage.ask('messages.send', { char_id: from, to, body: 'between us' })
      await stage.ask('characters.delete', { char_id: to })
      await stage.ask('characters.create', { character: { id: to, name: 'Other' } }, 'stranger')
      return to
    },
    input: (char_id) => ({ char_id }),
    answer: (answer) => expect(answer.items).toEqual([]),
  }),
  ...agentRefusals('messages.list', (char_id) => ({ char_id })),
  brokenCursor(
    'messages.list',
    (char_id) => ({ char_id }),
    (stage) => agent(stage),
  ),
]
