import { expect } from 'vitest'
import { given, type Case } from '../case.ts'
import { gatedTask, scoped } from './stage.ts'

/** A task that the agent itself may approve, and one that two others have to. */
const weak = {
  task_id: 'weak',
  name: 'Weak',
  runtime: 'template',
  approval_gate: { requires_approval: true, approvers: [] },
}
const strict = {
  ...weak,
  task_id: 'strict',
  approval_gate: { requires_approval: true, approvers: ['x', 'y'], min_approvals: 2 },
}

const atPay = { runtime: 'api', api_url: 'https://pay.example/orders' }

const turned = (title: string, task_id: string, address: string, approvers: 'grace' | 'kept') =>
  given({
    op: 'tasks.update',
    title,
    as: 'scoped',
    given: async (stage) => {
      const who = await scoped(stage)
      await stage.ask('tasks.create', { char_id: who.ada, task: weak })
      await stage.ask('tasks.create', { char_id: who.ada, task: strict })
      return who
    },
    input: ({ ada }) => ({ char_id: ada, task_id, task: { runtime: 'api', api_url: address } }),
    answer: (answer, { grace }) => {
      const kept = approvers === 'kept'
      expect(answer).toMatchObject({ approval_gate: { approvers: kept ? ['x', 'y'] : [grace] } })
      const code = kept ? 'unknown_agent' : 'gate_inherited'
      expect(answer.warnings[0]).toMatchObject({ code })
    },
  })

/** A new task that reaches nothing which a gate guards. */
const apart = (task: { runtime: string; prompt: string }) =>
  given({
    op: 'tasks.create',
    title: `a ${task.runtime} that shares nothing with a gated task waits for no one`,
    as: 'scoped',
    given: (stage) => scoped(stage, { brain: null }),
    input: ({ ada }) => ({ char_id: ada, task: { name: 'Apart', ...task } }),
    answer: (answer) => {
      expect(answer).toMatchObject({ approval_gate: null, autonomy: null })
      expect(answer).not.toHaveProperty('warnings')
    },
  })

/** Ways round a strict gate by a task with a weak one. */
export const weakGates: readonly Case[] = [
  apart({ runtime: 'template', prompt: 'Hi {{input}}' }),
  apart({ runtime: 'prompt', prompt: 'Greet {{input}}' }),
  turned('a weak gate gives way to a stricter one', 'weak', atPay.api_url, 'grace'),
  turned(
    'the same host by another name is behind the same gate',
    'weak',
    'HTTPS://Pay.Example.:443/x',
    'grace',
  ),
  turned('a strict gate does not give way to a weaker one', 'strict', atPay.api_url, 'kept'),
  given({
    op: 'characters.update',
    title: 'a weak gate gives way in the heart too',
    as: 'scoped',
    given: async (stage) => {
      const who = await scoped(stage, {})
      await stage.ask('characters.update', {
        char_id: who.ada,
        character: { heart: { tasks: [gatedTask(who.grace), weak] } },
      })
      return who
    },
    input: ({ ada, grace }) => ({
      char_id: ada,
      character: { heart: { tasks: [gatedTask(grace), { ...weak, ...atPay }] } },
    }),
    answer: (answer, { grace }) =>
      expect(answer.heart?.tasks[1]).toMatchObject({ approval_gate: { approvers: [grace] } }),
  }),
]
