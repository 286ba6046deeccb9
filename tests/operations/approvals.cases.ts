import { expect } from 'vitest'
import {
  agent,
  agentWithTask,
  brokenCursor,
  given,
  needsKey,
  nowhere,
  type Case,
  type Made,
  type Stage,
} from './case.ts'

interface Asked {
  approval_id: string
  run_id: string
  char_id: string
  task_id: string
}

/** A run of the owner's that waits at a gate. */
async function asked(stage: Stage, gate: object = {}, task: object = {}): Promise<Asked> {
  const approval_gate = { requires_approval: true, approval_prompt: 'Send it?', ...gate }
  return waiting(stage, await agentWithTask(stage, { approval_gate, ...task }))
}

/** A run of the task that has been parked for its approval. */
async function waiting(
  stage: Stage,
  subject: { char_id: string; task_id: string },
): Promise<Asked> {
  const run = await stage.ask('tasks.run', { ...subject, input: 'x', wait_seconds: 60 })
  return { ...subject, approval_id: run.approval_id, run_id: run.id }
}

/** A run that waits for a quorum of the owner's agents. */
async function voted(stage: Stage, count: number): Promise<Asked & { approvers: string[] }> {
  const approvers: string[] = []
  for (let i = 0; i < count; i++) approvers.push(await agent(stage, `voter-${i}`))
  const quorum = { min_approvals: count, approver_agent_ids: approvers }
  const task = { runtime: 'human_approval', prompt: 'Publish {{input}}?', quorum }
  return { ...(await asked(stage, { requires_approval: false }, task)), approvers }
}

/** A run of the owner's that asks an agent of the stranger's. */
async function askedAbroad(stage: Stage): Promise<Asked & { abroad: string }> {
  const abroad = stage.id('abroad')
  await stage.ask('characters.create', { character: { id: abroad, name: 'A' } }, 'stranger')
  const gate = { requires_approval: true, approval_prompt: 'Send it?', approvers: [abroad] }
  const subject = await agentWithTask(stage, { approval_gate: gate })
  const { char_id } = subject
  const edge = { char_id: abroad, friend_id: char_id, permissions: ['approve'] }
  await stage.ask('friends.request', edge, 'stranger')
  await stage.ask('friends.accept', { char_id, friend_id: abroad })
  return { ...(await waiting(stage, subject)), abroad }
}

const gates: Case[] = [
  given({
    op: 'approvals.get',
    title: 'the question of a gate is filled in like any prompt',
    as: 'owner',
    given: (stage) =>
      asked(
        stage,
        { approval_prompt: 'Send {{input}} to {{ whom }}? {{}} {{secret' },
        { variables: { whom: 'Grace' } },
      ),
    input: ({ approval_id }) => ({ approval_id }),
    answer: (answer) => expect(answer).toMatchObject({ prompt: 'Send x to Grace? {{}} {{secret' }),
  }),
  ...Object.entries({
    '{{whom}}': 'variable_missing',
    '{{secret.KEY}}': 'secret_in_prompt',
  }).map(([approval_prompt, code]) =>
    given({
      op: 'tasks.run',
      title: `a run fails whose question cannot be asked: ${code}`,
      as: 'owner',
      given: (stage) =>
        agentWithTask(stage, { approval_gate: { requires_approval: true, approval_prompt } }),
      input: (subject) => ({ ...subject, wait_seconds: 60 }),
      answer: (answer) =>
        expect(answer).toMatchObject({ status: 'failed', error: { code }, approval_id: null }),
    }),
  ),
]

const listed = ({ items }: Made): readonly Made[] => items
const ids = (page: Made): string[] => listed(page).map(({ id }) => id)

const refusals = (op: string, more: object = {}): Case[] => [
  given({
    op,
    title: 'an approval that does not exist is not found',
    as: 'owner',
    input: () => ({ approval_id: nowhere, ...more }),
    refusal: 'approval_not_found',
  }),
  given({
    op,
    title: 'an approval that asks no agent of the caller is forbidden',
    as: 'stranger',
    given: (stage) => asked(stage),
    input: ({ approval_id }) => ({ approval_id, ...more }),
    refusal: 'forbidden',
  }),
  given({
    op,
    title: "a sibling's approval is forbidden to a scoped key",
    as: 'scoped',
    given: async (stage) => {
      await stage.scopeTo(await agent(stage, 'grace'))
      return asked(stage)
    },
    input: ({ approval_id }) => ({ approval_id, ...more }),
    refusal: 'forbidden',
  }),
]

const reading: Case[] = [
  given({
    op: 'approvals.get',
    title: 'an approval says what is asked, of whom, and how it stands',
    as: 'owner',
    given: (stage) => asked(stage, { timeout_seconds: 3600 }),
    input: ({ approval_id }) => ({ approval_id }),
    answer: (answer, { approval_id, run_id, char_id, task_id }) => {
      expect(answer).toMatchObject({
        id: approval_id,
        run_id,
        char_id,
        task_id,
        prompt: 'Send it?',
        input: 'x',
        state: 'pending',
        approvers: [char_id],
        needed: 1,
        votes: [],
        follow_up_run_id: null,
        decided_at: null,
      })
      expect(Date.parse(answer.expires_at)).toBeGreaterThan(Date.now())
      expect(Object.keys(answer)).not.toContain('fingerprint')
    },
  }),
  given({
    op: 'approvals.get',
    title: "the agent that is asked reads another account's approval with its own key",
    as: 'stranger',
    given: (stage) => askedAbroad(stage),
    input: ({ approval_id }) => ({ approval_id }),
    answer: (answer, { abroad }) => expect(answer).toMatchObject({ approvers: [abroad] }),
  }),
  ...refusals('approvals.get'),
  given({
    op: 'approvals.list',
    title: 'the approvals of the account are listed newest first, page by page',
    as: 'owner',
    given: async (stage) => [await asked(stage), await asked(stage)].map((one) => one.approval_id),
    input: () => ({ limit: 1 }),
    answer: async (answer, made, stage) => {
      expect(ids(answer)).toEqual([made[1]])
      const rest = await stage.ask('approvals.list', { limit: 1, cursor: answer.next_cursor })
      expect(ids(rest)).toEqual([made[0]])
      expect(rest.next_cursor).toBeNull()
    },
  }),
  given({
    op: 'approvals.list',
    title: 'those of one state, of one agent that is asked',
    as: 'owner',
    given: async (stage) => {
      const one = await voted(stage, 2)
      const other = await asked(stage)
      await stage.ask('approvals.decide', { approval_id: other.approval_id, decision: 'approve' })
      return one
    },
    input: ({ approvers }) => ({ state: 'pending', as_char_id: approvers[0] }),
    answer: async (answer, { approval_id, char_id }, stage) => {
      expect(ids(answer)).toEqual([approval_id])
      const own = await stage.ask('approvals.list', { as_char_id: char_id, state: 'approved' })
      expect(own.items).toEqual([])
      const decided = await stage.ask('approvals.list', { state: 'approved' })
      expect(decided.items).toHaveLength(1)
    },
  }),
  given({
    op: 'approvals.list',
    title: 'a scoped key sees what its agent asks and is asked, and nothing else',
    as: 'scoped',
    given: async (stage) => {
      const { approvers, approval_id } = await voted(stage, 2)
      await asked(stage)
      await stage.scopeTo(approvers[1] ?? '')
      return approval_id
    },
    input: () => ({}),
    answer: (answer, approval_id) => expect(ids(answer)).toEqual([approval_id]),
  }),
  given({
    op: 'approvals.list',
    title: 'an account sees what others ask of its agents',
    as: 'stranger',
    given: async (stage) => {
      await asked(stage)
      return askedAbroad(stage)
    },
    input: () => ({ state: 'pending' }),
    answer: (answer, { approval_id }) => expect(ids(answer)).toEqual([approval_id]),
  }),
  given({
    op: 'approvals.list',
    title: 'an agent that does not exist is not found',
    as: 'owner',
    input: () => ({ as_char_id: nowhere }),
    refusal: 'character_not_found',
  }),
  given({
    op: 'approvals.list',
    title: "another account's agent is forbidden",
    as: 'stranger',
    given: (stage) => agent(stage),
    input: (as_char_id) => ({ as_char_id }),
    refusal: 'forbidden',
  }),
  brokenCursor('approvals.list', () => ({})),
  ...needsKey('approvals.list', {}),
]

const approve = ({ approval_id }: Asked): object => ({ approval_id, decision: 'approve' })

const deciding: Case[] = [
  given({
    op: 'approvals.decide',
    title: 'the only approver approves, and a follow-up run goes on',
    as: 'owner',
    given: (stage) => asked(stage),
    input: (one) => ({ ...approve(one), reason: 'Checked' }),
    answer: async (answer, { run_id, char_id }, stage) => {
      const decided_by = { kind: 'key', key_id: expect.stringMatching(/^key_/) }
      const votes = [{ by: char_id, decided_by, decision: 'approve', reason: 'Checked' }]
      expect(answer).toMatchObject({ state: 'approved', votes })
      const paused = await stage.ask('runs.get', { run_id })
      expect(paused).toMatchObject({ status: 'completed', reason: 'resumed' })
      const next = await stage.ask('runs.get', { run_id: answer.follow_up_run_id })
      expect(next).toMatchObject({ resumed_from: run_id, root_run_id: run_id, input: 'x' })
    },
  }),
  given({
    op: 'approvals.decide',
    title: 'a vote that does not decide yet is counted',
    as: 'owner',
    given: (stage) => voted(stage, 2),
    input: ({ approval_id, approvers }) => ({
      approval_id,
      decision: 'approve',
      as_char_id: approvers[0],
    }),
    answer: (answer, { approvers }) => {
      expect(answer).toMatchObject({ state: 'pending', needed: 2 })
      expect(answer.votes).toMatchObject([{ by: approvers[0], reason: null }])
    },
  }),
  given({
    op: 'approvals.decide',
    title: 'a scoped key votes as its agent, and a rejection ends the run',
    as: 'scoped',
    given: async (stage) => {
      const one = await voted(stage, 1)
      await stage.scopeTo(one.approvers[0] ?? '')
      return one
    },
    input: ({ approval_id }) => ({ approval_id, decision: 'reject' }),
    answer: async (answer, { run_id }, stage) => {
      expect(answer).toMatchObject({ state: 'rejected', follow_up_run_id: null })
      const run = await stage.ask('runs.get', { run_id })
      expect(run).toMatchObject({ status: 'abandoned', reason: 'rejected' })
    },
  }),
  given({
    op: 'approvals.decide',
    title: "an agent of another account decides another account's run",
    as: 'stranger',
    given: (stage) => askedAbroad(stage),
    input: approve,
    answer: (answer, { abroad }) =>
      expect(answer).toMatchObject({ state: 'approved', votes: [{ by: abroad }] }),
  }),
  given({
    op: 'approvals.decide',
    title: 'the same key gives the same answer, and the vote is one',
    as: 'owner',
    idempotencyKey: 'approve-once',
    given: async (stage) => {
      const one = await voted(stage, 2)
      const input = { approval_id: one.approval_id, as_char_id: one.approvers[0] }
      await stage.ask('approvals.decide', { ...input, decision: 'approve' })
      return input
    },
    input: (input) => ({ ...input, decision: 'approve' }),
    answer: (answer) => expect(answer.votes).toHaveLength(1),
  }),
  ...refusals('approvals.decide', { decision: 'approve' }),
  given({
    op: 'approvals.decide',
    title: 'an owner whose agent asks another does not answer for that one',
    as: 'owner',
    given: (stage) => askedAbroad(stage),
    input: approve,
    refusal: 'forbidden',
  }),
  given({
    op: 'approvals.decide',
    title: 'an agent that is not asked may not vote, not even on its own run',
    as: 'owner',
    given: async (stage) => asked(stage, { approvers: [await agent(stage, 'grace')] }),
    input: (one) => ({ ...approve(one), as_char_id: one.char_id }),
    refusal: 'forbidden',
    error: ({ hint }) => expect(hint).toContain('as_char_id'),
  }),
  given({
    op: 'approvals.decide',
    title: "another account's agent cannot be voted as",
    as: 'owner',
    given: (stage) => askedAbroad(stage),
    input: (one) => ({ ...approve(one), as_char_id: one.abroad }),
    refusal: 'forbidden',
  }),
  given({
    op: 'approvals.decide',
    title: 'a scoped key votes as no other agent',
    as: 'scoped',
    given: async (stage) => {
      const one = await voted(stage, 2)
      await stage.scopeTo(one.approvers[0] ?? '')
      return one
    },
    input: (one) => ({ ...approve(one), as_char_id: one.approvers[1] }),
    refusal: 'forbidden',
  }),
  given({
    op: 'approvals.decide',
    title: 'an agent that does not exist is not found',
    as: 'owner',
    given: (stage) => asked(stage),
    input: (one) => ({ ...approve(one), as_char_id: nowhere }),
    refusal: 'character_not_found',
  }),
  given({
    op: 'approvals.decide',
    title: 'which of several own approvers votes must be said',
    as: 'owner',
    given: (stage) => voted(stage, 2),
    input: approve,
    refusal: 'invalid_input',
    error: ({ errors }, { approvers }) => {
      expect(errors?.[0]).toMatchObject({ pointer: '/as_char_id' })
      expect(errors?.[0]?.message).toContain(approvers[1])
    },
  }),
  given({
    op: 'approvals.decide',
    title: 'an approval that is decided stays so',
    as: 'owner',
    given: async (stage) => {
      const one = await asked(stage)
      await stage.ask('approvals.decide', approve(one))
      return one
    },
    input: ({ approval_id }) => ({ approval_id, decision: 'reject' }),
    refusal: 'approval_decided',
    error: ({ hint }) => expect(hint).toContain('`approvals.list {"state":"pending"}`'),
  }),
  given({
    op: 'approvals.decide',
    title: 'the approval of a cancelled run is cancelled too',
    as: 'owner',
    given: async (stage) => {
      const one = await asked(stage)
      await stage.ask('runs.cancel', { run_id: one.run_id })
      return one
    },
    input: approve,
    refusal: 'approval_decided',
  }),
  given({
    op: 'approvals.decide',
    title: 'what would run otherwise now than was asked cannot be approved',
    as: 'owner',
    given: async (stage) => {
      const one = await asked(stage)
      const { char_id, task_id } = one
      await stage.ask('tasks.update', { char_id, task_id, task: { prompt: 'Other' } })
      return one
    },
    input: approve,
    refusal: 'approval_stale',
    error: ({ hint }, { run_id }) => expect(hint).toContain(run_id),
  }),
  given({
    op: 'approvals.decide',
    title: 'there is no third way to vote',
    as: 'owner',
    given: (stage) => asked(stage),
    input: ({ approval_id }) => ({ approval_id, decision: 'abstain' }),
    refusal: 'invalid_input',
  }),
  ...needsKey('approvals.decide', { approval_id: nowhere, decision: 'approve' }),
  ...(['owner', 'scoped'] as const).flatMap((as) =>
    (['approve', 'reject'] as const).map((decision) =>
      given({
        op: 'approvals.decide',
        title: `where a person is asked, a key may not ${decision}, and learns where a person does`,
        as,
        given: async (stage) => {
          const one = await asked(stage, { require_person: true })
          if (as === 'scoped') await stage.scopeTo(one.char_id)
          return one
        },
        input: ({ approval_id, char_id }) => ({ approval_id, decision, as_char_id: char_id }),
        refusal: 'person_needed',
        error: ({ hint }, { approval_id }) => expect(hint).toContain(`/approvals/${approval_id}`),
      }),
    ),
  ),
  given({
    op: 'approvals.decide',
    title: 'a person who holds the account approves what asks for one',
    as: 'person',
    not: { mcp: 'no session there', a2a: 'no session there' },
    given: async (stage) => {
      const char_id = stage.id('ada')
      await stage.ask('characters.create', { character: { id: char_id, name: 'A' } }, 'person')
      const approval_gate = { requires_approval: true, require_person: true }
      const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi', approval_gate }
      await stage.ask('tasks.create', { char_id, task }, 'person')
      const call = { char_id, task_id: 't', wait_seconds: 60 }
      return (await stage.ask('tasks.run', call, 'person')).approval_id
    },
    input: (approval_id) => ({ approval_id, decision: 'approve' }),
    answer: (answer) => {
      expect(answer).toMatchObject({ state: 'approved', require_person: true })
      expect(answer.url).toContain(`/approvals/${answer.id}`)
      const decided_by = {
        kind: 'person',
        person_id: expect.stringMatching(/^usr_/),
        session_id: expect.stringMatching(/^ses_/),
      }
      expect(answer.votes).toMatchObject([{ decided_by }])
    },
  }),
]

const inbox: Case[] = [
  given({
    op: 'account.inbox',
    title: 'notices are listed newest first, and are read once a page has shown them',
    as: 'owner',
    given: async (stage) => [await asked(stage), await asked(stage), await asked(stage)],
    input: () => ({ limit: 2, unread: true }),
    answer: async (answer, [first, second, third], stage) => {
      expect(answer.items).toMatchObject([
        { type: 'approval.requested', approval_id: third?.approval_id, read: false },
        { approval_id: second?.approval_id, run_id: second?.run_id, read: false },
      ])
      const cursor = answer.next_cursor
      const rest = await stage.ask('account.inbox', { limit: 2, unread: true, cursor })
      expect(rest.items).toMatchObject([{ approval_id: first?.approval_id, read: false }])
      const none = await stage.ask('account.inbox', { unread: true })
      expect(none.items).toEqual([])
      const all = await stage.ask('account.inbox', {})
      expect(listed(all).map(({ read }) => read)).toEqual([true, true, true])
    },
  }),
  given({
    op: 'account.inbox',
    title: 'what still waits for someone is listed alone, also where it was read',
    as: 'owner',
    given: async (stage) => {
      const [first, second] = [await asked(stage), await asked(stage)]
      const { approval_id } = second
      await stage.ask('approvals.decide', { approval_id, decision: 'reject' })
      await stage.ask('account.inbox', {})
      return first.approval_id
    },
    input: () => ({ open: true }),
    answer: (answer, approval_id) => {
      expect(answer.items).toMatchObject([{ type: 'approval.requested', approval_id, read: true }])
    },
  }),
  given({
    op: 'account.inbox',
    title: 'a key that acts as one agent does not read it',
    as: 'scoped',
    given: async (stage) => stage.scopeTo(await agent(stage)),
    input: () => ({}),
    refusal: 'scope_forbidden',
  }),
  given({
    op: 'account.inbox.dismiss',
    title: 'what is put aside waits for no one any more, and stays in the list of all',
    as: 'owner',
    given: async (stage) => {
      await asked(stage)
      await asked(stage)
      return listed(await stage.ask('account.inbox', {}))
    },
    input: ([notice]) => ({ notice_id: notice?.id ?? '' }),
    answer: async (answer, [first, second], stage) => {
      expect(answer).toMatchObject({ id: first?.id, read: true, dismissed_at: expect.any(String) })
      const again = await stage.ask('account.inbox.dismiss', { notice_id: first?.id })
      const { message: _words, ...same } = answer as object & { message: unknown }
      expect(again).toMatchObject(same)
      const open = await stage.ask('account.inbox', { open: true })
      expect(listed(open)).toMatchObject([{ id: second?.id, read: true, dismissed_at: null }])
      expect(listed(await stage.ask('account.inbox', {}))[0]).toMatchObject(same)
    },
  }),
  given({
    op: 'account.inbox.dismiss',
    title: 'the notice of another account is not there',
    as: 'stranger',
    given: async (stage) => {
      await asked(stage)
      return listed(await stage.ask('account.inbox', {}))
    },
    input: ([notice]) => ({ notice_id: notice?.id ?? '' }),
    refusal: 'notice_not_found',
  }),
  given({
    op: 'account.inbox.dismiss',
    title: 'a key that acts as one agent puts none aside',
    as: 'scoped',
    given: async (stage) => stage.scopeTo(await agent(stage)),
    input: () => ({ notice_id: 'ntc_none' }),
    refusal: 'scope_forbidden',
  }),
  ...needsKey('account.inbox.dismiss', { notice_id: 'ntc_none' }),
  brokenCursor('account.inbox', () => ({})),
  ...needsKey('account.inbox', {}),
]

const audited: Case[] = [
  given({
    op: 'account.audit',
    title: 'what matters to security is listed newest first, with who did it, in a chain',
    as: 'owner',
    given: async (stage) => {
      const char_id = await agent(stage)
      const secrets = [{ name: 'TOK', value: 'a value' }]
      await stage.ask('characters.secrets.update', { char_id, secrets })
      await stage.ask('characters.delete', { char_id })
      return char_id
    },
    input: () => ({ limit: 1 }),
    answer: async (answer, char_id, stage) => {
      const rest = await stage.ask('account.audit', { limit: 1, cursor: answer.next_cursor })
      const [newest, before] = [answer.items[0], rest.items[0]]
      expect(newest).toMatchObject({
        seq: 2,
        operation: 'characters.delete',
        about: { char_id },
        previous: before?.hash,
      })
      expect(before).toMatchObject({ seq: 1, changed: ['TOK'], previous: null })
    },
  }),
  given({
    op: 'account.audit',
    title: 'a key that acts as one agent does not read it',
    as: 'scoped',
    given: async (stage) => stage.scopeTo(await agent(stage)),
    input: () => ({}),
    refusal: 'scope_forbidden',
  }),
  brokenCursor('account.audit', () => ({})),
  ...needsKey('account.audit', {}),
]

export const approvals: readonly Case[] = [...reading, ...deciding, ...inbox, ...audited, ...gates]
