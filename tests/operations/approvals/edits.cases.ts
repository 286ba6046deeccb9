import { expect } from 'vitest'
import { agentWithTask, given, type Case, type Stage } from '../case.ts'

interface Asked {
  approval_id: string
  run_id: string
}

/** A run that waits at a gate for what it is to do with an order. */
async function asked(stage: Stage, gate: object = { allow_edit: true }): Promise<Asked> {
  const approval_gate = { requires_approval: true, approval_prompt: 'Refund?', ...gate }
  const task = { prompt: 'Refunds {{cents}} cents. {{note}}', approval_gate }
  const subject = await agentWithTask(stage, task)
  const input = { cents: 9999, note: '' }
  const run = await stage.ask('tasks.run', { ...subject, input, wait_seconds: 60 })
  return { approval_id: run.approval_id, run_id: run.id }
}

const changed = { cents: 50, note: 'A part of it.' }
const approve = ({ approval_id }: Asked, edited_input: unknown = changed): object => ({
  approval_id,
  decision: 'approve',
  edited_input,
})
const op = 'approvals.decide'

/** Approvals of another input than was asked about. */
export const edits: readonly Case[] = [
  given({
    op,
    title: 'where the gate allows it, a run goes on with the input as it was changed',
    as: 'owner',
    given: (stage) => asked(stage),
    input: (one) => approve(one),
    answer: async (answer, { run_id }, stage) => {
      const edited_by = { kind: 'key', key_id: expect.stringMatching(/^key_/) }
      expect(answer).toMatchObject({
        state: 'approved',
        input: { cents: 9999 },
        edited_input: changed,
        edited_by,
        votes: [{ decision: 'approve', edited: true }],
      })
      expect(Object.keys(answer)).not.toContain('edit')
      const next = await stage.ask('runs.get', { run_id: answer.follow_up_run_id })
      expect(next).toMatchObject({ resumed_from: run_id, input: changed, edited_by })
      const paused = await stage.ask('runs.get', { run_id })
      expect(paused).toMatchObject({ reason: 'resumed', input: { cents: 9999, note: '' } })
      const { items } = await stage.ask('account.audit', { limit: 1 })
      expect(items).toMatchObject([{ operation: op, changed: ['approve', 'edited_input'] }])
    },
  }),
  given({
    op,
    title: 'the same input as was asked about is no change, in any order of its members',
    as: 'owner',
    given: (stage) => asked(stage),
    input: (one) => approve(one, { note: '', cents: 9999 }),
    answer: async (answer, _, stage) => {
      expect(answer).toMatchObject({ state: 'approved' })
      expect(answer).not.toHaveProperty('edited_input')
      const next = await stage.ask('runs.get', { run_id: answer.follow_up_run_id })
      expect(next).not.toHaveProperty('edited_by')
    },
  }),
  given({
    op,
    title: 'a gate that does not allow it takes no changed input',
    as: 'owner',
    given: (stage) => asked(stage, {}),
    input: (one) => approve(one),
    refusal: 'edit_not_allowed',
    error: ({ hint }) => expect(hint).toContain('allow_edit'),
  }),
  given({
    op,
    title: 'a rejection takes no changed input',
    as: 'owner',
    given: (stage) => asked(stage),
    input: (one) => ({ ...approve(one), decision: 'reject' }),
    refusal: 'invalid_input',
    error: ({ errors }) => expect(errors).toMatchObject([{ pointer: '/edited_input' }]),
  }),
  given({
    op,
    title: 'an input with which the task could not run is refused, and what is missing named',
    as: 'owner',
    given: (stage) => asked(stage),
    input: (one) => approve(one, { note: 'No sum.' }),
    refusal: 'invalid_input',
    error: ({ errors }) => {
      expect(errors).toMatchObject([{ pointer: '/edited_input' }])
      expect(errors?.[0]?.message).toContain('{{cents}}')
    },
  }),
  given({
    op,
    title: 'a name of a secret in a changed input stays a name',
    as: 'owner',
    given: (stage) => asked(stage),
    input: (one) => approve(one, { cents: 1, note: '{{secret.KEY}} {{cents}}' }),
    answer: async (answer, _, stage) => {
      const run = await stage.ask('runs.get', { run_id: answer.follow_up_run_id })
      expect(run).toMatchObject({ input: { cents: 1, note: '{{secret.KEY}} {{cents}}' } })
    },
  }),
]
