import { expect } from 'vitest'
import { book, topUp } from '#tests/money/wallet/movements.ts'
import { agent, agentWithTask, given, type Case, type Stage } from '../case.ts'

const op = 'account.update'

/** A service for 3, and a wallet of the stranger that holds 10, of which keys may spend 5 a day. */
async function offered(stage: Stage): Promise<{ char_id: string; task_id: string }> {
  const { store, payments } = stage.world.ports
  const { id } = await stage.ask('account.get', {}, 'stranger')
  const currency = await payments.currency()
  await book(store, { ...topUp(id, 1000, stage.id('topped-up')), currency })
  await stage.ask(op, { key_spend_cents_a_day: 500 }, 'stranger')
  const char_id = await agent(stage, 'ada', { visibility: { profile_visibility: 'public' } })
  const service = { runtime: 'template', prompt: 'Drawn', service_enabled: true, price_cents: 300 }
  await stage.ask('tasks.create', { char_id, task: { task_id: 's', name: 'S', ...service } })
  return { char_id, task_id: 's' }
}

/** What an account leaves to persons. */
export const accountPolicy: readonly Case[] = [
  given({
    op,
    title:
      'a key leaves approvals and spending to persons, and is told that none holds the account',
    as: 'owner',
    input: () => ({ approvals_need_person: true, key_spend_cents_a_day: 500 }),
    answer: async (answer, _, stage) => {
      const policy = { approvals_need_person: true, key_spend_cents_a_day: 500 }
      expect(answer).toMatchObject({ ...policy, warnings: [{ code: 'no_person' }] })
      expect(await stage.ask('account.get', {})).toMatchObject(policy)
      const { items } = await stage.ask('account.audit', {})
      const changed = ['approvals_need_person', 'key_spend_cents_a_day']
      expect(items).toMatchObject([{ operation: op, changed }])
      const inbox = await stage.ask('account.inbox', {})
      expect(inbox.items).toMatchObject([{ type: 'policy.changed' }])
    },
  }),
  ...[
    { approvals_need_person: false },
    { key_spend_cents_a_day: null },
    { key_spend_cents_a_day: 501 },
  ].map((input) =>
    given({
      op,
      title: `a key does not take back what is left to persons: ${JSON.stringify(input)}`,
      as: 'owner',
      given: (stage) => stage.ask(op, { approvals_need_person: true, key_spend_cents_a_day: 500 }),
      input: () => input,
      refusal: 'person_needed',
      error: ({ hint }) => expect(hint).toContain('/settings'),
    }),
  ),
  given({
    op,
    title: 'a key leaves still more to persons, and repeats what is so',
    as: 'owner',
    given: (stage) => stage.ask(op, { approvals_need_person: true, key_spend_cents_a_day: 500 }),
    input: () => ({ approvals_need_person: true, key_spend_cents_a_day: 0 }),
    answer: async (answer, _, stage) => {
      expect(answer).toMatchObject({ key_spend_cents_a_day: 0 })
      await stage.ask(op, { key_spend_cents_a_day: 0 })
      const { items } = await stage.ask('account.audit', {})
      expect(items).toHaveLength(2)
    },
  }),
  given({
    op,
    title: 'a person who holds the account takes it back',
    as: 'person',
    not: { mcp: 'no session there', a2a: 'no session there' },
    given: (stage) =>
      stage.ask(op, { approvals_need_person: true, key_spend_cents_a_day: 500 }, 'person'),
    input: () => ({ approvals_need_person: false, key_spend_cents_a_day: null }),
    answer: (answer) =>
      expect(answer).toMatchObject({ approvals_need_person: false, key_spend_cents_a_day: null }),
  }),
  given({
    op,
    title: 'a figure is a whole number of cents from none on',
    as: 'owner',
    input: () => ({ key_spend_cents_a_day: -1 }),
    refusal: 'invalid_input',
  }),
  given({
    op: 'approvals.decide',
    title: 'where approvals are left to persons, a key decides none, not even one asked before',
    as: 'owner',
    given: async (stage) => {
      const approval_gate = { requires_approval: true }
      const subject = await agentWithTask(stage, { approval_gate })
      const { approval_id } = await stage.ask('tasks.run', { ...subject, wait_seconds: 60 })
      await stage.ask(op, { approvals_need_person: true })
      return approval_id
    },
    input: (approval_id) => ({ approval_id, decision: 'approve' }),
    refusal: 'person_needed',
    error: ({ hint }, approval_id) => expect(hint).toContain(`/approvals/${approval_id}`),
  }),
  given({
    op: 'orders.create',
    title: 'keys spend what the account leaves to them',
    as: 'stranger',
    given: offered,
    input: (place) => place,
    answer: (answer) => expect(answer).toMatchObject({ paid_by: 'wallet', price_cents: 300 }),
  }),
  given({
    op: 'orders.create',
    title: 'beyond what keys may spend in a day a person orders',
    as: 'stranger',
    given: async (stage) => {
      const place = await offered(stage)
      await stage.ask('orders.create', place, 'stranger')
      return place
    },
    input: (place) => place,
    refusal: 'person_needed',
    error: ({ hint }) => expect(hint).toContain('/settings'),
  }),
]
