import { expect } from 'vitest'
import { agent, given, type Case, type Stage } from '../case.ts'

const pay = 'https://pay.example/orders'
const gate = { requires_approval: true, require_person: true }
const gated = { task_id: 'pay', name: 'Pay', runtime: 'api', api_url: pay, approval_gate: gate }
const quorum = { min_approvals: 1, approver_agent_ids: ['another-agent'], require_person: true }
const decided = { task_id: 'decide', name: 'Decide', runtime: 'human_approval', quorum }

/** An agent whose tasks ask a person, and a key that acts as it with the right `policy`. */
async function trusted(stage: Stage): Promise<string> {
  const ada = await agent(stage, 'ada', { heart: { tasks: [gated, decided] } })
  await stage.scopeTo(ada, ['policy'])
  return ada
}

const refused = (title: string, op: string, input: object): Case =>
  given({
    op,
    title: `a key with the right policy ${title}`,
    as: 'scoped',
    given: trusted,
    input: (char_id) => ({ char_id, ...input }),
    refusal: 'owner_only',
    error: ({ errors, hint }) => {
      expect(errors?.[0]).toMatchObject({ code: 'require_person' })
      expect(hint).not.toContain('rights [')
    },
  })

const shared = { name: 'refund', type: 'http', config: { url: pay, method: 'POST' } }
const supervised = { task_id: 'desk', name: 'Desk', autonomy: 'supervised', tools: [shared] }

/** An agent of whose task a person decides some calls, and a key that acts as it. */
async function watched(stage: Stage, rights: 'policy'[] = []): Promise<string> {
  const ada = await agent(stage, 'ada', { heart: { tasks: [supervised] } })
  await stage.scopeTo(ada, rights)
  return ada
}

/** Where a person is asked, no key that acts as the agent counts as its owner. */
export const personGates: readonly Case[] = [
  refused('takes no gate away that asks a person', 'tasks.update', {
    task_id: 'pay',
    task: { approval_gate: null },
  }),
  refused('asks no agent where a person is asked', 'tasks.update', {
    task_id: 'pay',
    task: { approval_gate: { require_person: false } },
  }),
  refused('lets no agents vote in a quorum of persons', 'tasks.update', {
    task_id: 'decide',
    task: { quorum: { require_person: false } },
  }),
  refused('gives a quorum of persons no other runtime', 'tasks.update', {
    task_id: 'decide',
    task: { runtime: 'template' },
  }),
  refused('deletes no task that asks a person', 'tasks.delete', { task_id: 'pay' }),
  refused('leaves out no task that asks a person', 'characters.update', {
    character: { heart: { tasks: [decided] } },
  }),
  given({
    op: 'tasks.create',
    title:
      'a task of a key with the right policy asks a person where another does that reaches as far',
    as: 'scoped',
    given: trusted,
    input: (char_id) => ({ char_id, task: { name: 'Pay too', runtime: 'api', api_url: pay } }),
    answer: (answer) => expect(answer).toMatchObject({ approval_gate: gate }),
  }),
  ...([[], ['policy']] as const).map((rights) =>
    given({
      op: 'tasks.create',
      title: `a task of a key with the rights [${rights.join(', ')}] that has the tool of a supervised one is supervised too`,
      as: 'scoped',
      given: (stage) => watched(stage, [...rights]),
      input: (char_id) => ({ char_id, task: { name: 'Mine', tools: [shared] } }),
      answer: (answer) => {
        expect(answer).toMatchObject({ autonomy: 'supervised' })
        expect(answer).toMatchObject({ warnings: [{ code: 'autonomy_inherited' }, {}] })
      },
    }),
  ),
  ...[{ autonomy: 'autonomous' }, { tools: [{ ...shared, require_person: false }] }].map((task) =>
    given({
      op: 'tasks.update',
      title: `a key with the right policy does not change the ${Object.keys(task).join()} of a supervised task`,
      as: 'scoped',
      given: (stage) => watched(stage, ['policy']),
      input: (char_id) => ({ char_id, task_id: 'desk', task }),
      refusal: 'owner_only',
      error: ({ errors }) => expect(errors?.[0]).toMatchObject({ code: 'require_person' }),
    }),
  ),
  given({
    op: 'tasks.update',
    title: 'a key with the right policy changes what is no matter of the person',
    as: 'scoped',
    given: trusted,
    input: (char_id) => ({
      char_id,
      task_id: 'pay',
      task: { name: 'Pay it', approval_gate: gate },
    }),
    answer: (answer) => expect(answer).toMatchObject({ name: 'Pay it', approval_gate: gate }),
  }),
  given({
    op: 'tasks.update',
    title: "the account's own key takes a gate away that asks a person",
    as: 'owner',
    given: trusted,
    input: (char_id) => ({ char_id, task_id: 'pay', task: { approval_gate: null } }),
    answer: (answer) => expect(answer).toMatchObject({ approval_gate: null }),
  }),
]
